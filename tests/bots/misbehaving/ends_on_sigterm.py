"""Ends with exit code 7 when it gets SIGTERM, as a well-behaved bot may; says "ready" first."""

import signal
import sys

signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
print("ready", flush=True)
while True:
    signal.pause()
