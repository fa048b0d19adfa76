"""Builds of bots: their variables, what identifies one, and the cache of finished ones."""
