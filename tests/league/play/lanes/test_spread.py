"""How many jobs a league has, on simulated machines with simulated bots."""

from __future__ import annotations

import pytest

from arena.league.play.lanes.looks import LATER, Charged, Look, Used
from arena.league.play.lanes.pace import RECENT
from arena.league.play.lanes.spread import FULL_LOOKS, PATIENCE, JobCount
from tests.league.play.lanes.machines import (
    DECISION_MS,
    HALF_THINKING,
    QUICK,
    REMOTE,
    SECONDS,
    SELDOM_THINKING,
    THINKING,
    WAITING,
    Bots,
    Simulated,
)

CORES = 4


def job_count(
    cores: int = CORES, most: int | None = None, decision_ms: int = DECISION_MS
) -> JobCount:
    return JobCount(most or cores, cores, 1000 * LATER * decision_ms)


def after(count: JobCount, bots: Bots, looks: int, noise: float = 0.0, lanes: int = 4) -> list[int]:
    """The number of jobs after each look at a job that has its part of the cores."""
    numbers = []
    for _ in range(looks):
        machine = Simulated(CORES // count.jobs, bots, noise)
        numbers.append(count.after(machine.look(lanes)))
    return numbers


def test_quick_bots_get_a_job_for_each_core_once_the_only_one_is_busy() -> None:
    assert after(job_count(), QUICK, FULL_LOOKS) == [1] * (FULL_LOOKS - 1) + [CORES]


def test_there_are_no_more_jobs_than_the_most() -> None:
    assert after(job_count(most=2), QUICK, FULL_LOOKS)[-1] == 2


def test_on_one_core_there_is_one_job() -> None:
    count = job_count(cores=1)
    look = Look(Used(SECONDS, 0.5, 1.0, 0.1), Charged(100_000, 1_000_000), 4)
    assert {count.after(look) for _ in range(2 * FULL_LOOKS)} == {1}


@pytest.mark.parametrize("bots", [THINKING, HALF_THINKING, SELDOM_THINKING, WAITING, REMOTE])
def test_bots_that_think_or_wait_keep_one_job(bots: Bots) -> None:
    assert set(after(job_count(), bots, 10 * FULL_LOOKS)) == {1}


def test_one_job_stays_while_other_programs_use_the_cores() -> None:
    assert set(after(job_count(), QUICK, 10 * FULL_LOOKS, noise=CORES - 1.4)) == {1}


def test_with_a_short_clock_quick_bots_keep_one_job() -> None:
    assert set(after(job_count(decision_ms=1), QUICK, 10 * FULL_LOOKS)) == {1}


def test_a_moment_in_which_the_job_is_not_busy_begins_the_count_anew() -> None:
    count = job_count()
    after(count, QUICK, FULL_LOOKS - 1)
    calm = Look(Used(SECONDS, 3.0, 0.5, 0.1), Charged(5_000, 50_000), 1)
    assert count.after(calm) == 1
    assert after(count, QUICK, FULL_LOOKS) == [1] * (FULL_LOOKS - 1) + [CORES]


def test_bots_that_begin_to_think_are_back_in_one_job_within_a_few_looks_of_each() -> None:
    count = job_count()
    after(count, QUICK, FULL_LOOKS)
    numbers = after(count, THINKING, RECENT * CORES, lanes=1)
    assert numbers[-1] == 1


def test_quick_bots_keep_their_jobs() -> None:
    count = job_count()
    after(count, QUICK, FULL_LOOKS)
    assert set(after(count, QUICK, 10 * RECENT * CORES, lanes=1)) == {CORES}


def test_jobs_that_have_only_just_been_started_are_waited_for() -> None:
    """They hold sets, and have brought no match: that does not tell that their bots think."""
    count = job_count()
    after(count, QUICK, FULL_LOOKS)
    starting = Look(Used(SECONDS, 0.0, 1.0, 3.0), Charged(), 1)
    assert {count.after(starting) for _ in range(10 * RECENT * CORES)} == {CORES}
    assert set(after(count, QUICK, RECENT * CORES, lanes=1)) == {CORES}


def test_a_void_match_among_quick_bots_leads_back_to_one_job() -> None:
    count = job_count()
    after(count, QUICK, FULL_LOOKS)
    look = Simulated(1, QUICK).look(1)
    void = Look(look.used, Charged(100_000, 1_000_000, voids=1), 1)
    assert [count.after(void) for _ in range(RECENT * CORES)][-1] == 1


def test_after_a_way_back_the_next_attempt_waits_longer() -> None:
    count = job_count()
    after(count, QUICK, FULL_LOOKS)
    after(count, THINKING, RECENT * CORES, lanes=1)
    assert after(count, QUICK, PATIENCE * FULL_LOOKS) == [1] * (PATIENCE * FULL_LOOKS - 1) + [CORES]


def test_jobs_with_nothing_to_play_stay() -> None:
    count = job_count()
    after(count, QUICK, FULL_LOOKS)
    idle = Look(Used(SECONDS, 1.0, 0.0, 0.0), Charged(), 0)
    assert {count.after(idle) for _ in range(10 * RECENT * CORES)} == {CORES}
