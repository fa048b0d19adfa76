"""The interface of a game to everything above it: referee, records, search bots, pages.

A game names its actions, deals states, and tells everything that the rest of the system must
know about it. A state gives the seats that owe a decision, their legal actions, the view of each
seat, and the outcome. Neither reads a clock, a file or chance that was not handed to it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeAlias

from arena.games.chance import Chances
from arena.games.description import DEFAULTS, DecisionKind, Drawing, Options, Trials, ViewField
from arena.games.errors import UnknownAction
from arena.games.observation import Observation, Writable
from arena.games.options import Option
from arena.text import did_you_mean

# A view: text keys; whole numbers, text, truth values, nil, lists and maps of them.
View: TypeAlias = dict[str, Any]  # Any: every game has fields of its own

Until: TypeAlias = Literal["round", "match"]


@dataclass(frozen=True)
class Outcome:
    """The result of a match: more points, and lower places, are better."""

    scores: tuple[int, ...]
    places: tuple[int, ...]  # from 1; seats that tie share the best place of theirs
    ending: str  # one of the game's `endings`; the winner is told by the places


class Actions:
    """The actions of a game, in their fixed order: a small int inside, a short text outside."""

    def __init__(self, names: Sequence[str], groups: Mapping[str, range] | None = None):
        """`groups`: the ranges of numbers that mean alike, by name, which cover all actions."""
        self.names = tuple(names)
        self.groups: Mapping[str, range] = MappingProxyType(
            {**(groups or {"actions": range(len(self.names))})}
        )
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
    """A match in progress. `apply` changes it in place; search bots `copy` it first.

    `arena.games.derived.DerivedState` has the methods that need nothing but the others.
    """

    @property
    def game(self) -> Game:
        """The rule set that this is a match of."""

    @property
    def seats(self) -> int:
        """The number of players at the table."""

    def to_act(self) -> tuple[int, ...]:
        """All seats that owe a decision now, ascending; empty when the match is over.

        Several owe one where they choose at the same time. They may choose in any order; until the
        last has chosen, no view of another seat changes. A seat that owes several cards stays here
        until it has chosen them all.
        """

    def legal(self, seat: int) -> Sequence[int]:
        """The actions that this seat may choose now, each once, in the game's order.

        A sequence of any type, which the caller must not change; take `list` of it to compare.
        """

    def stage(self) -> tuple[int, str]:
        """The round, from 1, and the phase that everybody sees, as views have them.

        A game without rounds has one; one without phases has `play` and `over`.
        """

    def legal_actions(self, seat: int) -> list[int]:
        """The same as a list, which indexes an array of numpy."""

    def mask(self, seat: int, out: Writable) -> None:
        """Write 1 for each action that this seat may choose now, and 0 for all others."""

    def observe(self, seat: int, out: Writable) -> None:
        """Write all that this seat may know, as `Game.observation` lays it out."""

    def apply(self, seat: int, action: int) -> None:
        """Play the action, or raise a RefusedAction and leave the state as it was."""

    def refusal(self, seat: int, action: int) -> str | None:
        """The rule that this action breaks now, with its SPEC section; None if it is legal.

        A clause to follow "but", spoken to the seat: "green was led and you hold G2 (SPEC 11.4)".
        The seat reads it, so it tells nothing that the seat's view does not.
        """

    def copy(self) -> State:
        """Return a copy; a change of one state does not show in the other."""

    def view(self, seat: int | None) -> View:
        """All that this seat may know; None is a spectator: public things alone.

        Every game has the fields `game`, `seats`, `seat`, `options`, and `hand`: the texts of the
        cards that the seat holds, nil for a spectator. Programs show more fields where a view has
        them: `turn`, the seat that owes a decision alone, or nil; `round`, the number of the round
        from 1: when it changes, programs show the hands again; `hand_sizes` and `scores`, lists by
        seat.
        """

    def outcome(self) -> Outcome | None:
        """The result of the match; None until it is over."""


class Game(Protocol):
    """A rule set."""

    @property
    def name(self) -> str:
        """The name by which leagues, bots and `GAMES` know it."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The table sizes it is played at."""

    @property
    def options(self) -> tuple[Option, ...]:
        """Every option, with its values, its default and its meaning."""

    @property
    def actions(self) -> Actions:
        """All actions, in their fixed order, cards among them."""

    @property
    def fields(self) -> tuple[ViewField, ...]:
        """Every field of a view, with its meaning."""

    @property
    def endings(self) -> Mapping[str, str]:
        """The ways a match ends, each with its meaning."""

    @property
    def kinds(self) -> tuple[DecisionKind, ...]:
        """Every kind of decision that a seat may be asked for."""

    @property
    def trials(self) -> Trials:
        """Options for the matches of checks and tests."""

    @property
    def drawing(self) -> Drawing:
        """The drawing that shows a match on a page."""

    def kind_of(self, view: View, legal: Sequence[str]) -> str:
        """The name of the kind of a decision, from the request that asks for it."""

    def rounds(self, seats: int, options: Options = DEFAULTS) -> int | None:
        """The number of rounds of each match with these arguments, to divide points by; None if it
        differs from match to match, or if there are no rounds."""

    def deal(self, seats: int, seed: bytes, options: Options = DEFAULTS) -> State:
        """The first state of a match; the same for the same arguments, on any machine."""

    def deal_cards(
        self,
        seats: int,
        cards: Sequence[str],
        seed: bytes = b"",
        options: Options = DEFAULTS,
        dealer: int | None = None,
    ) -> State:
        """The first state of a match whose deck begins with these cards, by name.

        Hands are taken seat by seat, then the cards that the rules lay open, then the draw pile,
        all in one list of texts.
        Cards that are not given, and all later chance, come from the seed. `dealer`: the seat that
        deals, or begins, where no option says; None: by lot.
        """

    def chances(self, seats: int, options: Options = DEFAULTS) -> Chances:
        """The chance in the first deal, for `OpenDeal`."""

    def imagine(self, view: View, rng: random.Random) -> State:
        """A random full state that agrees with the view; its later chance comes from rng.

        Every deal of the unseen single cards that the view allows is as likely as every other,
        as near as the game's own module says. Equal views and states of rng give equal states.
        """

    def playout(self, state: State, rng: random.Random, until: Until = "match") -> None:
        """Random legal play, in place, to the end of the round or of the match."""

    def narrate(self, before: View | None, now: View, seat: int | None) -> list[str]:
        """The news between two views of a seat, or of a spectator, in lines for people; without
        a view before, the opening of the match.

        A seat is told each line of a spectator, at most with more at its end ("seat 1 draws" and
        "seat 1 draws R5"), so that a page with all seats open shows it once.
        """

    def observation(self, seats: int, options: Options = DEFAULTS) -> Observation:
        """The array that `observe` writes in such a match; options move only its bounds."""

    def observe(self, view: View, out: Writable) -> None:
        """Write what a seat may know, from its view: the same numbers as `State.observe`.

        Nothing is imagined, and only the fields that the numbers tell of are read: a view whose
        fields contradict each other may be written as it stands. BadView where one of them is
        missing or can be in no view.
        """

    def score_bounds(self, seats: int, options: Options = DEFAULTS) -> tuple[int, int]:
        """A number that no score of such a match falls below, and one that none exceeds."""

    def bound(self, seats: int, options: Options = DEFAULTS) -> int:
        """A number of decisions that no match of this kind exceeds."""

    # For tests, which prove with these that no card is lost and that nothing hidden is told.

    def deck(self, seats: int, options: Options = DEFAULTS) -> Sequence[str]:
        """Every card that such a match is played with, by name."""

    def cards(self, state: State) -> Sequence[str]:
        """Every card that is somewhere in this state, by name, in any order."""

    def redeal(self, state: State, seat: int | None, rng: random.Random) -> State:
        """A copy in which all that this seat cannot see is dealt anew; None is a spectator.

        Made from the state and not from a view, so that a view which tells too much is found.
        """
