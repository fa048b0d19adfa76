"""A decision as a policy gets it: numbers and arrays, made from what a bot is told."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.games import GAMES, Game


class PolicyDecision:
    """One decision of one seat.

    `view`: what the seat may know, as a bot gets it. `names`: the texts of the legal actions.
    `options`: all of the match. Everything is made from the view and the legal actions of a
    request, so that a policy is told nothing that a bot is not. An observation tells nothing that
    the view does not; therefore that of any world that agrees with the view is the right one.
    """

    def __init__(self, view: Mapping[str, Any], names: Sequence[str]):
        """`names`: the legal actions as texts, in the order of the game's actions."""
        self.view = view
        self.names = tuple(names)
        # Read at once: a policy may do with its view what it likes.
        self.game: Game = GAMES[view["game"]]
        self.seats: int = view["seats"]
        self.seat: int = view["seat"]
        self.options: Mapping[str, Any] = view["options"]

    def __repr__(self) -> str:
        return f"<PolicyDecision of seat {self.seat} in {self.game.name}: {', '.join(self.names)}>"

    @cached_property
    def legal(self) -> list[int]:
        """The numbers of the legal actions, in the order of `names`."""
        return [*map(self.game.actions.code, self.names)]

    @cached_property
    def mask(self) -> NDArray[np.int8]:
        """1 for each legal action, 0 for all others."""
        mask = np.zeros(len(self.game.actions), np.int8)
        mask[self.legal] = 1
        return mask

    @cached_property
    def observation(self) -> NDArray[np.float32]:
        """All that the seat may know, as `Game.observation` lays it out."""
        game = self.game
        out = np.zeros(game.observation(self.seats, self.options).size, np.float32)
        # Servers of later versions may send fields that are not known here (SPEC 4).
        view = {field.name: self.view[field.name] for field in game.fields}
        game.imagine(view, random.Random(0)).observe(self.seat, out)
        return out
