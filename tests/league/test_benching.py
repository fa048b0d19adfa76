"""Who is benched, by what happened to each in a row, and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from arena.league.benching import MOST_FAILED_STARTS, MOST_FORFEITS, Benching
from arena.league.played import Played, PlayedSet
from arena.record import FORMAT, VERSION, FaultEntry, Record
from arena.referee.absence import NOT_BEGUN

NAMES = ("fox", "owl")
# A match of these two, by its ending and who is out of it: all that benching looks at.
PLAYED = ("played-out", ())
FORFEITED = ("played-out", ("fox",))
NO_SHOW = (NOT_BEGUN, ("fox",))
OTHERS_NO_SHOW = (NOT_BEGUN, ("owl",))

Match = tuple[str, tuple[str, ...]]


def match(ending: str, out: Iterable[str], texts: Mapping[str, str] | None = None) -> Played:
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
    return Played(1, 0, 0, record, (0, 1), "2026-01-01T00:00:00Z")


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
