"""Who is benched, by what happened to each in a row, and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
import pytest

from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.table.benching import (
    MOST_FAILED_STARTS,
    MOST_FORFEITS,
    MOST_SILENT,
    Benching,
    has_answered,
    requests_to,
)
from arena.record import FORMAT, VERSION, FaultEntry, Move, Record
from arena.record.endings import NOT_BEGUN

NAMES = ("fox", "owl")
# A match of these two, by its ending and who is out of it: all that benching looks at.
PLAYED = ("played-out", ())
FORFEITED = ("played-out", ("fox",))
NO_SHOW = (NOT_BEGUN, ("fox",))
OTHERS_NO_SHOW = (NOT_BEGUN, ("owl",))

Match = tuple[str, tuple[str, ...]]


def match(ending: str, out: Iterable[str], texts: Mapping[str, str] | None = None) -> LeagueMatch:
    seats = tuple(NAMES.index(name) for name in out)
    told = [(NAMES.index(name), text) for name, text in (texts or {}).items()]
    record = Record(
        FORMAT,
        VERSION,
        "nyet",
        2,
        {},
        "",
        NAMES,
        (),
        (),
        (1, 2),
        ending,
        faults=tuple(
            FaultEntry(seat, 0, "illegal", "not-legal", text, True) for seat, text in told
        ),
        forfeits=seats,
    )
    return LeagueMatch(1, 0, 0, record, (0, 1), "2026-01-01T00:00:00Z", False)


ANSWERED, LATE, ILLEGAL, GONE = "answered", "late", "illegal", "gone"


def asked(*ways: str, out: bool = False) -> LeagueMatch:
    """A match in which fox was asked so often, and owl between; what came of each request."""
    moves = [Move(seat, "X", 5) for _ in ways for seat in (0, 1)]
    faults = [
        FaultEntry(0, 2 * number, way, way, f"{way} in request {number + 1}", way == GONE)
        for number, way in enumerate(ways)
        if way != ANSWERED
    ]
    if out:  # forfeited: a move that nobody asked it for
        moves.append(Move(0, "X", 0))
    played = match("played-out", ["fox"] if out else [])
    record = msgspec.structs.replace(played.record, moves=tuple(moves), faults=tuple(faults))
    return msgspec.structs.replace(played, record=record)


def after_asked(*matches: LeagueMatch) -> Benching:
    benching = Benching()
    for number, played in enumerate(matches, 1):
        benching.count(PlayedSet(number, 0, (played,)))
    return benching


@pytest.mark.parametrize(
    ("ways", "requests", "is_answered"),
    [
        ((), 0, False),
        ((LATE,) * 3, 3, False),
        ((LATE, GONE), 2, False),
        ((LATE, ANSWERED), 2, True),
        ((ILLEGAL, LATE), 2, True),
    ],
)
def test_a_request_is_answered_by_anything_that_came_in_time(
    ways: tuple[str, ...], requests: int, is_answered: bool
) -> None:
    for out in (False, True):  # a move of a forfeited seat is no request
        record = asked(*ways, out=out).record
        assert len([*requests_to(record, 0)]) == requests
        assert has_answered(record, 0) == is_answered


def test_a_bot_that_answers_nothing_is_benched_after_five_short_matches() -> None:
    assert MOST_SILENT == 5
    silent = [asked(*[LATE] * requests) for requests in (2, 1, 3, 1, 2)]
    assert after_asked(*silent[:-1]).reasons == {}
    benched = after_asked(*silent)
    assert benched.reasons == {
        "fox": "answered 0 of 9 requests in 5 matches in a row; the last time: late in request 2"
    }
    assert benched.after_set == {"fox": 5}


@pytest.mark.parametrize("way", [ANSWERED, ILLEGAL])
def test_one_answer_begins_the_row_of_silent_matches_again(way: str) -> None:
    short = [asked(LATE)] * (MOST_SILENT - 1)
    assert "fox" not in after_asked(*short, asked(LATE, way), *short).reasons
    assert "fox" in after_asked(*short, asked(LATE, way), *short, asked(LATE)).reasons


def test_a_match_in_which_a_bot_is_not_asked_says_nothing_of_its_silence() -> None:
    short = [asked(LATE)] * (MOST_SILENT - 1)
    for between in (asked(), match(*NO_SHOW), match(*OTHERS_NO_SHOW)):
        assert "fox" not in after_asked(*short, between).reasons
        assert "fox" in after_asked(*short, between, asked(LATE)).reasons


def test_a_bot_that_is_silent_and_forfeits_is_benched_for_its_silence() -> None:
    (reason,) = after_asked(*[asked(GONE, out=True)] * MOST_FORFEITS).reasons.values()
    assert reason.startswith("answered 0 of 5 requests in 5 matches in a row; the last time: gone")


def after(*matches: Match) -> Benching:
    """Sets of one match each, numbered from 1."""
    benching = Benching()
    for number, (ending, out) in enumerate(matches, 1):
        benching.count(PlayedSet(number, 0, (match(ending, out),)))
    return benching


@pytest.mark.parametrize(("what", "most"), [(NO_SHOW, 3), (FORFEITED, 5)])
def test_so_many_in_a_row_bench_a_bot_and_one_fewer_does_not(what: Match, most: int) -> None:
    assert (MOST_FAILED_STARTS, MOST_FORFEITS) == (3, 5)
    assert after(*[what] * (most - 1)).reasons == {}
    benched = after(*[what] * most)
    assert [*benched.reasons] == ["fox"]
    assert benched.after_set == {"fox": most}


@pytest.mark.parametrize(
    ("what", "most", "between"),
    [
        (NO_SHOW, MOST_FAILED_STARTS, PLAYED),
        (NO_SHOW, MOST_FAILED_STARTS, FORFEITED),
        (NO_SHOW, MOST_FAILED_STARTS, OTHERS_NO_SHOW),
        (FORFEITED, MOST_FORFEITS, PLAYED),
    ],
    ids=["came", "came and forfeited", "came in vain", "played to the end"],
)
def test_a_match_that_goes_better_begins_the_row_again(
    what: Match, most: int, between: Match
) -> None:
    short = [what] * (most - 1)
    assert "fox" not in after(*short, between, *short).reasons
    assert "fox" in after(*short, between, *short, what).reasons


@pytest.mark.parametrize("between", [NO_SHOW, OTHERS_NO_SHOW])
def test_a_match_that_never_began_neither_ends_a_row_of_forfeits_nor_adds_to_it(
    between: Match,
) -> None:
    short = [FORFEITED] * (MOST_FORFEITS - 1)
    assert "fox" not in after(*short, between).reasons
    assert "fox" in after(*short, between, FORFEITED).reasons


def test_who_is_benched_stays_so_with_the_reason_and_the_set_it_was_for() -> None:
    """Sets that were under way are counted still, whatever came of them."""
    benched = after(*[NO_SHOW] * MOST_FAILED_STARTS)
    later = after(*[NO_SHOW] * MOST_FAILED_STARTS, PLAYED, *[FORFEITED] * MOST_FORFEITS)
    assert later.reasons == benched.reasons
    assert later.after_set == benched.after_set


@pytest.mark.parametrize(
    ("ending", "most", "begins"),
    [
        (NOT_BEGUN, MOST_FAILED_STARTS, "did not start 3 times in a row; the last time: "),
        ("played-out", MOST_FORFEITS, "forfeited 5 matches in a row; the last time: "),
    ],
)
def test_the_reason_tells_what_it_did_last_and_nothing_of_what_others_did(
    ending: str, most: int, begins: str
) -> None:
    benching = Benching()
    for number in range(1, most + 1):
        texts = {"fox": f"its {number}. mistake", "owl": "a mistake of the other"}
        benching.count(PlayedSet(number, 0, (match(ending, ["fox"], texts),)))
    assert benching.reasons == {"fox": f"{begins}its {most}. mistake"}


def test_a_row_goes_on_from_set_to_set_and_ends_anywhere_in_one() -> None:
    one = match(*FORFEITED)
    benching = Benching()
    benching.count(PlayedSet(1, 0, (one,) * 4))
    assert benching.reasons == {}
    benching.count(PlayedSet(2, 0, (one, match(*PLAYED), one, one)))
    assert benching.after_set == {"fox": 2}
