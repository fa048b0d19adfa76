"""Addresses of matches from before the matches of a set shared a page: they lead to it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Set
from pathlib import Path

from arena.league.model.sets import Place
from arena.outputs.pages.names import MATCHES, address_of_match, older_file_of_match
from arena.outputs.pages.render import render

_FILE = re.compile(r"([0-9]+)-([0-9]+)\.html")


class OlderPages:
    """The pages of single matches in a published folder, looked for once."""

    def __init__(self, folder: Path):
        self._turns: dict[int, list[int]] = defaultdict(list)  # by set
        for path in (folder / MATCHES).glob("*.html"):
            if found := _FILE.fullmatch(path.name):
                self._turns[int(found[1])].append(int(found[2]) - 1)

    @property
    def sets(self) -> Set[int]:
        """The sets to which such addresses may have been given to somebody."""
        return self._turns.keys()

    def pages(self, league: str, number: int) -> Iterator[tuple[str, str]]:
        """Yield by file what stands in the place of the older pages of a set."""
        for turn in sorted(self._turns.get(number, ())):
            place = Place(number, turn)
            yield (
                older_file_of_match(place),
                render(
                    "moved.html",
                    root="../",
                    here="",
                    running=False,
                    league=league,
                    place=place,
                    address=address_of_match(place),
                ),
            )
