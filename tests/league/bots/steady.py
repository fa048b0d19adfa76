"""Plays what its name and its view decide: the same whenever it is asked the same."""

import sys
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from protocol import run

name = sys.argv[1] if len(sys.argv) > 1 else "steady"


def choose(request: Mapping[str, Any]) -> str:
    legal: list[str] = request["legal"]
    told = f"{name} {request['view']}".encode()
    return legal[int.from_bytes(sha256(told).digest()[:8], "big") % len(legal)]


run(choose, version="1")
