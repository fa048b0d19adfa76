"""What is public about a hidden hand: what it cannot hold, and what it must (SPEC 12.4, 12.9).

Who said Nope holds no set for that demand until they draw again. Who drew held none before.
Who drew and then laid an action card alone held a set at that moment, and so does who has
drawn and not said Nope. The last turns of a seat, read backwards, say all this.

Each clue is certain in itself. Where a seat drew later, a clue asks only that some of its
cards can be the drawn ones; that two clues may take different cards for the same draw is
overlooked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.games.nope.cards import KIND_OF, ONE, SHOWS, colour_bits
from arena.games.nope.demand import DEMANDS, Demand
from arena.games.nope.holdings import ANOTHER
from arena.games.nope.legality import sets_held

# A hand of which more cards than this may be newer than the clue is hardly narrowed by it.
MOST_DRAWN_SINCE = 2


@dataclass(frozen=True, slots=True)
class Clue:
    """Of the hand with the cards `laid` since, less some cards `drawn` since."""

    demand: Demand
    laid: bytes
    drawn: int = 0

    def holds_set(self, hand: bytes) -> bool:
        """Whether the hand then held a set, if nothing was drawn since."""
        return bool(sets_held(lanes(hand + self.laid), self.demand))


@dataclass(frozen=True, slots=True)
class Clues:
    """All that is known of one hand."""

    no_set: tuple[Clue, ...] = ()
    a_set: tuple[Clue, ...] = ()

    def tightness(self) -> int:
        """How few cards fit, roughly: the smaller, the fewer."""
        return min(
            (4 * clue.demand.count - len(clue.demand.colours) + 4 * clue.drawn)
            for clue in (*self.no_set, _NO_CLUE)
        )


_NO_CLUE = Clue(DEMANDS[3, 1], b"", MOST_DRAWN_SINCE)


def lanes(cards: bytes) -> int:
    """How many of the cards show each colour (holdings.py)."""
    return sum(map(ANOTHER.__getitem__, cards))


def fill(hand: bytes, left: bytes, size: int, clues: Clues, colours: int) -> tuple[bytes, bytes]:
    """Add cards from the front of `left` that may be in the hand, until it has this size.

    Only cards that show one of these colours are taken. What was not taken is given back. A
    card that may not be added now may not be added later either, so one look is enough.
    """
    counted = [
        (clue, clue.demand.tops, lanes(hand + clue.laid) + clue.demand.reach)
        for clue in clues.no_set
    ]
    refused = {kind for kind in set(left) if not SHOWS[kind] & colours}
    passed = []
    looked = 0
    for kind in left:
        if len(hand) >= size:
            break
        looked += 1
        if kind not in refused:
            with_card = [(clue, tops, sum_ + ANOTHER[kind]) for clue, tops, sum_ in counted]
            if all(
                not sum_ & tops or (clue.drawn and _may_hold_none(clue, hand + ONE[kind]))
                for clue, tops, sum_ in with_card
            ):
                counted = with_card
                hand += ONE[kind]
                continue
            refused.add(kind)
        passed.append(kind)
    return hand, bytes(passed) + left[looked:]


def _may_hold_none(clue: Clue, hand: bytes) -> bool:
    """Whether some of the cards can be the drawn ones, so that there was no set before."""
    cards = hand + clue.laid
    return _can_part_with(clue.drawn, cards, lanes(cards), clue.demand)


def _can_part_with(drawn: int, cards: bytes, counted: int, demand: Demand) -> bool:
    if not sets_held(counted, demand):
        return True
    return drawn > 0 and any(
        _can_part_with(drawn - 1, cards.replace(ONE[kind], b"", 1), counted - ANOTHER[kind], demand)
        for kind in set(cards)
    )


def read_clues(turns: Sequence[Sequence[int | str]], now: Demand | None, drew: int) -> Clues:
    """From a seat's last turns, as a view has them, and the turn it is in the middle of.

    `now` is the demand it has drawn for and not yet answered, with `drew` cards; else None.
    """
    no_set: list[Clue] = []
    a_set: list[Clue] = []
    laid = b""
    drawn = 0
    if now is not None:
        a_set.append(Clue(now, b""))
        no_set.append(Clue(now, b"", drew))
        drawn = drew
    for _, count, colours, drew_then, *rest in reversed(turns):
        demand = DEMANDS[int(count), colour_bits(str(colours))]
        cards = bytes(KIND_OF[str(name)] for name in rest if name in KIND_OF)
        laid += cards
        before = drawn + int(drew_then)
        if not cards:
            no_set.append(Clue(demand, laid, drawn))
        elif drew_then:
            no_set.append(Clue(demand, laid, before))
            if len(cards) < demand.count and not drawn:
                a_set.append(Clue(demand, laid))
        drawn = before
    return Clues(
        tuple(clue for clue in no_set if clue.drawn <= MOST_DRAWN_SINCE),
        tuple(a_set),
    )
