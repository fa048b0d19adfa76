"""Prints the names of all matches that it has played, in each of them, and plays anything."""

import sys
from collections.abc import Mapping
from typing import Any

from protocol import run

seen: list[str] = []


def choose(request: Mapping[str, Any]) -> str:
    if request["match"] not in seen:
        print("start of a match", file=sys.stderr)
        seen.append(request["match"])
        print("seen", *seen, file=sys.stderr, flush=True)
    legal: list[str] = request["legal"]
    return legal[0]


run(choose, version="1")
