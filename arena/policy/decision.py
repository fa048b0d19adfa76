"""A decision as a policy gets it: numbers and arrays, made from what a bot is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.games import GAMES, Game


class PolicyDecision:
    """One decision of one seat.

    `names`: the texts of the legal actions.
    `options`: all of the match. Everything is made from the view and the legal actions of a
    request, so that a policy is told nothing that a bot is not.
    """

    def __init__(self, view: Mapping[str, Any], names: Sequence[str]):
        """`names`: the legal actions as texts, in the order of the game's actions."""
        self.names = tuple(names)
        self.game: Game = GAMES[view["game"]]
        self.seats: int = view["seats"]
        self.seat: int = view["seat"]
        self.options: Mapping[str, Any] = {**view["options"]}
        # A policy may change `view`, `legal` and `options`: all others are made from these alone.
        self._view = view

    def __repr__(self) -> str:
        return f"<PolicyDecision of seat {self.seat} in {self.game.name}: {', '.join(self.names)}>"

    @cached_property
    def view(self) -> dict[str, Any]:
        """What the seat may know in words: a copy, with the types that the wire has."""
        copied: dict[str, Any] = msgspec.msgpack.decode(msgspec.msgpack.encode(self._view))
        return copied

    @cached_property
    def legal(self) -> list[int]:
        """The numbers of the legal actions, in the order of `names`."""
        return [*map(self.game.actions.code, self.names)]

    @cached_property
    def mask(self) -> NDArray[np.int8]:
        """1 for each legal action, 0 for all others."""
        mask = np.zeros(len(self.game.actions), np.int8)
        mask[[*map(self.game.actions.code, self.names)]] = 1
        return mask

    @cached_property
    def observation(self) -> NDArray[np.float32]:
        """All that the seat may know, as `Game.observation` lays it out."""
        out = np.zeros(_numbers(self.game.name, self.seats), np.float32)
        self.game.observe({**self._view}, out)
        return out


@cache
def _numbers(name: str, seats: int) -> int:
    """The count of numbers in an observation, which options do not change."""
    return GAMES[name].observation(seats).size
