"""Plays what its name and its view decide: the same whenever it is asked the same.

`steady.py NAME MS`: it waits for so many milliseconds first, and uses no processor time.
"""

import sys
import time
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from protocol import run

name = sys.argv[1] if len(sys.argv) > 1 else "steady"
wait_ms = int(sys.argv[2]) if len(sys.argv) > 2 else 0


def choose(request: Mapping[str, Any]) -> str:
    if wait_ms:
        time.sleep(wait_ms / 1000)
    legal: list[str] = request["legal"]
    told = f"{name} {request['view']}".encode()
    return legal[int.from_bytes(sha256(told).digest()[:8], "big") % len(legal)]


run(choose, version="1")
