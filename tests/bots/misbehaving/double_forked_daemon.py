"""Leaves a daemon: forked twice, in a session of its own, deaf to SIGTERM and SIGHUP.

With the argument "stay" it waits for ever after that, with "leave" it ends with exit code 0.
"""

import os
import signal
import sys

reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    for stream in (0, 1, 2):
        os.close(stream)
    while os.getppid() == os.getpgrp():  # until the one between has gone
        os.sched_yield()
    os.write(writer, b"+")
    while True:
        signal.pause()
os.wait()
os.read(reader, 1)
print("ready", flush=True)
while sys.argv[1] == "stay":
    signal.pause()
