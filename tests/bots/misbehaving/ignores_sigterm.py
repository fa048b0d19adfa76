"""Ignores every signal that can be ignored, says "ready" and waits for ever."""

import signal

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(number, signal.SIG_IGN)
print("ready", flush=True)
while True:
    signal.pause()
