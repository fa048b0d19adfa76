"""Plays well, and writes to stdout as fast as it can beside that."""

import os
import threading

from tests.bots.misbehaving.wire import greeted

LINES = b"all work and no play makes fox a dull bot\n" * 1_000


def flood() -> None:
    while True:
        os.write(1, LINES)


threading.Thread(target=flood, daemon=True).start()
greeted().play_on()
