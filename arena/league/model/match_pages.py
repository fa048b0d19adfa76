"""Which matches of a league get pages: all, the last of them and the last with faults, or none.

With "last N" there are pages of N matches, and of N more in sets with a fault: in a long league
even rare faults add up, and nobody looks at those of months ago.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

IN_WORDS = '"all", "last N" with N from 1 to 1000000000, "faults" or "none"'
PATTERN = r"^(?:all|faults|none|last ([1-9][0-9]{0,8}|1000000000))\Z"


@dataclass(frozen=True)
class SetsPlayed:
    """Facts for a choice: the complete sets of a league."""

    matches: Mapping[int, int]  # by number of set, how many it has
    faulty: frozenset[int]  # the sets with a fault


@dataclass(frozen=True)
class MatchPages:
    """A choice of sets by their matches; a set has one page for all its matches."""

    last: int | None  # of so many matches, the newest; None: of all
    faulty: int | None  # and of so many in sets with a fault; None: of all these

    @classmethod
    def read(cls, text: str) -> MatchPages:
        """Read a choice; raise ValueError unless it is one of IN_WORDS."""
        found = re.search(PATTERN, text)
        if found is None:
            raise ValueError(f"{text!r} is not {IN_WORDS}")
        if found[1]:
            return cls(int(found[1]), int(found[1]))
        return {"all": cls(None, None), "faults": cls(0, None), "none": cls(0, 0)}[text]

    def chosen(self, played: SetsPlayed) -> set[int]:
        """Return the sets that get pages: whole sets, so at least the matches asked for."""
        every, faulty = played.matches, played.faulty
        return newest(every, every, self.last) | newest(every.keys() & faulty, every, self.faulty)


def newest(numbers: Iterable[int], matches: Mapping[int, int], most: int | None) -> set[int]:
    """Return the newest of these sets, until they have so many matches; None: all of them.

    `matches`: by set, how many it has.
    """
    if most is None:
        return {*numbers}
    chosen = set()
    for number in sorted(numbers, reverse=True):
        if most <= 0:
            break
        chosen.add(number)
        most -= matches[number]
    return chosen
