"""Imagined worlds of NOPE! come nearly as often as deals of single cards make them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from arena.games.nope import NOPE, swaps
from arena.games.nope.cards import KINDS, deck
from tests.games.chi_square import excess, most
from tests.games.nope_positions import position

EVERY_COLOUR = ("J", "X", "S*")

Turn = Sequence[Any]  # Any: numbers and texts, as a view has them
Hands = tuple[tuple[str, ...], ...]


def shows(card: str, colour: str) -> bool:
    """A card names its colours; T and S before them are a see-through and a select."""
    return card in EVERY_COLOUR or colour in card


def holds_set(cards: Sequence[str], count: int, colours: str) -> bool:
    return any(sum(shows(card, colour) for card in cards) >= count for colour in colours)


def without(cards: Sequence[str], drawn: int) -> list[tuple[str, ...]]:
    """What is left of the cards without so many of them, in every way."""
    return [*combinations(cards, max(len(cards) - drawn, 0))]


def fits(hand: Sequence[str], turns: Sequence[Turn]) -> bool:
    """The clues of SPEC 12.4 and 12.9, each by itself: a seat that says Nope held no set at the
    end of its turn, one that draws held none before, and one that then lays an action card alone
    held one after."""
    drawn = 0
    since: list[str] = []
    for _, count, colours, drew, *laid in reversed(turns):
        since += laid
        cards = [*hand, *since]
        later = drawn
        drawn += drew
        laid_alone = drew and 0 < len(laid) < count and not later
        if laid_alone and not holds_set(cards, count, colours):
            return False
        held_none_without = drawn if laid else later
        if (drew or not laid) and all(
            holds_set(some, count, colours) for some in without(cards, held_none_without)
        ):
            return False
    return True


def worlds(
    unseen: list[str], sizes: Sequence[int], recent: Sequence[Sequence[Turn]]
) -> Counter[Hands]:
    """Every deal to the hands that fits the clues, and its number of single cards' deals."""
    found = Counter[Hands]()

    def deal(left: tuple[int, ...], hands: Hands) -> None:
        seat = len(hands)
        if seat == len(sizes):
            found[hands] += 1
            return
        for own in combinations(left, sizes[seat]):
            hand = tuple(sorted(unseen[card] for card in own))
            if fits(hand, recent[seat]):
                deal(tuple(card for card in left if card not in own), (*hands, hand))

    deal((*range(len(unseen)),), ())
    return found


# By name: the cards that are unseen, the sizes of two hidden hands, and their last turns.
POSITIONS: dict[str, tuple[str, tuple[int, int], list[list[Turn]]]] = {
    "nothing known": ("R1 R1 G2 B1 RG1 J Y2 BY3", (3, 2), [[], []]),
    "nope on one": ("R1 R1 G2 B1 RG1 J Y2 BY3 B2", (3, 2), [[[3, 1, "R", 1]], []]),
    "nope twice": ("R1 G1 G2 B1 RG1 B2 Y2 BY3 J", (2, 2), [[[2, 1, "R", 1]], [[3, 1, "G", 1]]]),
    "nope on two": ("R1 R2 G2 B1 RG1 J RB2 BY3 G1", (3, 2), [[[3, 2, "RG", 1]], []]),
    "nope on three": (
        "R1 R2 G2 RB1 RG1 J RB2 BY3 G1",
        (4, 2),
        [[[2, 3, "RG", 1]], [[3, 2, "B", 1]]],
    ),
    "an action after a draw": ("R1 R2 G2 RB1 RG1 J RB2 BY3", (3, 2), [[[3, 2, "R", 1, "TR"]], []]),
    "a set after a draw": (
        "R1 B1 G2 Y2 RG1 J GB1 BY3 Y1",
        (3, 2),
        [[[3, 2, "RG", 1, "R3", "RG3"]], []],
    ),
}


def view_of(name: str) -> tuple[dict[str, Any], Counter[Hands]]:
    text, sizes, turns = POSITIONS[name]
    unseen = text.split()
    mine = ["Y1"]
    discard = Counter(KINDS[kind] for kind in deck(True))
    discard.subtract([*unseen, *mine])
    hands = [" ".join(unseen[: sizes[0]]), " ".join(unseen[sizes[0] : sum(sizes)])]
    pile = " ".join([*(discard - Counter(["GB2"])).elements(), "GB2"])
    rest = " ".join(unseen[sum(sizes) :])
    state = position([*mine, *hands], pile, draw_pile=rest)
    view = {**state.view(0), "turns": 3, "recent": [[], *turns]}
    return view, worlds(unseen, sizes, turns)


def drawn(view: dict[str, Any], draws: int) -> Counter[Hands]:
    rng = random.Random(draws)
    return Counter(
        tuple(
            tuple(sorted(KINDS[kind] for kind in hand))
            for hand in NOPE.imagine(view, rng).hands[1:]
        )
        for _ in range(draws)
    )


@pytest.mark.parametrize("name", POSITIONS)
def test_every_world_comes_about_as_often_as_it_should(name: str) -> None:
    view, found = view_of(name)
    assert len(found) > 50
    assert abs(excess(drawn(view, 5000), found)) < most(len(POSITIONS))


def test_without_swaps_the_same_test_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands dealt one after another are not equally likely, and this many draws show it."""
    monkeypatch.setattr(swaps, "SWAPS", 0)
    view, found = view_of("nope on two")
    assert excess(drawn(view, 5000), found) > 20
