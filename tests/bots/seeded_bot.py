"""A bot of any game that gives the same answer to the same request: `seeded_bot.py SEED`."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from typing import Any

from protocol import run


def decide(request: Mapping[str, Any]) -> str:
    # From the view and not from a generator that runs on: so the answer depends on nothing but
    # the question, also after a restart and in whatever order matches come.
    legal: list[str] = request["legal"]
    return random.Random(f"{sys.argv[1]} {request['view']}").choice(legal)


if __name__ == "__main__":
    run(decide)
