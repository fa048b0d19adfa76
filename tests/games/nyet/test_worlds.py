"""Imagined worlds come as often as deals of single cards make them (docs/library.md)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from arena.games.interface import View
from arena.games.nyet.game import TrickGame
from arena.games.nyet.rulesets import NYET, RULE_SETS, Discard
from arena.games.nyet.state import TrickState
from tests.games.chi_square import excess, most
from tests.games.trick_positions import act, choose_team, give, play, settle
from tests.games.trick_worlds import World, hidden, world_of, worlds

# Few ranks, of which the low one is half: every box matters, and all worlds are soon counted.
SMALL = replace(
    NYET,
    name="small",
    ranks=(1, 1, 2, 3),
    taken_out_with_three=(),
    cards_each={2: 4, 3: 4, 4: 4, 5: 3},
    discards=(
        Discard("1x", 1, spares_low=True),
        Discard("2x", 2, spares_low=True),
        Discard("left1", 1, passes=1),
        Discard("right2", 2, passes=-1),
        Discard("1", 1),
    ),
)
RULES = {"small": SMALL, **{rules.name: rules for rules in RULE_SETS}}
TABLES = [(name, seats) for name, rules in RULES.items() for seats in rules.seats]


@cache
def game_of(name: str) -> TrickGame:
    return TrickGame(RULES[name])


def rounds(name: str, seats: int, box: str, seed: int) -> Iterator[TrickState]:
    """Every state of a round's tricks, played at random, with this box of row 2 open."""
    rng = random.Random(f"{name} {seats} {box} {seed}")
    state = game_of(name).deal(seats, rng.randbytes(8))
    settle(
        state,
        first=rng.randrange(seats),
        discard=box,
        trump=rng.choice(RULES[name].colours),
        supertrump=rng.choice(RULES[name].supertrumps),
    )
    while state.view(None)["round"] == 1:
        if state.view(None)["phase"] == "play":
            yield state
        seat = rng.choice(state.to_act())
        state.apply(seat, rng.choice(state.legal(seat)))


def excess_of(game: TrickGame, view: View, weights: Counter[World], draws: int = 0) -> float:
    """How far imagined worlds are from these weights; in standard deviations."""
    draws = draws or min(300 + 12 * len(weights), 12_000)
    rng = random.Random(draws)
    return excess(Counter(world_of(game.imagine(view, rng)) for _ in range(draws)), weights)


def with_few_deals(
    name: str, seats: int, box: str, seed: int, deals: int
) -> tuple[View, Counter[World]] | None:
    """The first view of a round that leaves few deals open, and its worlds; None: it has one."""
    deck = game_of(name).deck(seats)
    looker = None if seed % 4 == 3 else seed % seats
    for state in rounds(name, seats, box, seed):
        view = state.view(looker)
        if hidden(deck, view).deals() <= deals:
            found = worlds(RULES[name], deck, view)
            return (view, found) if len(found) > 1 else None
    return None


def check(name: str, seats: int, seeds: range, deals: int) -> int:
    """Compare the worlds of views of rounds with each box; the number of views."""
    limit = most(len(TABLES) * len(SMALL.discards) * len(seeds))
    views = 0
    for box in RULES[name].discards:
        for seed in seeds:
            found = with_few_deals(name, seats, box.name, seed, deals)
            if found is not None:
                assert abs(excess_of(game_of(name), *found)) < limit, (box.name, seed)
                views += 1
    return views


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_late_in_a_round_every_world_comes_as_often_as_it_should(name: str, seats: int) -> None:
    assert check(name, seats, range(2), 250)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_earlier_in_a_round_too(name: str, seats: int) -> None:
    assert check(name, seats, range(2, 5), 2600) > len(RULES[name].discards)


# ---- by hand --------------------------------------------------------------------------------


def laid(
    name: str, hands: list[str], box: str, gifts: list[str], *, trump: str = "Y"
) -> TrickState:
    """A round about to begin, with these hands before cards are discarded or passed on."""
    state = game_of(name).deal(len(hands), b"by hand", {"dealer": 0})
    settle(state, discard=box, trump=trump)
    give(state, hands)
    if len(hands) == 3:
        choose_team(state, (0,), 0)
    else:
        choose_team(state, (0, 1))
    for seat, gift in enumerate(gifts):
        act(state, seat, *gift.split())
    return state


def check_by_hand(state: TrickState, looker: int | None) -> Counter[World]:
    """Compare the worlds of a view, and return the right ones."""
    game, view = state.match.tables.rules.name, state.view(looker)
    found = worlds(RULES[game], game_of(game).deck(state.match.seats), view)
    assert len(found) > 1
    assert abs(excess_of(game_of(game), view, found, 12_000)) < most(10)
    return found


def test_two_that_are_void_leave_more_cards_of_other_suits_to_the_third() -> None:
    """Dealt one hand after another, as if no later one were narrower, these come out wrong."""
    state = laid(
        "small",
        ["R1 R2 R3 B3", "G1 G2 B1 Y1", "Y2 Y3 B1 G1", "R1 B2 G3 Y1"],
        "1",
        ["B3", "Y1", "G1", "R1"],
    )
    play(state, "R3", "G1", "B1", "B2")
    found = check_by_hand(state, 0)

    assert not [world for world in found for seat in (1, 2, 3) if "R1" in world[seat][0]]


def test_a_card_i_passed_stays_with_its_receiver_until_its_kind_is_played_there() -> None:
    state = laid(
        "small",
        ["R1 R2 R3 B3", "R1 G2 B1 Y1", "Y2 Y3 B1 G1", "G1 B2 G3 Y1"],
        "left1",
        ["R1", "Y1", "G1", "G3"],
    )
    play(state, "R3", "R1", "B1", "B2")
    found = check_by_hand(state, 0)
    assert {world[0][1] for world in found} == {("R1",)}
    state = laid(
        "small",
        ["R1 R2 B3 Y2", "R3 G2 B1 Y1", "Y3 B1 G1 R1", "G1 B2 G3 Y1"],
        "left1",
        ["R1", "Y1", "G1", "G3"],
    )
    play(state, "R2", "R3", "R1", "B2")
    assert all("R1" in world[1][0] for world in check_by_hand(state, 0))


def test_low_cards_may_have_gone_where_nothing_else_was_held() -> None:
    """Seat 1 has played low cards alone: its hand and its discard may be low too [D5]."""
    state = laid(
        "small", ["R2 R3 G2 Y2", "R1 R1 B1 B1", "B2 G1 G1 Y1"], "2x", ["G2 Y2", "B1 B1", "B2 Y1"]
    )
    play(state, "R3", "R1", "G1", "R2")
    found = check_by_hand(state, 0)
    low = Counter[bool]()
    for world, count in found.items():
        low["1" in "".join(world[1][1])] += count
    assert low[True]
    assert low[False]


def test_copies_of_a_card_are_different_cards_when_they_are_dealt() -> None:
    """Of two equal cards and another, a hand of one card is the other in a third of the deals."""
    hands = ["R1 R2 R3 B3", "R1 G2 G3 B2", "B1 B1 Y3 G1"]
    state = laid("small", hands, "1", ["B3", "B2", "Y3"])
    found = check_by_hand(play_on(state, 6), 0)
    assert len({*found.values()}) > 1


def play_on(state: TrickState, cards: int) -> TrickState:
    """The state after so many cards more, each the first that is legal."""
    for _ in range(cards):
        (seat,) = state.to_act()
        state.apply(seat, state.legal(seat)[0])
    return state
