"""The chance of a match as OpenSpiel walks through it: nodes before the first decision."""

from __future__ import annotations

from typing import Self

from arena.games import Game, Options, State
from arena.games.open_deal import OpenDeal
from arena.games.research import RESEARCH
from arena.rl.spiel_parameters import CARDS, CHANCES

# Bytes of the seed that chance draws, each at a node of its own.
SEED_BYTES = 4
BYTES = 256


class ChanceSteps:
    """A deal in progress. `chance`: `seed` draws a seed, from which all is dealt; `cards` deals
    card by card, and draws a seed first only where more is dealt in the middle of the match."""

    def __init__(self, game: Game, seats: int, options: Options, chance: str):
        if chance not in CHANCES:
            raise ValueError(f"chance is {' or '.join(CHANCES)}; got {chance!r}")
        self._match = game, seats, options
        self._has_cards = chance == CARDS
        is_whole = game.name in RESEARCH or game.rounds(seats, options) == 1
        self._seed_left = 0 if self._has_cards and is_whole else SEED_BYTES
        self._seed = b""
        self._deal: OpenDeal | None = None
        self._told: tuple[str, ...] = ()
        self._begin_cards()

    def __repr__(self) -> str:
        return f"<ChanceSteps of {self._match[0]!r}, {self._seed_left} bytes to come>"

    def _begin_cards(self) -> None:
        if self._has_cards and not self._seed_left:
            self._deal = OpenDeal(*self._match, self._seed)
            # Asked here, because only the first step can be the lot of who deals.
            self._is_dealer_next = len(self._match[0].chances(*self._match[1:]).dealers) > 1

    @property
    def most_steps(self) -> int:
        """The most steps of a whole deal; asked before the first."""
        if not self._has_cards:
            return self._seed_left
        game, seats, options = self._match
        dealers, groups = game.chances(seats, options)
        return self._seed_left + (len(dealers) > 1) + sum(groups)

    @property
    def most_outcomes(self) -> int:
        """A number that no outcome of a step reaches; asked before the first."""
        game, seats, options = self._match
        codes = [game.actions.code(card) for card in game.deck(seats, options)]
        cards = max(seats, *codes) + 1 if self._has_cards else 0
        return max(cards, BYTES if self._seed_left else 0)

    def outcomes(self) -> list[tuple[int, float]]:
        """Every outcome of the next step, ascending, with its probability; none after the last."""
        if self._seed_left:
            return [(byte, 1 / BYTES) for byte in range(BYTES)]
        if self._deal is None:
            return []
        return [(card, float(chance)) for card, chance in self._deal.outcomes()]

    def apply(self, outcome: int) -> None:
        """Let this outcome come."""
        self._told += (self.name(outcome),)
        if self._seed_left:
            self._seed += bytes((outcome,))
            self._seed_left -= 1
            self._begin_cards()
        else:
            assert self._deal is not None
            self._deal.apply(outcome)
            self._is_dealer_next = False

    def name(self, outcome: int) -> str:
        """Return an outcome of the next step in words."""
        if self._seed_left:
            return f"seed {outcome:02x}"
        if self._is_dealer_next:
            return f"dealer {outcome}"
        return f"deal {self._match[0].actions.name(outcome)}"

    def state(self) -> State:
        """Return the match, once all is dealt."""
        game, seats, options = self._match
        return game.deal(seats, self._seed, options) if self._deal is None else self._deal.state()

    def __str__(self) -> str:
        return "dealing: " + ", ".join(self._told)

    def __deepcopy__(self, memo: object) -> Self:
        twin = type(self).__new__(type(self))
        vars(twin).update(vars(self))
        twin._deal = None if self._deal is None else self._deal.copy()
        return twin
