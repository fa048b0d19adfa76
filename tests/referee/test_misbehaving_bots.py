"""Bots of tests/bots against good ones, in real processes: what each is found guilty of.

Each has its own fault named rightly, the others have their match, and nothing is left.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trio

from arena.record.replay import replay
from arena.record.timing import Timing
from arena.referee.house import open_house
from arena.referee.match import Result
from arena.referee.table import sit_down
from arena.referee.wire import link
from tests.bots.programs import Family
from tests.referee.real_match import (
    a_bot,
    a_good_bot,
    a_plan,
    descriptors,
    see_off,
)

pytestmark = [pytest.mark.slow, pytest.mark.alone]

# Nobody who wants to be in time is late, however busy the machine is.
AMPLE = Timing(decision_ms=2_000, bank_ms=10_000, hang_ms=1_000)
# Who wants to be late has 600 ms at first and less than that later on.
TIGHT = Timing(decision_ms=400, bank_ms=200, hang_ms=1_000)
# As above, but a silence may last.
PATIENT = Timing(decision_ms=400, bank_ms=200, hang_ms=15_000)
START_MS = 1_500


@dataclass(frozen=True)
class Verdict:
    """What a bot is found guilty of: nothing, faults, or not being there."""

    kinds: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    forfeits: bool = False
    absent: str = ""  # the code, if the match does not begin
    says: str = ""  # among the words that come with it
    timing: Timing = AMPLE
    game: str = "nyet"
    options: Mapping[str, object] = field(default_factory=lambda: {"rounds": 1})
    place: int | None = None


LATE = ("late",)
GONE = Verdict(("gone",), ("closed",), forfeits=True)
CLEAN = Verdict()


def once(kind: str, code: str) -> Verdict:
    return Verdict((kind,), (code,))


def thrice(kind: str, code: str) -> Verdict:
    return Verdict((kind,) * 3, (code,) * 3, forfeits=True)


VERDICTS = {
    # Before there is a match.
    "never_connects": Verdict(absent="no-connection"),
    "silent_at_start": Verdict(absent="no-hello"),
    "half_a_hello": Verdict(absent="no-hello"),
    "wrong_token": Verdict(absent="hello-refused", says="No entrant has this token"),
    "wrong_token_and_leaves": Verdict(absent="hello-refused", says="No entrant has this token"),
    "old_protocol": Verdict(absent="hello-refused", says="You said protocol 0"),
    "acts_before_hello": Verdict(absent="hello-refused", says="Say hello first"),
    "garbage_for_a_hello": Verdict(absent="hello-refused", says="malformed"),
    "prints_to_the_socket": Verdict(absent="hello-refused", says="Hell"),
    "crashes_at_start": Verdict(absent="exited", says="exit code 1"),
    "exits_with_code 0": Verdict(absent="exited", says="exit code 0"),
    "kills_itself 9": Verdict(absent="exited", says="SIGKILL"),
    # The clock.
    "never_answers": Verdict(LATE, ("out-of-time", "hung"), forfeits=True, timing=TIGHT),
    "never_reads": Verdict(LATE, ("out-of-time", "hung"), forfeits=True, timing=TIGHT),
    "stops_itself": Verdict(LATE, ("out-of-time", "hung"), forfeits=True, timing=TIGHT),
    "truncated": Verdict(LATE, ("out-of-time", "frame-unfinished"), forfeits=True, timing=TIGHT),
    "slow 0.7": Verdict(LATE, ("out-of-time",), forfeits=True, timing=PATIENT),
    "late_once 0.65": Verdict(LATE, ("out-of-time",), timing=PATIENT),
    "late_once 2": Verdict(LATE, ("out-of-time",), timing=PATIENT),
    # What is sent.
    "garbage": thrice("unreadable", "malformed"),
    "oversized": Verdict(("gone",), ("frame-too-long",), forfeits=True),
    "truncated_and_leaves": Verdict(("gone",), ("frame-unfinished",), forfeits=True),
    "answers_again 2": CLEAN,  # a stale answer is no fault (SPEC 5.3)
    "answers_again 4": once("out-of-turn", "too-many-answers"),
    "answers_early": once("out-of-turn", "nothing-asked"),
    "stale_id": CLEAN,
    "says_hello_again": once("out-of-turn", "second-hello"),
    "wrong_field id 1000": once("illegal", "wrong-id"),
    "wrong_field match m-0": once("illegal", "wrong-match"),
    "wrong_field action R99": once("illegal", "not-legal"),
    "wrong_field action R99 3": thrice("illegal", "not-legal"),
    "wrong_field type start": once("unreadable", "server-type"),
    "floods_the_socket": thrice("out-of-turn", "second-hello"),
    # Leaving.
    "quits": GONE,
    "quits_when_out": Verdict(game="nope", options={"hand": [1, 9, 9], "max_turns": 200}, place=3),
    "crashes": GONE,
    "kills_itself_in_a_match": GONE,
    "closes_and_lives": GONE,
    "closes_half": GONE,
    # Plays well.
    "uses_its_token_twice": CLEAN,
    "floods_stdout_and_plays": CLEAN,
    "hard_to_end": CLEAN,
    "leaves_a_daemon": CLEAN,
    "plays_with_children": CLEAN,
    "spins_after_its_move": CLEAN,
}


@pytest.mark.parametrize("line", VERDICTS)
async def test_its_own_fault_is_named_the_others_have_their_match_and_nothing_is_left(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict = VERDICTS[line]
    family = Family()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    # What is late here is late by design, also on a machine too busy for honest verdicts.
    monkeypatch.setattr(link, "LAG_MARGIN_US", 60_000_000)
    before = descriptors()
    with trio.fail_after(60):
        async with open_house() as house:
            good = [house.player(a_good_bot(family, tcp=seat == 2)) for seat in (1, 2)]
            players = [house.player(a_bot(line, family), START_MS), *good]
            plan = a_plan(3, verdict.timing, verdict.game, verdict.options, seed=bytes([17]))
            match = await sit_down(plan, players)
            assert [player.starts for player in good] == [1, 1]
            await see_off(players)
            for player in good:
                assert str(player.exit) == "exit code 0", (await player.tails(), player.exit)
    assert family.alive() == set()
    assert descriptors() == before
    assert [*tmp_path.iterdir()] == []
    check(match, verdict)


def check(match: Result, verdict: Verdict) -> None:
    if not match.is_begun:
        (fault,) = match.evidence
        assert (fault.seat, fault.kind, fault.code) == (0, "never-started", verdict.absent)
        assert verdict.says in fault.text
        return
    assert not verdict.absent
    record = match.record
    assert {kept.seat for kept in match.evidence} <= {0}, match.evidence
    assert len([*replay(record)]) == len(record.moves) + 1
    kinds = [kept.kind for kept in match.evidence]
    codes = [kept.code for kept in match.evidence]
    if verdict.kinds == LATE:
        # How often it is asked in vain depends on the machine.
        assert kinds[:1] == ["late"], record
        assert {*codes} == {*verdict.codes}, record
    else:
        assert (*kinds,) == verdict.kinds
        assert (*codes,) == verdict.codes
    assert record.forfeits == ((0,) if verdict.forfeits else ()), match.evidence
    if verdict.forfeits:
        assert record.places[0] == 3
        assert {*record.places[1:]} <= {1, 2}
    if verdict.place is not None:
        assert record.places[0] == verdict.place
    # The others' match was played out.
    assert record.ending not in ("forfeit", "void")
    assert record.scores != ()
