"""NOPE!, the knockout card game, as a game of the arena."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from arena.games.chance import Chances
from arena.games.derived import DerivedGame, check_rng, check_until
from arena.games.description import (
    DEFAULTS,
    DecisionKind,
    Drawing,
    Options,
    Trials,
    ViewField,
)
from arena.games.interface import Actions, State, Until, View
from arena.games.nope import about, insides, setup, views
from arena.games.nope.actions import ACTIONS
from arena.games.nope.cards import named
from arena.games.nope.imagine import imagine
from arena.games.nope.narrate import narrate
from arena.games.nope.observe import observation, observed, seen_in
from arena.games.nope.rules import NOPE_RULES, NOPE_SMALL_RULES, NopeRules
from arena.games.nope.state import NOBODY, NopeState
from arena.games.observation import Observation, Observed
from arena.games.options import Option, whole

# Draw, lay up to three cards, choose for a select.
MOST_DECISIONS_A_TURN = 5


class Nope(DerivedGame):
    """The rule set `nope`."""

    def __init__(self, rules: NopeRules):
        self.rules = rules
        self.name = rules.name
        self.seats = rules.seats
        self.options: tuple[Option, ...] = setup.options_of(rules)

    def __repr__(self) -> str:
        return f"<game {self.name}>"

    @property
    def actions(self) -> Actions:
        return ACTIONS

    @property
    def fields(self) -> tuple[ViewField, ...]:
        return views.FIELDS

    @property
    def endings(self) -> Mapping[str, str]:
        return about.ENDINGS

    @property
    def kinds(self) -> tuple[DecisionKind, ...]:
        return about.DECISIONS

    @property
    def trials(self) -> Trials:
        return about.TRIALS

    @property
    def drawing(self) -> Drawing:
        return about.DRAWING

    def kind_of(self, view: View, legal: Sequence[str]) -> str:
        return about.kind_of(view, legal)

    def rounds(self, seats: int, options: Options = DEFAULTS) -> int | None:
        """A match is not played in rounds."""
        return None

    def deal(self, seats: int, seed: bytes, options: Options = DEFAULTS) -> NopeState:
        """The first state of a match; the same for the same arguments, on any machine."""
        return setup.deal(self, seats, seed, options)

    def deal_cards(
        self,
        seats: int,
        cards: Sequence[str],
        seed: bytes = b"",
        options: Options = DEFAULTS,
        dealer: int | None = None,
    ) -> NopeState:
        return setup.deal(self, seats, seed, options, cards, dealer)

    def chances(self, seats: int, options: Options = DEFAULTS) -> Chances:
        """Hands, the first open card, then the draw pile card by card."""
        sizes = setup.hand_sizes(setup.read(self, seats, options), seats)
        left = len(self.deck(seats, options)) - sum(sizes)
        return Chances((*range(seats),), (*sizes, *(1,) * left))

    def imagine(self, view: View, rng: random.Random) -> NopeState:
        """A random full state that agrees with the view; its later chance comes from rng."""
        check_rng(rng)
        self.check_view(view, "12.11")
        return imagine(self, view, rng)

    def restored(self, *saved: Any) -> NopeState:
        """A pickled state again."""
        return setup.restore(self, *saved)

    def playout(self, state: State, rng: random.Random, until: Until = "match") -> None:
        """Random legal play, in place, to the end; a match is a single round."""
        check_rng(rng)
        check_until(until)
        state = self.own(state, NopeState)
        draw = rng.random
        play = state.play  # no checks: only legal actions are drawn
        while state.seat != NOBODY:
            legal = state.legal_now
            count = len(legal)
            # A float times a small number is even enough, and twice as fast as randrange.
            play(legal[int(draw() * count)] if count > 1 else legal[0])

    def narrate(self, before: View | None, now: View, seat: int | None) -> list[str]:
        return narrate(before, now, seat)

    def deck(self, seats: int, options: Options = DEFAULTS) -> Sequence[str]:
        return named(self.rules.deck(setup.read(self, seats, options)["actions"] is True))

    def cards(self, state: State) -> Sequence[str]:
        return insides.cards(self.own(state, NopeState))

    def redeal(self, state: State, seat: int | None, rng: random.Random) -> NopeState:
        check_rng(rng)
        return insides.redeal(self.own(state, NopeState), seat, rng)

    def observation(self, seats: int, options: Options = DEFAULTS) -> Observation:
        table = setup.table_for(self, seats, 0, b"", setup.read(self, seats, options))
        return observation(table, len(self.deck(seats, options)))

    def observed(self, view: View) -> Observed:
        return observed(seen_in(view))

    def score_bounds(self, seats: int, options: Options = DEFAULTS) -> tuple[int, int]:
        """A score is the number of cards held."""
        return 0, len(self.deck(seats, options))

    def bound(self, seats: int, options: Options = DEFAULTS) -> int:
        """The most decisions a match can take: those of all turns, and one for a first select."""
        turns = whole(setup.read(self, seats, options)["max_turns"])
        return MOST_DECISIONS_A_TURN * turns + 1


NOPE = Nope(NOPE_RULES)
NOPE_SMALL = Nope(NOPE_SMALL_RULES)
