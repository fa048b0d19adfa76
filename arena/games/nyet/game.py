"""A trick-taking rule set as a game (see `arena.games.interface.Game`)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from arena.games.chance import Chances, check_seed, draw, given_order
from arena.games.derived import DerivedGame, check_rng, check_until, dealer_number, plain
from arena.games.description import DEFAULTS, Options, ViewField
from arena.games.errors import BadSeats
from arena.games.interface import State, Until, View
from arena.games.nyet import about, insides
from arena.games.nyet.about import ENDINGS, OPTIONS, TARGET_CAP
from arena.games.nyet.actions import TrickActions
from arena.games.nyet.imagine import imagine
from arena.games.nyet.narrate import narrate
from arena.games.nyet.observe import SeenRound, new_board, observation, observed
from arena.games.nyet.past import EarlierRounds
from arena.games.nyet.playout import playout
from arena.games.nyet.position import deal_round, start_round
from arena.games.nyet.rulesets import RuleSet
from arena.games.nyet.saved import restore
from arena.games.nyet.scoring import round_bounds
from arena.games.nyet.state import TrickState
from arena.games.nyet.tables import RuleTables, TrickMatch, TrickTable
from arena.games.nyet.views import FIELDS
from arena.games.observation import Observation, Observed
from arena.games.options import Option, read_options


class TrickGame(DerivedGame):
    """One of the rule sets as a game."""

    def __init__(self, rules: RuleSet):
        self._tables = tables = RuleTables(rules)
        self._at = {seats: TrickTable(tables, seats) for seats in rules.seats}
        self.name = rules.name
        self.seats = rules.seats
        self.options: tuple[Option, ...] = OPTIONS
        self.actions: TrickActions = self._tables.actions
        self.fields: tuple[ViewField, ...] = FIELDS
        self.endings: Mapping[str, str] = ENDINGS
        self.kinds = about.kinds(rules)
        self.trials = about.TRIALS
        self.drawing = about.drawing(rules)

    def __repr__(self) -> str:
        return f"<game {self.name}>"

    def kind_of(self, view: View, legal: Sequence[str]) -> str:
        return about.kind_of(self._tables.rules, view, legal)

    def rounds(self, seats: int, options: Options = DEFAULTS) -> int | None:
        match = self.match(seats, b"", options)
        return match.last_round if match.options["target"] is None else None

    def deal(self, seats: int, seed: bytes, options: Options = DEFAULTS) -> TrickState:
        state, past = self._before_deal(seats, seed, options)
        start_round(state, past)
        return state

    def deal_cards(
        self,
        seats: int,
        cards: Sequence[str],
        seed: bytes = b"",
        options: Options = DEFAULTS,
        dealer: int | None = None,
    ) -> TrickState:
        state, past = self._before_deal(seats, seed, options, dealer)
        order = given_order(self.deck(seats, options), cards, seed)
        deal_round(state, past, self._tables.deck.kinds_of(order))
        return state

    def chances(self, seats: int, options: Options = DEFAULTS) -> Chances:
        """The hands; of cards that lie aside nobody ever sees anything."""
        match = self.match(seats, b"", options)
        dealer = match.options["dealer"]
        dealers = (dealer,) if isinstance(dealer, int) else range(match.seats)
        return Chances((*dealers,), match.table.full_hands)

    def _before_deal(
        self, seats: int, seed: bytes, options: Options, dealer: int | None = None
    ) -> tuple[TrickState, EarlierRounds]:
        """A state without cards, and what lies before its first round.

        `dealer`: the seat that deals, instead of the lot, where no option says.
        """
        state = TrickState()
        state.match = match = self.match(seats, seed, options)
        given = dealer_number(dealer, match.seats)
        first = match.options["dealer"]
        if not isinstance(first, int):
            first = draw(match.seats, seed, "dealer") if given is None else given
        return state, EarlierRounds(1, first, (0,) * match.seats, None)

    def imagine(self, view: View, rng: random.Random) -> TrickState:
        check_rng(rng)
        self.check_view(view, "11.11")
        return imagine(self, view, rng)

    def restored(self, *saved: Any) -> TrickState:
        """A pickled state again."""
        state = TrickState()
        restore(state, self, *saved)
        return state

    def playout(self, state: State, rng: random.Random, until: Until = "match") -> None:
        check_rng(rng)
        check_until(until)
        playout(self.own(state, TrickState), rng, until)

    def narrate(self, before: View | None, now: View, seat: int | None) -> list[str]:
        return narrate(before, now, seat)

    def deck(self, seats: int, options: Options = DEFAULTS) -> Sequence[str]:
        names = self._tables.deck.names
        return [names[kind] for kind in self._at[seats].cards]

    def cards(self, state: State) -> Sequence[str]:
        return insides.cards(self.own(state, TrickState))

    def redeal(self, state: State, seat: int | None, rng: random.Random) -> TrickState:
        check_rng(rng)
        return insides.redeal(self.own(state, TrickState), seat, rng)

    def observation(self, seats: int, options: Options = DEFAULTS) -> Observation:
        return observation(self.match(seats, b"", options), *self.score_bounds(seats, options))

    def observed(self, view: View) -> Observed:
        seen = SeenRound(self.match(view["seats"], b"", {"rounds": view["rounds"]}), view)
        seat = view["seat"]
        return observed(seen, seat, new_board(seen, seat))

    def score_bounds(self, seats: int, options: Options = DEFAULTS) -> tuple[int, int]:
        match = self.match(seats, b"", options)
        rules, table = self._tables.rules, match.table
        lowest, highest = round_bounds(
            table.cards_each,
            len(table.cards.translate(None, match.deck.high)),
            rules.points,
            has_bonus=seats in rules.bonus_seats,
            scoring=match.options["scoring"],
        )
        return lowest * match.last_round, highest * match.last_round

    def bound(self, seats: int, options: Options = DEFAULTS) -> int:
        match = self.match(seats, b"", options)
        rules = self._tables.rules
        given = seats * max(discard.cards for discard in rules.discards)
        team = 1 if seats > 2 else 0
        cards = seats * rules.cards_each[seats]
        return match.last_round * (match.table.tokens + team + given + cards)

    def match(self, seats: int, seed: bytes, options: Options) -> TrickMatch:
        """The constants of a match, after checking seats, seed and options."""
        tables = self._tables
        rules = tables.rules
        size = plain(seats)
        if size is None or size not in rules.cards_each:
            sizes = ", ".join(map(str, rules.seats))
            raise BadSeats(
                f"{rules.name} is played by {sizes}; got {seats!r}",
                came=seats,
                allowed=rules.seats,
                where="11.1",
            )
        check_seed(seed)
        values = read_options(rules.name, self.options, options, size, "11.7")
        if values["rounds"] is None:
            values["rounds"] = TARGET_CAP if values["target"] else rules.rounds[size]
        return TrickMatch(self, self._at[size], seed, values)
