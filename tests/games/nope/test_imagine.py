"""Worlds that agree with a view (SPEC 12.11)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from arena.games.errors import BadView
from arena.games.nope import NOPE, NopeState
from arena.games.nope.cards import COPIES
from arena.games.nope.holdings import holding
from tests.games.nope_positions import hand_of, legal, play, position


def matches() -> Iterator[NopeState]:
    """Every state of random matches at all tables, short and long hands among them."""
    rng = random.Random(2)
    for number in range(12):
        seats = 2 + number % 5
        options: dict[str, object] = {"max_turns": 80}
        if number % 4 == 1:
            options["hand"] = 103 // seats
        if number % 4 == 2:
            options["actions"] = False
        state = NOPE.deal(seats, b"imagine %d" % number, options)
        while state.to_act():
            yield state
            (seat,) = state.to_act()
            state.apply(seat, rng.choice(state.legal(seat)))
        yield state


def test_an_imagined_world_looks_the_same_to_who_imagined_it() -> None:
    rng = random.Random(3)
    for state in matches():
        for seat in (*range(len(state.hands)), None):
            view = state.view(seat)
            world = NOPE.imagine(view, rng)
            assert world.view(seat) == view
            there = b"".join(world.hands) + world.discard + world.draw_pile + world.chosen
            assert [there.count(kind) for kind in range(len(COPIES))] == [
                copies if view["options"]["actions"] or kind < 31 else 0
                for kind, copies in enumerate(COPIES)
            ]
            assert world.holdings == [holding(hand) for hand in world.hands]


def test_what_the_imaginer_may_do_is_what_they_may_do_in_truth() -> None:
    rng = random.Random(4)
    for state in matches():
        for seat in state.to_act():
            assert NOPE.imagine(state.view(seat), rng).legal(seat) == state.legal(seat)


def test_an_imagined_world_can_be_played_out() -> None:
    rng = random.Random(5)
    for number, state in enumerate(matches()):
        if number % 7 == 0:
            for seat in (0, None):
                world = NOPE.imagine(state.view(seat), rng)
                NOPE.playout(world, rng)
                assert world.outcome() is not None


def test_in_every_imagined_world_somebody_has_something_to_do() -> None:
    rng = random.Random(6)
    for state in matches():
        world = NOPE.imagine(state.view(None), rng)
        assert world.to_act() == state.to_act()
        for seat in world.to_act():
            assert world.legal(seat)


def test_chance_comes_from_the_rng_alone() -> None:
    view = NOPE.deal(4, b"secret").view(0)
    one, two = (NOPE.imagine(view, random.Random(7)) for _ in range(2))
    assert (one.hands, one.draw_pile, one.table.seed) == (two.hands, two.draw_pile, two.table.seed)
    other = NOPE.imagine(view, random.Random(8))
    assert one.hands != other.hands
    assert one.table.seed != other.table.seed != b"secret"


def worlds(state: NopeState, seat: int | None, count: int = 60) -> list[NopeState]:
    rng = random.Random(10)
    return [NOPE.imagine(state.view(seat), rng) for _ in range(count)]


def nope_said(hand: str, top: str, card: str) -> NopeState:
    """Seat 0 has drawn this card on this demand, and said Nope."""
    state = position([hand, "B2", "B3"], top)
    kind = position([card, "B1"], "R1").hands[0]
    state.draw_pile = kind + state.draw_pile.replace(kind, b"", 1)
    play(state, "draw")
    assert state.to_act() == (1,)
    return state


def test_who_said_nope_on_one_red_shows_no_red() -> None:
    for world in worlds(nope_said("G1 G2 B1 GB2", "R1", "Y3"), None):
        assert "R" not in hand_of(world, 0)
        assert not {"J", "X", "S*"} & set(hand_of(world, 0).split())


def test_who_said_nope_on_three_shows_at_most_two_of_each_colour() -> None:
    for world in worlds(nope_said("R1 R2 G1 G2 B1", "RG3", "Y3"), 1):
        for demanded in "RG":
            shown = [
                card
                for card in hand_of(world, 0).split()
                if demanded in card or card in ("J", "X", "S*")
            ]
            assert len(shown) <= 2


def test_who_has_drawn_and_not_said_nope_holds_a_set_that_the_draw_completed() -> None:
    state = position(["B1 G1", "B2", "B3"], "R1")
    play(state, "draw")  # R1, as the rest lies in kind order
    assert legal(state) == "R1"
    for world in worlds(state, 1):
        reds = [
            card for card in hand_of(world, 0).split() if "R" in card or card in ("J", "X", "S*")
        ]
        assert len(reds) == 1
        assert world.legal(0)


def test_two_cards_drawn_may_both_be_part_of_the_set() -> None:
    state = position(["B1 G1", "B2"], "RB2")
    play(state, "draw")  # R1 R1, as the rest lies in kind order
    assert legal(state) == "R1"
    for world in worlds(state, 1):
        assert world.legal(0)
        assert world.view(1) == state.view(1)


def test_a_hand_that_cannot_be_is_not_imagined_even_when_few_cards_are_left() -> None:
    """Nearly all cards are in hands; the draw pile has none to spare."""
    state = NOPE.deal(6, b"full", {"hand": 17, "max_turns": 40})
    rng = random.Random(1)
    while state.to_act():
        for seat in (0, 3, None):
            view = state.view(seat)
            assert NOPE.imagine(view, rng).view(seat) == view
        (seat,) = state.to_act()
        state.apply(seat, rng.choice(state.legal(seat)))


def test_a_set_of_ones_own_that_is_begun_goes_on_as_it_was() -> None:
    state = play(position(["R1 R2 RG1 G1 G2", "B1", "B2"], "RG3"), "RG1 R1")
    world = NOPE.imagine(state.view(0), random.Random(1))
    assert legal(world) == "R2"
    play(world, "R2")
    assert world.view(None)["discard"] == ["RG3", "RG1", "R1", "R2"]


def test_a_choice_can_be_made_in_an_imagined_world() -> None:
    for state in (
        position(["B1", "B2", "B3"], "SR"),
        play(position(["R1 SG B1", "B2", "B3"], "RG2"), "SG!"),
        play(position(["SR TR B1", "B2", "B3"], "R2"), "SR TR"),
    ):
        world = NOPE.imagine(state.view(1), random.Random(1))
        assert legal(world) == legal(state)
        play(world, "to2:2")
        assert world.view(None)["choice"] == {"by": 0, "to": 2}
        assert world.view(None)["recent"] == play(state, "to2:2").view(None)["recent"]


def test_a_choice_in_force_is_kept() -> None:
    state = play(position(["SR B1", "B2", "B3"], "R1"), "SR to2:3")
    view = NOPE.imagine(state.view(1), random.Random(1)).view(0)
    assert view["choice"] == {"by": 0, "to": 2}
    assert view["demand"] == {"count": 3, "colours": "R"}


@pytest.mark.parametrize(
    "turns",
    [
        # Nope, with cards in hand, where any one card would have been a set.
        [[3, 1, "RGBY", 1]],
        # A set of two red when the see-through was laid, and then no red at all.
        [[2, 2, "R", 1, "TR"], [3, 1, "R", 0]],
    ],
    ids=str,
)
def test_clues_that_no_deal_can_meet_are_let_go(turns: list[object]) -> None:
    """A search bot rather has a doubtful world than none."""
    state = position(["R1 R2 B1", "B2 B3", "B2"], "G2")
    view = {**state.view(0), "turns": 3, "recent": [[], turns, []]}
    assert NOPE.imagine(view, random.Random(1)).view(0) == view


def test_a_set_that_somebody_must_hold_now_is_never_let_go() -> None:
    """Or nothing would be legal."""
    state = position(["R1 R2 B1", "B2 B3", "B2"], "G2")
    view = {**state.view(0), "turn": 1, "drew": 1, "turns": 3}
    impossible = {**view, "recent": [[], [[3, 1, "RGBY", 1]], []]}
    assert NOPE.imagine(impossible, random.Random(1)).legal(1)
    with pytest.raises(BadView):
        NOPE.imagine({**view, "demand": {"count": 3, "colours": "R"}}, random.Random(1))


def changed(**fields: object) -> dict[str, Any]:
    state = play(position(["R1 R2 B1", "B2 B3", "B2"], "R2"), "R1")
    return {**state.view(0), **fields}


@pytest.mark.parametrize(
    "view",
    [
        {},
        {"seats": 3},
        [],
        None,
        "view",
        changed(seats=9),
        changed(seat=7),
        changed(game="nyet"),
        changed(hand=["R1", "R1", "R1"]),
        changed(hand=["Z9"]),
        changed(hand=None),
        changed(phase="choose"),
        changed(phase="lay"),
        changed(phase="over"),
        changed(turn=1),
        changed(turn=None),
        changed(demand=None),
        changed(demand={"count": 4, "colours": "R"}),
        changed(demand={"count": 2, "colours": "Q"}),
        changed(hand_sizes=[3, 2]),
        changed(hand_sizes=[3, 200, 1]),
        changed(hand_sizes=[3, "2", 1]),
        changed(draw_pile=3),
        changed(discard=[]),
        changed(recent=[]),
        changed(recent=[[], [[1, 9, "R", 0]], []]),
        changed(options={"hand": 0}),
        changed(dealer=5),
        changed(out="no"),
        changed(out=[2]),
        changed(turns="3"),
        changed(places=[1, 2, 3]),
        changed(more=1),
    ],
    ids=str,
)
def test_what_is_no_view_is_refused(view: Any) -> None:
    with pytest.raises(BadView, match=r"not a view of nope.*SPEC 12\.11"):
        NOPE.imagine(view, random.Random(1))
