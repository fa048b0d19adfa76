"""Says "ready" and then only ever lives for a moment: forks, starts a new session, ends."""

import os

print("ready", flush=True)
while True:
    if os.fork() != 0:
        os._exit(0)
    os.setsid()
