"""A server's knowledge of the tables for people: the bots that may be chosen, and where to ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class PlayBot:
    """A bot that visitors may play against."""

    name: str
    folder: str
    games: Mapping[str, tuple[int, ...]]  # the sizes of tables, by game

    @classmethod
    def of_json(cls, values: Mapping[str, object]) -> PlayBot:
        games = values["games"]
        assert isinstance(games, Mapping)
        sizes = {game: tuple(each) for game, each in games.items()}
        return cls(str(values["name"]), str(values["folder"]), sizes)
