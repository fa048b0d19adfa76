"""The columns of a row, and the facts that hold for all rows of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.games import GAMES, Game

FORMAT = "arena-decisions"
VERSION = 2
# Files of version 1 do not tell options and contents of bots.
OLDEST = 1

OBSERVATION, MASK = "observation", "mask"

# By column the type of its numbers, in the order of files; docs/library.md explains them.
COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        OBSERVATION: "int16",
        MASK: "uint8",
        "action": "int16",
        "seat": "int8",
        "result": "float32",
        "score": "float32",
        "played": "uint8",
        "bot": "int32",
        "league": "int32",
        "set": "int32",
        "turn": "int16",
        "move": "int32",
    }
)

LISTS = ("bots", "contents", "leagues")  # fields of `About` that are lists in JSON

Batch = dict[str, NDArray[Any]]
"""Some rows: by column an array with a line for each."""


@dataclass(frozen=True)
class About:
    """Facts that are the same for all rows of a file.

    `options`: all of the matches, also those at their defaults; None where the file does not tell.
    `bots`, by number in the column `bot`: names, each once; a name that bots of other contents
    have in several leagues is followed by the league in brackets. `contents`, by the same numbers:
    the hashes of their files; None where they are not known, as those of a bot that dials in.
    `leagues`, by number in the column `league`: names, each once.
    """

    game: str
    seats: int
    options: Mapping[str, Any] | None
    observation_version: int
    bots: tuple[str, ...]
    contents: tuple[str | None, ...]
    leagues: tuple[str, ...]
    format: str = FORMAT
    version: int = VERSION

    @property
    def rules(self) -> Game:
        return GAMES[self.game]

    def widths(self) -> dict[str, int]:
        """Return the number of numbers in a row, for each column that has more than one."""
        game = self.rules
        return {OBSERVATION: game.observation(self.seats).size, MASK: len(game.actions)}

    def as_values(self) -> dict[str, Any]:
        """All of it as values of JSON."""
        return asdict(self)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> About:
        """Read the result of `as_values`; a ValueError says why this version cannot read it."""
        version = values.get("version")
        if values.get("format") != FORMAT or version not in range(OLDEST, VERSION + 1):
            raise ValueError(
                f"no file of decisions that this version reads: it says format"
                f" {values.get('format')!r}, version {version!r}; expected {FORMAT!r},"
                f" {OLDEST} to {VERSION}"
            )
        untold = {"options": None, "contents": [None] * len(values["bots"])}
        told = {**untold, **values}
        about = cls(**{**told, **{name: tuple(told[name]) for name in LISTS}})
        now = about.rules.observation(about.seats).version
        if now != about.observation_version:
            raise ValueError(
                f"these observations of {about.game} have version {about.observation_version},"
                f" and this arena makes version {now}: export them anew"
            )
        return about


def batch_of(rows: int, widths: Mapping[str, int]) -> Batch:
    """Return arrays for so many rows."""
    return {
        name: np.zeros((rows, widths[name]) if name in widths else rows, kind)
        for name, kind in COLUMNS.items()
    }
