"""Addresses of earlier versions, of matches and of older matches of a bot: they lead on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Set
from pathlib import Path

from arena.league.model.sets import Place
from arena.outputs.pages.names import (
    BOTS,
    MATCHES,
    address_of_match,
    file_of_bot,
    older_file_of_match,
)
from arena.outputs.pages.render import render

_FILE = re.compile(r"([0-9]+)-([0-9]+)\.html")
_OF_A_BOT = re.compile(r"(.+)\.p([0-9]+)\.html")


class OlderPages:
    """The pages in a published folder that have another place now, looked for once."""

    def __init__(self, folder: Path):
        self._turns: dict[int, list[int]] = defaultdict(list)  # by set
        for path in (folder / MATCHES).glob("*.html"):
            if found := _FILE.fullmatch(path.name):
                self._turns[int(found[1])].append(int(found[2]) - 1)
        self._of_bots: dict[str, list[int]] = defaultdict(list)  # pages by the file of the bot
        for path in (folder / BOTS).glob("*.html"):
            if found := _OF_A_BOT.fullmatch(path.name):
                self._of_bots[f"{found[1]}.html"].append(int(found[2]))

    @property
    def sets(self) -> Set[int]:
        """The sets to which such addresses may have been given to somebody."""
        return self._turns.keys()

    def of_bot(self, name: str) -> list[int]:
        """Return the numbers of its pages of older matches that have names of before."""
        return sorted(self._of_bots.get(file_of_bot(name), ()))

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
