"""The parts of a knockout: the shape of its bracket, its ties, and the bracket as it stands."""
