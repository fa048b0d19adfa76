"""NOPE!, the knockout card game, as a game of the arena."""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import MappingProxyType

from arena.games.interface import Actions, Field, State, Until, View
from arena.games.nope import setup, views
from arena.games.nope.actions import ACTIONS
from arena.games.nope.imagine import imagine
from arena.games.nope.narrate import narrate
from arena.games.nope.playout import playout
from arena.games.nope.state import NopeState
from arena.games.options import Option, whole

# Draw, lay up to three cards, choose for a select.
MOST_DECISIONS_A_TURN = 5


class Nope:
    """The rule set `nope`."""

    @property
    def name(self) -> str:
        return views.NAME

    @property
    def seats(self) -> tuple[int, ...]:
        return setup.SEATS

    @property
    def options(self) -> tuple[Option, ...]:
        return setup.OPTIONS

    @property
    def actions(self) -> Actions:
        return ACTIONS

    @property
    def fields(self) -> tuple[Field, ...]:
        return views.FIELDS

    @property
    def endings(self) -> Mapping[str, str]:
        return ENDINGS

    def deal(self, seats: int, seed: bytes, options: Mapping[str, object] = {}) -> NopeState:
        """The first state of a match; the same for the same arguments, on any machine."""
        return setup.deal(seats, seed, options)

    def imagine(self, view: View, rng: random.Random) -> NopeState:
        """A random full state that agrees with the view; its later chance comes from rng."""
        return imagine(view, rng)

    def playout(self, state: State, rng: random.Random, until: Until = "match") -> None:
        """Random legal play, in place, to the end; a match is a single round."""
        assert isinstance(state, NopeState)
        playout(state, rng)

    def narrate(self, before: View | None, now: View, seat: int | None) -> list[str]:
        return narrate(before, now, seat)

    def bound(self, seats: int, options: Mapping[str, object] = {}) -> int:
        """No match takes more decisions: the turns', and one for a first open select."""
        turns = whole(setup.read(seats, options)["max_turns"])
        return MOST_DECISIONS_A_TURN * turns + 1


ENDINGS: Mapping[str, str] = MappingProxyType(
    {
        "last": "one player alone still held cards, and won",
        "turns": "the turn limit was reached: more cards in hand rank higher, then those who "
        "went out later",
    }
)

NOPE = Nope()
