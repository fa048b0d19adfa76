"""The rules by which the rest of a round is played."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import pytest

from arena.games import GAMES
from arena.games.nyet.past import LOOT, LOOT_BITS
from arena.games.nyet.state import TrickState
from arena.games.nyet.terms import Ladder
from arena.judge.rollout import (
    OpenRound,
    follow_high,
    follow_low,
    lead_high,
    lead_low,
    play_out,
)
from arena.judge.tricks import shown_void, worst_card
from tests.games.trick_positions import play, table

SEATS = 4
TEAM = (True, False, True, False)
GAME = GAMES["nyet"]

Lead: TypeAlias = Callable[[OpenRound, int, Sequence[int]], int | None]
Follow: TypeAlias = Callable[[OpenRound, int, int, int, int, Sequence[int]], int]


def ladder_of(trump: str = "R", supertrump: str = "G") -> Ladder:
    state = table("nyet", ("B1", "B2", "B3", "B4"), trump=trump, supertrump=supertrump)
    assert state.terms is not None
    return state.terms.trumps.ladder


def rungs(ladder: Ladder, cards: str) -> list[int]:
    return sorted(ladder.rung[GAME.actions.code(card)] for card in cards.split())


def laid(ladder: Ladder, hands: Sequence[Sequence[int]], void: Sequence[int] = ()) -> OpenRound:
    suits: list[list[list[int]]] = [[[] for _ in hands] for _ in ladder.others]
    for seat, hand in enumerate(hands):
        for rung in sorted(hand):
            suits[ladder.suit[rung]][seat].append(rung)
    return OpenRound(ladder, TEAM, suits, [*(void or [0] * SEATS)])


def of(ladder: Ladder, *hands: str) -> OpenRound:
    return laid(ladder, [rungs(ladder, hand) for hand in hands])


def named(ladder: Ladder, rung: int | None) -> str:
    assert rung is not None
    return GAME.actions.name(ladder.kind[rung])


def dealt_anew(hands: list[list[int]], seat: int, rng: random.Random) -> list[list[int]]:
    """The same hand for this seat, and the cards of the others dealt anew."""
    others = [card for other, hand in enumerate(hands) if other != seat for card in hand]
    rng.shuffle(others)
    return [
        hand if other == seat else [others.pop() for _ in hand] for other, hand in enumerate(hands)
    ]


def cases() -> Iterator[tuple[Ladder, list[list[int]], random.Random]]:
    ladder = ladder_of()
    for seed in range(60):
        rng = random.Random(seed)
        cards = rng.sample(range(len(ladder.suit)), SEATS * rng.randint(2, 9))
        each = len(cards) // SEATS
        yield ladder, [cards[start : start + each] for start in range(0, len(cards), each)], rng


@pytest.mark.parametrize("rule", [lead_high, lead_low])
def test_a_lead_does_not_depend_on_the_hands_of_others(rule: Lead) -> None:
    for ladder, hands, rng in cases():
        again = dealt_anew(hands, 1, rng)
        assert rule(laid(ladder, hands), 1, (2, 3, 0)) == rule(laid(ladder, again), 1, (2, 3, 0))


@pytest.mark.parametrize("rule", [follow_high, follow_low])
def test_a_card_that_follows_does_not_depend_on_the_hands_of_others(rule: Follow) -> None:
    for ladder, hands, rng in cases():
        best = rng.randrange(len(ladder.suit))
        led = ladder.suit[best]
        void = [0, 0, 1 << led, 0] if rng.random() < 0.5 else [0] * SEATS
        found = {
            rule(laid(ladder, each, void), led, 1, best, 0, (2, 3))
            for each in (hands, dealt_anew(hands, 1, rng))
        }
        assert len(found) == 1


@pytest.mark.parametrize("is_positive", [True, False])
def test_every_card_is_played_once_and_every_trick_is_taken(is_positive: bool) -> None:
    for ladder, hands, _ in cases():
        this = laid(ladder, hands)
        takes = play_out(this, 0, (), is_positive=is_positive)
        assert len(takes) == len(hands[0])
        assert this.sizes == [0] * SEATS
        assert not any(this.out)
        lows = sum(ladder.low[card] for hand in hands for card in hand)
        assert sum(take & LOOT for take in takes) <= lows


def test_the_last_to_play_takes_with_the_cheapest_card_that_does() -> None:
    ladder = ladder_of()
    this = of(ladder, "Y2", "Y3", "Y4", "B5 B9 B12 Y13")
    (best,) = rungs(ladder, "B7")
    assert named(ladder, follow_high(this, ladder.suit[best], 3, best, 2, ())) == "B9"


def test_who_cannot_take_throws_the_smallest_card_that_is_no_loot() -> None:
    ladder = ladder_of()
    this = of(ladder, "Y2", "Y3", "Y4", "B1 B2 B5")
    (best,) = rungs(ladder, "B7")
    assert named(ladder, follow_high(this, ladder.suit[best], 3, best, 2, ())) == "B2"


def test_a_low_card_goes_on_a_trick_that_a_teammate_takes() -> None:
    ladder = ladder_of()
    this = of(ladder, "Y2", "Y3", "Y4", "B1 B2 B13")
    (best,) = rungs(ladder, "B7")
    assert named(ladder, follow_high(this, ladder.suit[best], 3, best, 1, ())) == "B1"


def test_at_minus_two_a_seat_stays_below_with_the_highest_card_that_does() -> None:
    ladder = ladder_of()
    this = of(ladder, "Y2", "Y3", "Y4", "B2 B5 B9")
    (best,) = rungs(ladder, "B7")
    assert named(ladder, follow_low(this, ladder.suit[best], 3, best, 1, (0,))) == "B5"


def test_a_card_that_nobody_can_beat_is_led_and_one_that_may_be_ruffed_is_not() -> None:
    ladder = ladder_of()
    hands = [rungs(ladder, each) for each in ("B13 Y2", "R4 Y3", "B4 Y4", "B5 Y5")]
    assert named(ladder, lead_high(laid(ladder, hands), 0, (1, 2, 3))) == "B13"
    blue = ladder.suit[hands[0][-1]]
    void = [0, 1 << blue, 0, 1 << blue]
    assert named(ladder, lead_high(laid(ladder, hands, void), 0, (1, 2, 3))) == "Y2"


def test_who_did_not_follow_is_known_to_lack_the_suit() -> None:
    state = table(
        "nyet",
        hands=("B13 Y2", "R5 Y9", "B6 Y4", "G7 B2"),
        trump="R",
        supertrump="Y",
        team=(0, 2),
    )
    play(state, "B13", "R5", "B6", "B2", "Y9")
    assert isinstance(state, TrickState)
    assert state.terms is not None
    ladder = state.terms.trumps.ladder
    played = state.log[state.match.table.before_cards :]
    blue = ladder.suit[ladder.rung[GAME.actions.code("B13")]]
    assert shown_void(state, ladder, played) == [0, 1 << blue, 0, 0]
    assert state.takes[0] >> LOOT_BITS == 1


def test_a_seat_that_does_not_follow_is_known_from_then_on_to_lack_the_suit() -> None:
    ladder = ladder_of()
    this = of(ladder, "B13", "G5", "B6", "B7")
    play_out(this, 0, (), is_positive=True)
    assert this.void == [0, 1 << ladder.suit[rungs(ladder, "B13")[0]], 0, 0]


@pytest.mark.parametrize(("points", "card"), [(2, "B2"), (-2, "R13")])
def test_the_card_of_the_least_worth_is_discarded_and_at_minus_two_that_of_the_most(
    points: int, card: str
) -> None:
    state = table(
        "nyet",
        hands=("B2 B12 R13", "Y2 Y3 Y4", "Y5 Y6 Y7", "Y8 Y9 Y10"),
        discard="1",
        trump="R",
        supertrump="G",
        points=points,
        team=(0, 2),
    )
    assert isinstance(state, TrickState)
    assert GAME.actions.name(worst_card(state, 0)) == card
