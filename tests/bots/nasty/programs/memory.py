"""Hostile programs about memory and output: `python -c TEXT DEED GIVEN STAY`."""

from __future__ import annotations

import json
import mmap
import os
import sys
import time
from typing import Any

Given = dict[str, Any]

MEGABYTE = 1_048_576
MOST_MEGABYTES = 300
FLOOD_MEGABYTES = 32


def takes_memory(given: Given) -> int:
    """As much as it gets of three times its limit."""
    taken = []
    for _ in range(MOST_MEGABYTES // 10):
        taken.append(bytearray(b"x" * 10 * MEGABYTE))
    return len(taken) * 10


def takes_memory_that_is_shared(given: Given) -> int:
    """Which no limit of a single process counts."""
    taken = []
    for _ in range(MOST_MEGABYTES // 10):
        taken.append(mmap.mmap(-1, 10 * MEGABYTE))
        for page in range(0, 10 * MEGABYTE, mmap.PAGESIZE):
            taken[-1][page] = 1
    return len(taken) * 10


def floods_both_outputs(given: Given) -> int:
    line = b"flood " * 10_922 + b"end\n"
    for _ in range(FLOOD_MEGABYTES * MEGABYTE // len(line)):
        os.write(1, line)
        os.write(2, line)
    return FLOOD_MEGABYTES


if __name__ == "__main__":
    try:
        said = {"did": globals()[sys.argv[1]](json.loads(sys.argv[2]))}
    except (OSError, MemoryError) as error:
        said = {"refused": str(error)}
    print(json.dumps(said), flush=True)
    if sys.argv[3] == "stay":
        time.sleep(60)
