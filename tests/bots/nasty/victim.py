"""Somebody whom hostile programs attack: `python victim.py KEY CALLED`, a hand on its stdin.

It holds the hand in its memory and the file KEY open, prints where they are, and waits until it is
ended. CALLED is only for its command line.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time

signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGURG])  # so that it stays to be seen
hand = ctypes.create_string_buffer(sys.stdin.readline().strip().encode())
key = os.open(sys.argv[1], os.O_RDONLY)
where = {"hand": ctypes.addressof(hand), "hand_bytes": len(hand) - 1, "open_file": key}
print(json.dumps(where), flush=True)
time.sleep(600)
