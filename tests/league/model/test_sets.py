"""The places of a schedule, and the seeds of its sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.league.model.seeds import key_from_seed, seed_of_set
from arena.league.model.sets import Place, PlannedSet


def test_every_bot_sits_once_in_every_seat_and_the_circular_order_stays() -> None:
    planned = PlannedSet(1, ("fox", "owl", "crow"))
    assert [planned.seating(turn) for turn in range(3)] == [
        ("fox", "owl", "crow"),
        ("owl", "crow", "fox"),
        ("crow", "fox", "owl"),
    ]


@given(st.integers(1, 10**6), st.integers(0, 9))
def test_a_place_is_read_as_it_is_written(number: int, turn: int) -> None:
    assert Place.parse(str(Place(number, turn))) == Place(number, turn)


def test_people_count_matches_from_one() -> None:
    assert str(Place(17, 3)) == "17.4"


@pytest.mark.parametrize(
    "text",
    ["", ".", "17", "17.", ".4", "17.0", "-1.2", "17.4.1", "17,4", "a.b", "1 .2", "\u0661.2"],
)
def test_what_names_no_place_is_none(text: str) -> None:
    assert Place.parse(text) is None


def test_the_deals_of_a_seed_are_the_same_for_ever() -> None:
    """Pinned: another version of arena has to deal an experiment the same cards."""
    key = key_from_seed("experiment 7")
    assert key.hex() == "d5a3eb516e895aad23bc57e26d281467c47568f323e0a10f9ff145f77196b49b"
    assert (
        seed_of_set(key, 1, 0).hex()
        == "1ef719a21d1d69a475d02387982ae0b543cb5db0bea3269da564de6082ef5374"
    )
    assert (
        seed_of_set(key, 2, 3).hex()
        == "ff03c8f84f1aef0d151250c6bb7bc33b4ca15f940844b0c209b637b4a0988e2f"
    )


def test_every_set_and_every_attempt_at_it_has_a_seed_of_its_own() -> None:
    key = key_from_seed("experiment 7")
    seeds = {seed_of_set(key, number, attempt) for number in range(1, 50) for attempt in range(4)}
    assert len(seeds) == 49 * 4
    assert seed_of_set(key_from_seed("experiment 8"), 1, 0) not in seeds
