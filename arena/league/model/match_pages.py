"""Which matches of a league get pages: all, the last of them and those with faults, or none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

IN_WORDS = '"all", "last N" with N from 1 to 1000000000, "faults" or "none"'
PATTERN = r"^(?:all|faults|none|last ([1-9][0-9]{0,8}|1000000000))\Z"


@dataclass(frozen=True)
class SetsPlayed:
    """What a choice goes by: the complete sets of a league."""

    matches: Mapping[int, int]  # by number of set, how many it has
    faulty: frozenset[int]  # the sets with a fault


@dataclass(frozen=True)
class MatchPages:
    """A choice of sets by their matches; a set has one page for all its matches."""

    last: int | None  # of so many matches, the newest; None: of all
    faulty: bool  # and of all with a fault

    @classmethod
    def read(cls, text: str) -> MatchPages:
        """Read a choice; raise ValueError unless it is one of IN_WORDS."""
        found = re.search(PATTERN, text)
        if found is None:
            raise ValueError(f"{text!r} is not {IN_WORDS}")
        if found[1]:
            return cls(int(found[1]), faulty=True)
        return {
            "all": cls(None, faulty=True),
            "faults": cls(0, faulty=True),
            "none": cls(0, faulty=False),
        }[text]

    def chosen(self, played: SetsPlayed) -> set[int]:
        """Return the sets that get pages: whole sets, so at least the matches asked for."""
        if self.last is None:
            return set(played.matches)
        chosen = set(played.faulty) if self.faulty else set()
        left = self.last
        for number in sorted(played.matches, reverse=True):
            if left <= 0:
                break
            chosen.add(number)
            left -= played.matches[number]
        return chosen
