"""What the soak takes for wrong, on small stories of one or two bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.record import FaultEntry
from tests.league.soak.checks import INTERRUPTED, KILLED_JOB, KILLED_RUNNER, findings
from tests.league.soak.diary import (
    ADMITS,
    BROKEN,
    BYE,
    CAME,
    END,
    FAULT,
    KILLED,
    LEFT,
    LOST,
    REFUSED,
    RENEWED,
    RENEWS,
    RETIRED,
    RETIRES,
    REVOKED,
    REVOKES,
    START,
    STOP,
    Diary,
    Entry,
    entries_of,
)
from tests.league.soak.soaked import KeptMatch, Seat, Soaked, lost_to_kills
from tests.league.soak.watch import JOBS, RUNNER, Growth, Sample, growth

T = 1_000_000.0  # any time


def fault(kind: str) -> FaultEntry:
    return FaultEntry(0, 3, kind, "closed", "it closed the connection", forfeit=True)


def match(name: str, *, lost_by: str = "", kind: str = "gone", ending: str = "rounds") -> KeptMatch:
    """A match of fox and owl; one of them may have lost it by a fault of this kind."""
    seats = tuple(
        Seat(bot, (fault(kind),) if bot == lost_by else (), bot == lost_by)
        for bot in ("fox", "owl")
    )
    return KeptMatch("1.1", name, ending, seats)


def story(*rows: tuple[object, ...], bot: str = "fox") -> tuple[Entry, ...]:
    """Entries of one bot, in steps of a second or after as many seconds as a row begins with."""
    entries, at = [], T
    for row in rows:
        seconds, *words = row if isinstance(row[0], float) else (1.0, *row)
        at += float(str(seconds))
        what, about, detail = (*map(str, words), "", "")[:3]
        entries.append(Entry(at, "" if what == STOP else bot, what, about, detail))
    return tuple(entries)


def wrong(
    entries: Sequence[Entry],
    *matches: KeptMatch,
    started: frozenset[str] = frozenset({"owl"}),
    events: Sequence[tuple[int, Mapping[str, Any]]] = (),
    growths: Sequence[Growth] = (),
) -> list[str]:
    return findings(Soaked(entries, matches, events, started, growths))


PLAYED = ((CAME,), (START, "m-1"), (END, "m-1", "rounds"))

FINE = {
    "a match is played": (story(*PLAYED), [match("m-1")]),
    "a void match is kept nowhere": (
        story((CAME,), (START, "m-1"), (END, "m-1", "void")),
        [],
    ),
    "a bot that leaves in a match loses it": (
        story((CAME,), (START, "m-1"), (LEFT, "m-1", "close")),
        [match("m-1", lost_by="fox")],
    ),
    "a bot that leaves between two loses one that it did not see begin": (
        story(*PLAYED, (LEFT,)),
        [match("m-1"), match("m-2", lost_by="fox")],
    ),
    "a bot that leaves before a set begins does not start": (
        story(*PLAYED, (LEFT,)),
        [match("m-1"), match("", lost_by="fox", kind="never-started", ending="not begun")],
    ),
    "a bot that is killed loses the match it was in": (
        story((CAME,), (START, "m-1"), (KILLED,)),
        [match("m-1", lost_by="fox")],
    ),
    "a bot whose token is revoked loses its match, is told, and comes when it has another": (
        story(
            *((CAME,), (START, "m-1"), (REVOKES,), (BYE, "m-1", "bad-token"), (REVOKED,)),
            *((60.0, BYE, "", "bad-token"), (RENEWS,), (CAME,), (RENEWED,)),
        ),
        [match("m-1", lost_by="fox")],
    ),
    "a bot that is retired is told, and comes when it is admitted": (
        story(
            *((CAME,), (RETIRES,), (RETIRED,), (BYE, "", "done"), (60.0, BYE, "", "bad-token")),
            *((ADMITS,), (CAME,)),
        ),
        [],
    ),
    "a bot that is retired plays on in its set after a stop, and is told": (
        story(
            *((CAME,), (START, "m-1"), (RETIRES,), (RETIRED,), (STOP, "", INTERRUPTED)),
            *((BYE, "m-1", "stopping"), (CAME,), (START, "m-2"), (END, "m-2", "rounds")),
            *((BYE, "", "done"), (BYE, "", "done")),
        ),
        [match("m-2")],
    ),
    "a stop ends a match for all": (
        story((CAME,), (START, "m-1"), (STOP, "", INTERRUPTED), (BYE, "m-1", "stopping")),
        [],
    ),
    "a kill ends a match for all, also for one that left it": (
        story((CAME,), (START, "m-1"), (LEFT, "m-1", "reset"), (STOP, "", KILLED_JOB)),
        [],
    ),
    "a kill loses what has just ended": (
        story(*PLAYED, (0.5, STOP, "", KILLED_RUNNER), (LOST,)),
        [],
    ),
}

WRONG = {
    "fault of an honest bot, fox": (story(*PLAYED), [match("m-1", lost_by="fox", kind="late")]),
    "fault of an honest bot, owl": (story(*PLAYED), [match("m-1", lost_by="owl")]),
    "more matches lost than it left, fox": (
        story((CAME,), (START, "m-1"), (LEFT, "m-1", "close")),
        [match("m-1", lost_by="fox"), match("m-2", lost_by="fox")],
    ),
    "fox left m-1, which is nowhere": (
        story((CAME,), (START, "m-1"), (LEFT, "m-1", "close")),
        [],
    ),
    "fox left 1.1 (close), and did not forfeit it": (
        story((CAME,), (START, "m-1"), (LEFT, "m-1", "close")),
        [match("m-1")],
    ),
    "fox saw the end of m-1, which is not kept": (
        story(*PLAYED, (STOP, "", INTERRUPTED), (BYE, "", "stopping")),
        [],
    ),
    "fox lost m-1 at": (story((CAME,), (START, "m-1"), (LOST, "m-1")), [match("m-1")]),
    "fox never heard the end of m-1": (
        story((CAME,), (START, "m-1"), (START, "m-2"), (END, "m-2", "rounds")),
        [match("m-1"), match("m-2")],
    ),
    "its connection was closed without a bye": (story((CAME,), (LOST,)), []),
    "bye with hung": (story((CAME,), (BYE, "", "hung")), []),
    "bye with bad-token": (story((BYE, "", "bad-token")), []),
    "bye with stopping": (story((CAME,), (BYE, "", "stopping")), []),
    "fault: you": (story((CAME,), (FAULT, "", "you")), []),
    "broken: it": (story((CAME,), (BROKEN, "", "it")), []),
    "refused: arena": (story((REFUSED, "", "arena")), []),
    "and is revoked": (story((REVOKES,), (REVOKED,), (CAME,)), []),
    "and is retired": (story((RETIRES,), (RETIRED,), (CAME,)), []),
    "6.0, and is retired": (
        story(
            *((RETIRES,), (RETIRED,), (STOP, "", INTERRUPTED), (CAME,), (BYE, "", "done")),
            (CAME,),
        ),
        [],
    ),
}


@pytest.mark.parametrize("name", FINE)
def test_nothing_is_wrong_where(name: str) -> None:
    entries, matches = FINE[name]
    assert wrong(entries, *matches) == []


@pytest.mark.parametrize("said", WRONG)
def test_it_is_told_that(said: str) -> None:
    entries, matches = WRONG[said]
    (line,) = wrong(entries, *matches)
    assert said in line


def test_referee_processes_that_end_by_themselves_and_bugs_are_told() -> None:
    killed = story((CAME,), (STOP, "", KILLED_JOB))
    assert findings(Soaked(killed, (), (), frozenset(), (), 1, ("a wrong token",))) == []
    (line,) = findings(Soaked(killed, (), (), frozenset(), (), 2))
    assert line == "2 referee processes ended, 1 of them killed"
    traceback = ("Traceback (most recent call last):", "KeyError: 'fox'")
    (line,) = findings(Soaked((), (), (), frozenset(), (), 0, traceback))
    assert line == "there is a traceback in the log"


def away(at: float) -> tuple[int, Mapping[str, Any]]:
    return 1, {"event": "away", "name": "fox", "seconds": int(at)}


def test_a_bot_is_away_after_a_minute_without_a_connection() -> None:
    left = story((CAME,), (LEFT,))
    assert wrong(left, events=[away(T + 63)]) == []
    assert len(wrong(left, events=[away(T + 50)])) == 1
    assert wrong(story((CAME,), (LEFT,), (20.0, KILLED)), events=[away(T + 63)]) == []
    assert len(wrong(story((CAME,)), events=[away(T + 90)])) == 1


def test_a_gap_between_events_is_told() -> None:
    void = {"event": "void"}
    assert wrong((), events=[(1, void), (2, void)]) == []
    assert wrong((), events=[(1, void), (3, void)]) == ["the events have a gap"]


def test_a_benched_bot_is_told() -> None:
    benched = {"event": "benched", "name": "fox", "reason": "forfeited"}
    (line,) = wrong((), events=[(1, benched)])
    assert "fox is benched: forfeited" in line


def test_matches_that_a_kill_came_before_are_counted() -> None:
    entries = story(*PLAYED, (STOP, "", KILLED_RUNNER))
    assert lost_to_kills(Soaked(entries, (), (), frozenset(), ())) == 1
    assert lost_to_kills(Soaked(entries, (match("m-1"),), (), frozenset(), ())) == 0


def test_growth_of_memory_or_descriptors_is_told() -> None:
    flat = Growth(RUNNER, (60_000, 60_500), (50, 55))
    fat = Growth(JOBS, (60_000, 600_000), (50, 50))
    leaking = Growth(RUNNER, (60_000, 60_000), (50, 150))
    assert wrong((), growths=[flat]) == []
    assert ["memory grew" in line for line in wrong((), growths=[flat, fat])] == [True]
    assert ["100 more desc" in line for line in wrong((), growths=[leaking])] == [True]


def test_growth_is_that_of_medians_of_two_spans() -> None:
    samples = [Sample(float(at), RUNNER, 100 * at, at) for at in range(40)]
    samples += [Sample(35.0, JOBS, 9, 9), Sample(36.0, RUNNER, 10**9, 10**9)]
    found = growth(samples, RUNNER, (10, 20), (30, 40))
    assert found == Growth(RUNNER, (1500, 3500), (15, 35))


def test_diaries_are_read_in_the_order_of_time(tmp_path: Path) -> None:
    for name, times in (("a", (1.0, 4.0)), ("b", (2.0, 3.0))):
        diary = Diary.append(tmp_path / name)
        for at in times:
            diary.write(Entry(at, name, CAME))
        diary.file.close()
    entries = entries_of([tmp_path / "a", tmp_path / "b"])
    assert [(each.at, each.bot) for each in entries] == [(1, "a"), (2, "b"), (3, "b"), (4, "a")]
