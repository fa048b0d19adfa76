"""Public knowledge about a hidden hand: sets of cards it cannot or must hold (SPEC 12.4, 12.9).

A player that says Nope holds no set for that demand until the next draw. One that draws held none
before. One that draws and then lays an action card alone held a set at that moment. One that has
drawn and not said Nope holds a set now. The clues are read from the last turns of a seat,
backwards.

Each clue is certain in itself. If a seat drew later, a clue asks only that some of its cards can
be the drawn ones; two clues may take different cards for the same draw, which is not checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.games.nope.cards import KIND_OF, ONE, SHOWS, colour_bits
from arena.games.nope.demand import DEMANDS, Demand
from arena.games.nope.holdings import ANOTHER
from arena.games.nope.legality import sets_held

# A clue is dropped if more cards than this were drawn since: it hardly narrows the hand then.
MOST_DRAWN_SINCE = 2


def lanes(cards: bytes) -> int:
    """The number of cards that show each colour, in lanes (holdings.py)."""
    return sum(map(ANOTHER.__getitem__, cards))


@dataclass(frozen=True, slots=True)
class Clue:
    """A clue about an earlier hand: since then the cards `laid` left it and `drawn` cards came."""

    demand: Demand
    laid: bytes
    drawn: int = 0
    to_hold: int = field(init=False)  # added to the hand in lanes: its tops are set for a set

    def __post_init__(self) -> None:
        object.__setattr__(self, "to_hold", lanes(self.laid) + self.demand.reach)

    def holds_set(self, hand: bytes) -> bool:
        """True if the hand then held a set, and nothing was drawn since."""
        return bool(sets_held(lanes(hand + self.laid), self.demand))


@dataclass(frozen=True, slots=True)
class Clues:
    """All that is known of one hand."""

    no_set: tuple[Clue, ...] = ()
    a_set: tuple[Clue, ...] = ()

    @property
    def says_nothing(self) -> bool:
        """True if any cards may be in the hand."""
        return not self.no_set and not self.a_set

    def allow(self, hand: bytes, counted: int) -> bool:
        """True if this may be the hand; `counted` are its cards in lanes."""
        for clue in self.no_set:
            if counted + clue.to_hold & clue.demand.tops and not (
                clue.drawn and _may_hold_none(clue, hand)
            ):
                return False
        return all(counted + clue.to_hold & clue.demand.tops for clue in self.a_set)

    def tightness(self) -> int:
        """A rough measure of the cards that fit: the smaller, the fewer."""
        return min(
            (4 * clue.demand.count - len(clue.demand.colours) + 4 * clue.drawn)
            for clue in (*self.no_set, _NO_CLUE)
        )


_NO_CLUE = Clue(DEMANDS[3, 1], b"", MOST_DRAWN_SINCE)


def fill(hand: bytes, left: bytes, size: int, clues: Clues, colours: int) -> tuple[bytes, bytes]:
    """Add cards from the front of `left` that may be in the hand, until it has this size.

    Only cards that show one of these colours are taken; the others are given back. A card that
    may not be added now may not be added later either, so one look is enough.
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
    """True if some of the cards can be the drawn ones, so that there was no set before."""
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
    """Read the clues from a seat's last turns, as a view has them, and from its open turn.

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
