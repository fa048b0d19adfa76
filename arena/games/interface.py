"""What a game is, to everything above it: referee, records, search bots, pages.

A game says what may be played and deals states; a state answers who owes a decision, what
is legal, what a seat may know, and how it ended. Neither reads a clock, a file or chance
that was not handed to it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from arena.games.errors import UnknownAction, did_you_mean
from arena.games.options import Option

# A view: text keys; whole numbers, text, truth values, nil, lists and maps of them.
View: TypeAlias = dict[str, Any]  # Any: every game has fields of its own

Until: TypeAlias = Literal["round", "match"]


@dataclass(frozen=True)
class Field:
    """One field of a view, as SPEC prints it."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True)
class Outcome:
    """How a match stands when it is over: more points, and lower places, are better."""

    scores: tuple[int, ...]
    places: tuple[int, ...]  # from 1; seats that tie share the best place of theirs
    ending: str  # how it ended, not who won: one of the game's `endings`


class Actions:
    """The actions of a game, in their fixed order: a small int inside, a short text outside."""

    def __init__(self, names: Sequence[str]):
        self.names = tuple(names)
        self._codes = {name: code for code, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._codes

    def name(self, code: int) -> str:
        """The text of an action."""
        if 0 <= code < len(self.names):
            return self.names[code]
        raise UnknownAction(
            f"actions are numbered 0 to {len(self.names) - 1}; got {code!r}",
            came=code,
            allowed=(),
            where="10.2",
        )

    def code(self, name: object) -> int:
        """The int of an action, from its text."""
        code = self._codes.get(name) if isinstance(name, str) else None
        if code is None:
            raise UnknownAction(
                f"no action of this game is called {name!r}." + did_you_mean(name, self._codes),
                came=name,
                allowed=(),
                where="10.2",
            )
        return code


class State(Protocol):
    """A match in progress. `apply` changes it in place; search bots `copy` it first."""

    def to_act(self) -> tuple[int, ...]:
        """All seats that owe a decision now, ascending; empty when the match is over."""

    def legal(self, seat: int) -> Sequence[int]:
        """What this seat may do now, each action once, in the game's order.

        Whatever sequence is at hand, and not to be changed; take `list` of it to compare.
        """

    def apply(self, seat: int, action: int) -> None:
        """Play it, or raise a RefusedAction and leave the state as it was."""

    def copy(self) -> State:
        """A state of its own; nothing done to one shows in the other."""

    def view(self, seat: int | None) -> View:
        """All that this seat may know; None is a spectator, who sees what is public."""

    def outcome(self) -> Outcome | None:
        """None until the match is over."""


class Game(Protocol):
    """A rule set."""

    @property
    def name(self) -> str: ...
    @property
    def seats(self) -> tuple[int, ...]:
        """The table sizes it is played at."""

    @property
    def options(self) -> tuple[Option, ...]: ...
    @property
    def actions(self) -> Actions: ...
    @property
    def fields(self) -> tuple[Field, ...]:
        """Every field of a view and what it means."""

    @property
    def endings(self) -> Mapping[str, str]:
        """The ways a match ends, and what each means."""

    def deal(self, seats: int, seed: bytes, options: Mapping[str, object] = {}) -> State:
        """The first state of a match; the same for the same arguments, on any machine."""

    def imagine(self, view: View, rng: random.Random) -> State:
        """A random full state that agrees with the view; its later chance comes from rng."""

    def playout(self, state: State, rng: random.Random, until: Until = "match") -> None:
        """Random legal play, in place, to the end of the round or of the match."""

    def narrate(self, before: View | None, now: View, seat: int | None) -> list[str]:
        """What happened between two views of a seat, or of a spectator, in lines for people;
        with nothing before: how the match opens."""

    def bound(self, seats: int, options: Mapping[str, object] = {}) -> int:
        """No match of this kind takes more decisions than this."""
