"""Plays well, beside three children, who hold its connection as well."""

import os

from tests.bots.misbehaving.wire import greeted, wait_for_ever

wire = greeted()
for _ in range(3):
    if os.fork() == 0:
        wait_for_ever()
wire.play_on()
