"""Writes to stderr as fast as it can, for ever."""

import os

LINES = b"all work and no play makes fox a dull bot\n" * 1_000
while True:
    os.write(2, LINES)
