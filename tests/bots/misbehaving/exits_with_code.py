"""Prints a line on each stream and ends with the exit code that is its argument."""

import sys

print("going")
print("gone wrong", file=sys.stderr)
sys.exit(int(sys.argv[1]))
