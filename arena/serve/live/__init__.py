"""A league as its watchers see it: looks at it, what is new, and the streams that tell it."""
