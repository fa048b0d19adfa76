"""What a seat may know (SPEC 12.9, 12.11)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgpack
import pytest

from arena.games.errors import BadSeats
from arena.games.nope import NOPE, NopeState
from arena.games.nope.cards import COPIES, KIND_OF
from arena.games.nope.holdings import holding
from tests.games.nope_positions import cards, play, position

WATCHERS = [0, 1, 2, None]


def states(matches: int) -> Iterator[NopeState]:
    """Every state of some random matches, at all tables."""
    rng = random.Random(1)
    for number in range(matches):
        state = NOPE.deal(2 + number % 5, b"%d" % number, {"max_turns": 60})
        while state.to_act():
            yield state
            (seat,) = state.to_act()
            state.apply(seat, rng.choice(state.legal(seat)))
        yield state


def test_a_view_shows_the_table_the_piles_and_ones_own_hand() -> None:
    state = position(["Y1 R1 R2 B1", "B2", "B3"], "G1 R2", draw_pile="B1 B2")
    assert state.view(0) == {
        "game": "nope",
        "seats": 3,
        "seat": 0,
        "options": {"actions": True, "hand": 7, "max_turns": 1000},
        "phase": "lay",
        "dealer": 2,
        "turn": 0,
        "turns": 0,
        "hand": ["R1", "R2", "B1", "Y1"],
        "chosen": [],
        "hand_sizes": [4, 1, 1],
        "demand": {"count": 2, "colours": "R"},
        "choice": None,
        "discard": ["G1", "R2"],
        "draw_pile": 2,
        "out": [],
        "drew": 0,
        "recent": [[], [], []],
        "places": None,
        "ending": None,
    }


def test_a_spectator_sees_what_is_public() -> None:
    state = position(["R1 R2", "B2", "B3"], "R2")
    expected = {**state.view(0), "seat": None, "hand": None}
    assert state.view(None) == expected


def test_nobody_else_sees_anything_of_a_set_until_it_is_complete() -> None:
    state = position(["R1 R2 R3 B1", "B2", "B3"], "RG3")
    before = {seat: state.view(seat) for seat in WATCHERS}
    play(state, "R2 R1")
    for seat in (1, 2, None):
        assert state.view(seat) == before[seat]
    mine = state.view(0)
    assert mine["phase"] == "set"
    assert mine["chosen"] == ["R2", "R1"]
    assert mine["hand"] == ["R3", "B1"]
    assert mine["hand_sizes"] == before[0]["hand_sizes"]
    play(state, "R3")
    assert state.view(1)["discard"] == ["RG3", "R2", "R1", "R3"]
    assert state.view(0)["chosen"] == []
    assert state.view(1)["hand_sizes"] == [1, 1, 1]


def test_drawing_is_public_the_drawn_card_is_not() -> None:
    one = play(position(["B1", "B2", "B3"], "R1", draw_pile="R2 B1"), "draw")
    other = play(position(["B1", "B2", "B3"], "R1", draw_pile="RB3 B1"), "draw")
    assert one.view(None)["drew"] == 1
    assert one.view(None)["hand_sizes"] == [2, 1, 1]
    for seat in (1, 2, None):
        assert one.view(seat) == other.view(seat)
    assert one.view(0) != other.view(0)


def test_a_choice_is_open_until_it_is_made_and_then_public() -> None:
    state = play(position(["SR B1", "B2", "B3"], "R1"), "SR")
    for seat in WATCHERS:
        view = state.view(seat)
        assert (view["phase"], view["turn"], view["demand"]) == ("choose", 0, None)
        assert view["recent"][0] == [[1, 1, "R", 0, "SR"]]
    play(state, "to2:3")
    for seat in WATCHERS:
        view = state.view(seat)
        assert (view["phase"], view["turn"]) == ("lay", 2)
        assert view["demand"] == {"count": 3, "colours": "R"}
        assert view["choice"] == {"by": 0, "to": 2}
        assert view["recent"][0] == [[1, 1, "R", 0, "SR", "to2:3"]]


def test_a_choice_is_gone_when_a_card_sets_the_demand() -> None:
    state = play(position(["SR B1", "B2", "R3 B3"], "R1"), "SR to2:1 R3")
    assert state.view(None)["choice"] is None


def test_the_last_four_turns_of_every_seat_are_shown() -> None:
    state = position(
        ["B1", "B2", "B3"], "R3", draw_pile="B1 B2 G1 G1 G2 G2 G3 Y1 Y1 Y2 Y2 Y3 BY1 BY1"
    )
    play(state, "draw " * 13)
    recent = state.view(None)["recent"]
    assert [[turn[0] for turn in turns] for turns in recent] == [
        [4, 7, 10, 13],
        [2, 5, 8, 11],
        [3, 6, 9, 12],
    ]
    assert recent[0][-1] == [13, 3, "R", 1]


def test_the_last_turns_do_not_depend_on_when_one_looks() -> None:
    rng = random.Random(5)
    state = NOPE.deal(4, b"look")
    blind = state.copy()
    while state.to_act():
        (seat,) = state.to_act()
        action = rng.choice(state.legal(seat))
        state.apply(seat, action)
        blind.apply(seat, action)
        state.view(None)
    assert state.view(1) == blind.view(1)


def test_the_discard_pile_is_shown_whole_also_after_a_reshuffle() -> None:
    state = position(["B1", "B2", "R1 B3"], "G1 R1", draw_pile="Y1")
    assert state.view(0)["discard"] == ["G1", "R1"]
    play(state, "draw draw")
    assert state.view(0)["discard"] == ["R1"]
    play(state, "R1")
    assert state.view(0)["discard"] == ["R1", "R1"]


def test_when_it_is_over_places_and_ending_are_shown() -> None:
    state = play(position(["R1", "RG1", "R2 B2"], "R1"), "R1 RG1")
    view = state.view(1)
    assert view["phase"] == "over"
    assert view["turn"] is None
    assert view["demand"] is None
    assert view["out"] == [0, 1]
    assert view["places"] == [3, 2, 1]
    assert view["ending"] == "last"


def test_every_field_is_in_the_table_once_and_none_is_missing() -> None:
    names = [field.name for field in NOPE.fields]
    assert len(names) == len(set(names))
    for state in states(6):
        for seat in (0, None):
            assert list(state.view(seat)) == names


def test_views_are_plain_and_small() -> None:
    def plain(value: object) -> bool:
        if isinstance(value, dict):
            return all(type(key) is str and plain(inner) for key, inner in value.items())
        if isinstance(value, list):
            return all(map(plain, value))
        return value is None or type(value) in (int, str, bool)

    largest = 0
    for state in states(10):
        for seat in (*range(len(state.hands)), None):
            view = state.view(seat)
            assert plain(view)
            largest = max(largest, len(msgpack.packb(view)))
    assert largest <= 4096


def test_a_view_is_the_readers_to_keep() -> None:
    state = position(["R1 R2", "B2", "B3"], "R2", options={"hand": [2, 1, 1]})
    view = state.view(0)
    view["options"]["hand"].append(9)
    view["recent"][0].append([])
    view["discard"].clear()
    view["options"]["max_turns"] = 0
    assert state.view(0)["options"] == {"actions": True, "hand": [2, 1, 1], "max_turns": 1000}
    assert state.view(0)["recent"] == [[], [], []]
    assert state.view(0)["discard"] == ["R2"]


def test_dealing_the_hidden_cards_anew_changes_no_byte() -> None:
    rng = random.Random(9)
    for state in states(6):
        seats = len(state.hands)
        for seat in (*range(seats), None):
            twin = state.copy()
            others = [other for other in range(seats) if other != seat]
            hidden = list(twin.draw_pile + b"".join(twin.hands[other] for other in others))
            begun = state.seat != seat and len(state.chosen)
            if begun:
                hidden += list(twin.chosen)
                twin.chosen = bytes(hidden.pop() for _ in range(begun))
            rng.shuffle(hidden)
            for other in others:
                size = len(twin.hands[other])
                twin.hands[other] = bytes(hidden[:size])
                twin.holdings[other] = holding(twin.hands[other])
                del hidden[:size]
            twin.draw_pile = bytes(hidden)
            assert msgpack.packb(twin.view(seat)) == msgpack.packb(state.view(seat))


def test_the_cards_are_conserved() -> None:
    for state in states(6):
        there = b"".join(state.hands) + state.discard + state.draw_pile + state.chosen
        assert [there.count(kind) for kind in range(len(COPIES))] == list(COPIES)
        assert state.holdings == [holding(hand) for hand in state.hands]


@pytest.mark.parametrize("seat", [3, -1, True, "0", 0.0])
def test_a_seat_that_is_not_at_the_table_has_no_view(seat: int) -> None:
    state = position(["R1", "B2", "B3"], "R2")
    with pytest.raises(BadSeats, match=r"numbered 0 to 2, and None is a spectator; got"):
        state.view(seat)


def test_positions_are_made_of_named_cards() -> None:
    assert cards("R1 S*") == bytes([KIND_OF["R1"], KIND_OF["S*"]])
