"""A soak: a ladder in real time, with programs that dial in, come, go, crash and return."""
