"""Doors where bots connect: addresses, hellos, tokens, refusals."""
