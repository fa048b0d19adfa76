"""Every rule set, registered once, by name."""

from __future__ import annotations

from typing import NoReturn

from arena.games.errors import UnknownGame
from arena.games.interface import Game
from arena.games.nope import NOPE
from arena.games.nyet import TRICK_GAMES
from arena.text import did_you_mean


class Registry(dict[str, Game]):
    """Looks a rule set up by name; the error for an unknown name lists those there are."""

    def __missing__(self, name: object) -> NoReturn:
        raise UnknownGame(
            f"there is no rule set {name!r}; there are: {', '.join(self)}."
            + did_you_mean(name, self),
            came=name,
            allowed=self,
            where="10.1",
        )


_EVERY: tuple[Game, ...] = (*TRICK_GAMES, NOPE)
GAMES = Registry({game.name: game for game in _EVERY})
