"""Forks three children that fork three each, all of which wait for ever; says "ready" then."""

import os
import signal

reader, writer = os.pipe()
for _ in range(3):
    if os.fork() == 0:
        for _ in range(3):
            if os.fork() == 0:
                break
        os.write(writer, b"+")
        while True:
            signal.pause()
seen = b""
while len(seen) < 12:
    seen += os.read(reader, 12)
print("ready", flush=True)
while True:
    signal.pause()
