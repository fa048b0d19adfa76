"""Plays well, beside a daemon of its own: forked twice, in a session of its own."""

import os

from tests.bots.misbehaving.wire import greeted, wait_for_ever

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        wait_for_ever()
    os._exit(0)
os.wait()
greeted().play_on()
