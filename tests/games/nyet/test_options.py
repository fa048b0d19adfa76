"""The options: their values, their defaults, and what is refused (SPEC 11.7)."""

from __future__ import annotations

import pytest

from arena.games.errors import BadOption
from tests.games.nyet.test_rulesets import TABLES
from tests.games.trick_positions import trick_game

RULE_SETS = ("nyet", "njet", "njet-it")


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_options_are_these(name: str) -> None:
    options = trick_game(name).options
    assert [option.name for option in options] == ["rounds", "target", "scoring", "bonus", "dealer"]
    assert [option.default for option in options] == [None, None, "full", "take", None]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_view_names_every_option_with_the_value_in_force(name: str, seats: int) -> None:
    view = trick_game(name).deal(seats, b"options").view(None)
    rounds = {2: 8, 3: 9, 4: 8, 5: 10}[seats]
    assert view["options"] == {
        "rounds": rounds,
        "target": None,
        "scoring": "full",
        "bonus": "take",
        "dealer": None,
    }
    chosen = {"rounds": 3, "target": 50, "scoring": "difference", "bonus": "score", "dealer": 1}
    assert trick_game(name).deal(seats, b"options", chosen).view(0)["options"] == chosen


def test_an_option_left_empty_is_as_if_it_were_not_given() -> None:
    """`rounds`, `target` and `dealer` may be nil."""
    given = {"rounds": None, "target": None, "dealer": None}
    game = trick_game("nyet")
    assert game.deal(3, b"nil", given).view(0) == game.deal(3, b"nil").view(0)


def test_with_a_target_the_rounds_in_force_are_a_hundred() -> None:
    view = trick_game("nyet").deal(3, b"target", {"target": 100}).view(None)
    assert view["options"]["rounds"] == 100
    assert view["rounds"] == 100


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_named_dealer_deals_first(name: str, seats: int) -> None:
    for dealer in range(seats):
        for seed in (b"one", b"two"):
            state = trick_game(name).deal(seats, seed, {"dealer": dealer})
            assert state.view(None)["dealer"] == dealer


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("rounds", (0, -1, 2.0, "8", True, 2**31)),
        ("target", (0, -5, 1.5, "100", False, 2**31)),
        ("scoring", ("Full", "", None, 1, True)),
        ("bonus", ("Take", "double", None, 2)),
        ("dealer", (4, -1, "0", 1.0, True)),
    ],
)
@pytest.mark.parametrize("name", RULE_SETS)
def test_other_values_are_refused(name: str, option: str, values: tuple[object, ...]) -> None:
    for value in values:
        with pytest.raises(BadOption) as error:
            trick_game(name).deal(4, b"seed", {option: value})
        assert option in str(error.value)
        assert "SPEC 11.7" in str(error.value)
        assert error.value.came == value


@pytest.mark.parametrize(
    ("value", "words"), [(None, "nil"), (True, "true"), (2, "2"), ("x", "'x'")]
)
def test_a_refused_value_is_told_as_the_specification_calls_it(value: object, words: str) -> None:
    with pytest.raises(BadOption, match=f"; got {words} "):
        trick_game("nyet").deal(4, b"seed", {"scoring": value})


def test_the_dealer_must_sit_at_the_table() -> None:
    for seats in (2, 3, 4, 5):
        with pytest.raises(BadOption):
            trick_game("njet").deal(seats, b"seed", {"dealer": seats})


@pytest.mark.parametrize("name", RULE_SETS)
def test_an_unknown_option_is_refused_with_the_nearest_name(name: str) -> None:
    with pytest.raises(BadOption, match="Did you mean 'rounds'"):
        trick_game(name).deal(4, b"seed", {"round": 3})


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_largest_numbers_are_taken(name: str) -> None:
    largest = 2**31 - 1
    state = trick_game(name).deal(4, b"seed", {"rounds": largest, "target": largest})
    assert state.view(None)["rounds"] == largest
    assert state.view(None)["options"]["target"] == largest


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            {"rounds": 0},
            "option 'rounds' of nyet with 3 seats is a whole number from 1 to 2147483647 or nil; "
            "got 0 (SPEC 11.7)",
        ),
        (
            {"scoring": "half"},
            "option 'scoring' of nyet with 3 seats is \"full\" or \"difference\"; got 'half' "
            "(SPEC 11.7)",
        ),
        (
            {"bonus": 2},
            'option \'bonus\' of nyet with 3 seats is "take" or "score"; got 2 (SPEC 11.7)',
        ),
        (
            {"dealer": 3},
            "option 'dealer' of nyet with 3 seats is a seat from 0 to 2, or nil for a lot; got 3 "
            "(SPEC 11.7)",
        ),
        (
            {"colour": "red"},
            "nyet has no option 'colour'; its options are: rounds, target, scoring, bonus, dealer. "
            "(SPEC 11.7)",
        ),
    ],
    ids=str,
)
def test_a_wrong_option_is_told_what_is_allowed(options: dict[str, object], text: str) -> None:
    with pytest.raises(BadOption) as error:
        trick_game("nyet").deal(3, b"seed", options)
    assert str(error.value) == text
