"""The first deal of a match as chance steps with known probabilities, for game trees."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Self

from arena.games.chance import check_seed
from arena.games.derived import DerivedGame, dealer_number, plain
from arena.games.description import DEFAULTS, Options
from arena.games.errors import BadDeal
from arena.games.interface import Game, State
from arena.games.options import whole


class OpenDeal:
    """A deal in progress: first the dealer, where it is drawn by lot, then card by card.

        deal = OpenDeal(game, seats, options)
        while outcomes := deal.outcomes():
            deal.apply(outcome)          # one of them
        state = deal.state()

    The first outcome is a seat, the dealer, unless an option or `dealer` says it. Each one after it
    is the number of a card: that of the action that plays it. The cards of a hand come in ascending
    order, so that each hand is dealt in one way: its probability is that of a shuffled deck, and
    that of its first card is the chance that this is the lowest card of the hand. Chance after this
    deal comes from the seed; a game tree is whole where there is none, as with one round, or in
    `RESEARCH`.
    """

    __slots__ = ("_cards", "_counts", "_dealer", "_groups", "_options", "_seed", "game", "seats")

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Options = DEFAULTS,
        seed: bytes = b"",
        dealer: int | None = None,
    ):
        """`dealer`: the seat that deals, if it is not to be drawn."""
        if not isinstance(game, DerivedGame):
            raise TypeError(f"a deal is of a game, such as GAMES['nyet']; got {game!r}")
        dealers, self._groups = game.chances(seats, options)
        check_seed(seed)
        self.game = game
        self.seats = whole(seats)
        self._options = {**options}  # of this deal alone, and pickled with it
        self._seed = seed
        given = dealer_number(dealer, self.seats)
        self._dealer = dealers[0] if len(dealers) == 1 else given
        self._cards: tuple[int, ...] = ()  # dealt so far
        codes = [game.actions.code(card) for card in game.deck(seats, options)]
        self._counts = tuple((code, codes.count(code)) for code in sorted({*codes}))

    def __repr__(self) -> str:
        dealer = "dealer by lot" if self._dealer is None else f"dealer {self._dealer}"
        return f"<OpenDeal of {self.game.name}, {dealer}, {len(self._cards)} cards dealt>"

    def copy(self) -> Self:
        """Return a copy; a change of one does not show in the other."""
        twin = type(self).__new__(type(self))
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def outcomes(self) -> list[tuple[int, Fraction]]:
        """Every outcome of the next step, ascending, with its probability; none after the last."""
        if self._dealer is None:
            return [(seat, Fraction(1, self.seats)) for seat in range(self.seats)]
        size, begun = self._group()
        if not size:
            return []
        left = [
            (code, count - self._cards[: len(self._cards) - len(begun)].count(code))
            for code, count in self._counts
        ]
        return next_cards(left, size, begun)

    def apply(self, outcome: int) -> None:
        """Let this outcome come; BadDeal if it cannot."""
        allowed = [each for each, _ in self.outcomes()]
        number = plain(outcome)
        if number is None or number not in allowed:
            raise BadDeal(
                f"{outcome!r} is no outcome of this step; there are: {allowed}",
                came=outcome,
                allowed=allowed,
                where="10.1",
            )
        if self._dealer is None:
            self._dealer = number
        else:
            self._cards += (number,)

    def state(self) -> State:
        """The first state of the match, once all is dealt."""
        if self.outcomes():
            raise BadDeal("cards are still to be dealt", came=None, allowed=(), where="10.1")
        names = [self.game.actions.name(code) for code in self._cards]
        return self.game.deal_cards(self.seats, names, self._seed, self._options, self._dealer)

    def _group(self) -> tuple[int, tuple[int, ...]]:
        """The size of the group that is being dealt, and its cards so far; 0: all are dealt."""
        start = 0
        for size in self._groups:
            if len(self._cards) < start + size:
                return size, self._cards[start:]
            start += size
        return 0, ()


def next_cards(
    left: Sequence[tuple[int, int]], size: int, begun: Sequence[int]
) -> list[tuple[int, Fraction]]:
    """The next card of a group of `size` drawn from these cards, which come in ascending order.

    `left`: every kind with the copies that no earlier group has; `begun`: the cards so far. Copies
    are different cards to a shuffle, so a group is as likely as the number of ways to take it.
    """
    last = begun[-1] if begun else -1
    held = begun.count(last) if begun else 0
    need = size - len(begun)
    above = [sum(count for kind, count in left if kind > each) for each, _ in left]
    ways = {}
    for (kind, count), higher in zip(left, above, strict=True):
        if kind == last:
            # Ways to hold at least one more of it, of all that hold as many as are there.
            ways[kind] = sum(
                comb(count, held + more) * comb(higher, need - more) for more in range(1, need + 1)
            )
        elif kind > last:
            most = sum(comb(count, more) * comb(higher, need - more) for more in range(1, need + 1))
            copies = dict(left).get(last, 0)
            ways[kind] = comb(copies, held) * most
    total = sum(ways.values())
    return [(kind, Fraction(number, total)) for kind, number in ways.items() if number]
