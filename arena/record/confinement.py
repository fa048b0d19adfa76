"""Words in records for how started bots were confined, and which of two says less."""

from __future__ import annotations

import re

UNCONFINED = "unconfined"

DIALLED_IN = "dialled-in"
"""No bot was started here: their authors ran them all."""

STRONGEST_FIRST = (DIALLED_IN, "bubblewrap", "landlock", UNCONFINED)
"""First words; "landlock" is followed by the ABI that the kernel had."""

_OF_STARTED = re.compile(rf"bubblewrap|landlock [1-9][0-9]{{0,2}}|{UNCONFINED}")


def is_of_started(word: str) -> bool:
    """Return True for a word that is written for matches whose bots were started, none dialled."""
    return _OF_STARTED.fullmatch(word) is not None


def weaker(one: str, other: str) -> str:
    """Return the word that promises less; of two ABIs of Landlock, the lower one."""
    return max(one, other, key=_strength)


def is_weaker(one: str, other: str) -> bool:
    """Return True if the first word names a weaker rung than the second; ABIs do not count."""
    return _strength(one)[0] > _strength(other)[0]


def _strength(word: str) -> tuple[int, int]:
    """Return a key that is higher for less: the rung, and the ABI."""
    rung, _, abi = word.partition(" ")
    known = STRONGEST_FIRST.index(rung) if rung in STRONGEST_FIRST else len(STRONGEST_FIRST)
    return known, -int(abi) if abi.isdecimal() else 0
