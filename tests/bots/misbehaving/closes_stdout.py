"""Closes stdout, says "ready" on stderr and waits for ever."""

import os
import signal

os.close(1)
os.write(2, b"ready\n")
while True:
    signal.pause()
