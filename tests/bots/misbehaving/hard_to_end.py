"""Plays well; ignores signals, `bye` and the end of its connection."""

import signal

from tests.bots.misbehaving.wire import greeted, wait_for_ever

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(number, signal.SIG_IGN)
try:
    greeted().play_on()
finally:
    wait_for_ever()
