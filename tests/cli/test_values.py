"""Words of a command line as values."""

from __future__ import annotations

import click
import pytest

from arena.bots.program import DialIn
from arena.cli.match_arguments import address_of, match_asked, match_of, rows_of
from arena.cli.match_sets import AskedSets, stop_test_asked
from arena.cli.values import game_options, seed_bytes, value
from arena.compare.stop import Bounds, StopTest
from arena.record import timing
from arena.referee.door.addresses import TcpAddress


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", 3),
        ("-1.5", -1.5),
        ("true", True),
        ("false", False),
        ("nil", None),
        ("None", None),
        ("OFF", None),
        ("full", "full"),
        ("1,2", [1, 2]),
        ("[1,2]", [1, 2]),
        ("[1]", [1]),
        ("a,b", "a,b"),
        ("", ""),
        ('"3"', "3"),
    ],
)
def test_a_value_is_json_or_text(text: str, expected: object) -> None:
    assert value(text) == expected
    assert type(value(text)) is type(expected)


def test_options_are_pairs() -> None:
    pairs = ["rounds=2", "scoring=full", "target=nil", "name=a=b", "x="]
    assert game_options(pairs) == {
        "rounds": 2,
        "scoring": "full",
        "target": None,
        "name": "a=b",
        "x": "",
    }
    for wrong in ("rounds", "=2", ""):
        with pytest.raises(click.BadParameter, match="write NAME=VALUE, such as rounds=2; got "):
            game_options([wrong])


def test_a_seed_is_text_or_hexadecimal() -> None:
    assert seed_bytes("hex:00ff") == b"\x00\xff"
    assert seed_bytes("hex") == b"hex"
    assert seed_bytes("J\u00fcrgen") == b"J\xc3\xbcrgen"
    with pytest.raises(click.BadParameter) as caught:
        seed_bytes("hex:0g")
    assert caught.value.message == "after hex: come pairs of hexadecimal digits; got '0g'"
    assert caught.value.param_hint == "--seed"


@pytest.mark.parametrize(
    ("arguments", "rows"),
    [
        (["a", "b"], [(0,), (1,)]),
        (["a", "a"], [(0,), (1,)]),
        (["a", "b", "a"], [(0, 2), (1,)]),
        (["b", "a", "a", "b"], [(0, 3), (1, 2)]),
        (["a"], [(0,)]),
    ],
)
def test_an_argument_that_is_given_several_times_is_one_bot(
    arguments: list[str], rows: list[tuple[int, ...]]
) -> None:
    assert rows_of(arguments) == rows


def test_a_match_has_its_times_where_they_are_given() -> None:
    asked = match_of(["nope", "python-random", "python-bare"], "s", ["max_turns=200"], None)
    plan = asked.plan
    assert (plan.game, plan.seats, plan.seed, plan.match) == ("nope", 2, b"s", "")
    assert plan.names == ("python-random", "python-bare")
    assert plan.options == {"max_turns": 200}
    assert (asked.start_ms, asked.rows) == (timing.START_MS, [(0,), (1,)])
    timed = asked.timed(None, decision_ms=5, bank_ms=None, hang_ms=7)
    assert timed.plan.timing == timing.Timing(decision_ms=5, hang_ms=7)
    assert timed.start_ms == timing.START_MS
    assert asked.timed(3).start_ms == 3
    assert asked.timed(3).plan == plan
    assert len(match_of(["nope", "python-random", "python-bare"], None, [], None).plan.seed) == 32


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nope"], "name a game and its bots, such as: arena match nope python-random python-bare"),
        ([], "name a game and its bots"),
        (["nope", "python-random"], "Name a bot for each seat; the same one may have several"),
    ],
)
def test_what_is_no_match_says_what_would_be_one(words: list[str], said: str) -> None:
    with pytest.raises(click.UsageError, match=said.replace("(", r"\(")):
        match_of(words, None, [], None)


@pytest.mark.parametrize(
    "given",
    [{"seed": "s"}, {"options": ["rounds=1"]}, {"sets": AskedSets(3, None, None, 1, None)}],
)
def test_a_match_like_another_takes_deal_and_options_from_it(given: dict[str, object]) -> None:
    nothing: dict[str, object]
    nothing = {"sets": None, "seed": None, "options": [], "replay_others": None}
    with pytest.raises(click.UsageError, match="--like takes deal and options from the match"):
        match_asked("league:1.1", [], **(nothing | given))  # type: ignore[arg-type]


def test_an_address_is_for_bots_that_dial_in() -> None:
    dials = [DialIn("me")]
    assert address_of(None, []) is None
    assert address_of(None, dials) == TcpAddress()
    assert address_of("tcp:127.0.0.1:4000", dials) == TcpAddress("127.0.0.1", 4000)
    with pytest.raises(click.UsageError, match="--listen is for bots that dial in"):
        address_of("tcp:127.0.0.1:4000", [])
    with pytest.raises(click.BadParameter) as caught:
        address_of("nowhere", dials)
    assert caught.value.param_hint == "--listen"


def test_a_stop_test_has_an_error_of_one_in_twenty_unless_another_is_given() -> None:
    assert stop_test_asked(None, None, None) is None
    assert stop_test_asked("0:10", None, None) == StopTest(Bounds(0, 10), 0.05, 0.05)
    assert stop_test_asked("0:10", 0.1, None) == StopTest(Bounds(0, 10), 0.1, 0.05)
    assert stop_test_asked("0:10nelo", None, 0.2) == StopTest(Bounds(0, 10, True), 0.05, 0.2)
    for alpha, beta in ((0.1, None), (None, 0.1)):
        with pytest.raises(click.UsageError, match="--alpha and --beta are for --stop LOW:HIGH"):
            stop_test_asked(None, alpha, beta)
    with pytest.raises(click.BadParameter, match="write two numbers of Elo as LOW:HIGH"):
        stop_test_asked("ten", None, None)
    with pytest.raises(click.UsageError, match="alpha is the chance of an error"):
        stop_test_asked("0:10", 0.5, None)


def test_a_stop_test_weighs_two_bots() -> None:
    test = StopTest(Bounds(0, 10))
    asked = AskedSets(None, test, None, 1, None)
    trial = asked.trial([(0, 2), (1,)])
    assert trial is not None
    assert (trial.test, trial.copies, trial.others) == (test, 2, 1)
    assert AskedSets(5, None, None, 1, None).trial([(0,), (1,)]) is None
    with pytest.raises(click.UsageError, match="--stop weighs two bots, and here are 3"):
        asked.trial([(0,), (1,), (2,)])


def test_other_seats_repeat_a_match_of_a_league_alone() -> None:
    with pytest.raises(click.UsageError, match="--replay-others is for --like LEAGUE:MATCH"):
        match_asked(None, [], sets=None, seed=None, options=[], replay_others=0)
