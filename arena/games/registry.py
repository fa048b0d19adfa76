"""Every rule set, registered once, by name."""

from __future__ import annotations

from typing import NoReturn

from arena.games.errors import UnknownGame, did_you_mean
from arena.games.interface import Game
from arena.games.nope import NOPE
from arena.games.nyet import TRICK_GAMES


class Registry(dict[str, Game]):
    """Looks a rule set up by name, and says what there is when there is no such."""

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
