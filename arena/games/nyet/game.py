"""A trick-taking rule set as a game (see `arena.games.interface.Game`)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import MappingProxyType

from arena.games.chance import draw
from arena.games.errors import BadSeats
from arena.games.interface import Field, State, Until, View
from arena.games.nyet.actions import TrickActions
from arena.games.nyet.imagine import imagine
from arena.games.nyet.narrate import narrate
from arena.games.nyet.past import Past
from arena.games.nyet.playout import playout
from arena.games.nyet.rulesets import RuleSet
from arena.games.nyet.state import TrickState
from arena.games.nyet.tables import Match, Table, Tables
from arena.games.nyet.views import FIELDS
from arena.games.options import OneOf, Option, SeatOrLot, WholeNumber, read_options

TARGET_CAP = 100  # rounds, when a match goes to a target and no cap is given [D7]

OPTIONS = (
    Option(
        "rounds",
        WholeNumber(off=True),
        None,
        f"the table's; {TARGET_CAP} with a `target`",
        "how many rounds a match has; with a `target`, at most so many",
    ),
    Option(
        "target",
        WholeNumber(off=True),
        None,
        "off",
        "the match ends after the first whole round in which anyone's total reaches this; "
        "then, too, most points win",
    ),
    Option(
        "scoring",
        OneOf(("full", "difference")),
        "full",
        "`full`",
        "`difference`: each member of the team with the higher round score gets the difference "
        "of the two, all others nothing",
    ),
    Option(
        "bonus",
        OneOf(("take", "score")),
        "take",
        "`take`",
        "what the bonus card doubles: its holder's own take inside the team's sum, or its "
        "holder's round score and nobody else's",
    ),
    Option("dealer", SeatOrLot(), None, "by lot", "who deals the first round"),
)

ENDINGS = MappingProxyType(
    {
        "rounds": "the last round was played",
        "target": "somebody's total reached the target",
    }
)


class TrickGame:
    """`nyet`, `njet` or `njet-it`."""

    def __init__(self, rules: RuleSet):
        self._tables = tables = Tables(rules)
        self._at = {seats: Table(tables, seats) for seats in rules.seats}
        self.name = rules.name
        self.seats = rules.seats
        self.options = OPTIONS
        self.actions: TrickActions = self._tables.actions
        self.fields: tuple[Field, ...] = FIELDS
        self.endings: Mapping[str, str] = ENDINGS

    def __repr__(self) -> str:
        return f"<game {self.name}>"

    def deal(self, seats: int, seed: bytes, options: Mapping[str, object] = {}) -> TrickState:
        state = TrickState()
        match = self.match(seats, seed, options)
        state.match = match
        state.start_round(Past(1, match.first_dealer, (0,) * seats, None))
        return state

    def imagine(self, view: View, rng: random.Random) -> TrickState:
        return imagine(self, view, rng)

    def playout(self, state: State, rng: random.Random, until: Until = "match") -> None:
        assert isinstance(state, TrickState)
        playout(state, rng, until)

    def narrate(self, before: View | None, now: View, seat: int | None) -> list[str]:
        return narrate(before, now, seat)

    def bound(self, seats: int, options: Mapping[str, object] = {}) -> int:
        match = self.match(seats, b"", options)
        rules = self._tables.rules
        given = seats * max(discard.cards for discard in rules.discards)
        team = 1 if seats > 2 else 0
        cards = seats * rules.cards_each[seats]
        return match.last_round * (match.table.tokens + team + given + cards)

    def match(self, seats: int, seed: bytes, options: Mapping[str, object]) -> Match:
        """Everything checked that a match is begun with."""
        tables = self._tables
        rules = tables.rules
        if isinstance(seats, bool) or seats not in rules.cards_each:
            sizes = ", ".join(map(str, rules.seats))
            raise BadSeats(
                f"{rules.name} is played by {sizes}; got {seats!r}",
                came=seats,
                allowed=rules.seats,
                where="11.1",
            )
        if not isinstance(seed, bytes):
            raise TypeError(f"a seed is bytes, got {type(seed).__name__}")
        values = read_options(rules.name, self.options, options, seats, "11.7")
        if values["rounds"] is None:
            values["rounds"] = TARGET_CAP if values["target"] else rules.rounds[seats]
        dealer = values["dealer"]
        if dealer is None:
            dealer = draw(seats, seed, "dealer")
        assert isinstance(dealer, int)
        return Match(self._at[seats], seed, values, dealer)
