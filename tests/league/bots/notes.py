"""Plays the first legal action, and notes its argument with each: so each record tells which files
played it."""

import sys
from collections.abc import Mapping
from typing import Any

from protocol import run


def choose(request: Mapping[str, Any]) -> tuple[str, str]:
    legal: list[str] = request["legal"]
    return legal[0], sys.argv[1]


run(choose, version="1")
