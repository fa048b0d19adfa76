"""How many matches are played at once, on simulated machines with simulated bots."""

from __future__ import annotations

import pytest

from arena.league.play.lanes.looks import LATER, Charged, Look, Used
from arena.league.play.lanes.pace import (
    CALM,
    ENOUGH,
    RECENT,
    WINDOW,
    LaneBounds,
    LaneCount,
    chance,
)
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


def bounds(cores: int, decision_ms: int = DECISION_MS) -> LaneBounds:
    return LaneBounds(max(1, cores - 1), 4 * cores, cores, 1000 * LATER * decision_ms)


def lanes_of(count: LaneCount, machine: Simulated, looks: int = 40) -> list[int]:
    """The number of lanes after each look."""
    return [count.after(machine.look(count.lanes)) for _ in range(looks)]


def test_quick_bots_get_more_matches_until_the_referee_is_busy() -> None:
    machine = Simulated(2, QUICK)
    lanes = lanes_of(LaneCount(bounds(2)), machine)
    assert lanes[-1] > 1
    assert machine.look(lanes[-1]).used.refereeing > 0.95
    assert lanes == sorted(lanes)


@pytest.mark.parametrize("bots", [THINKING, HALF_THINKING, SELDOM_THINKING])
@pytest.mark.parametrize("cores", [1, 2, 3])
def test_bots_that_think_have_a_core_each_and_nothing_is_tried_with_them(
    bots: Bots, cores: int
) -> None:
    fewest = bounds(cores).fewest
    assert set(lanes_of(LaneCount(bounds(cores)), Simulated(cores, bots))) == {fewest}


@pytest.mark.parametrize("bots", [WAITING, REMOTE])
@pytest.mark.parametrize("cores", [1, 2, 8])
def test_bots_that_wait_or_think_elsewhere_get_all_the_matches_there_may_be(
    bots: Bots, cores: int
) -> None:
    assert lanes_of(LaneCount(bounds(cores)), Simulated(cores, bots))[-1] == 4 * cores


def test_bots_that_wait_get_no_more_while_another_program_uses_the_cores() -> None:
    assert set(lanes_of(LaneCount(bounds(2)), Simulated(2, WAITING, noise=1.5))) == {1}


def test_quick_bots_get_more_although_another_program_runs() -> None:
    assert lanes_of(LaneCount(bounds(2)), Simulated(2, QUICK, noise=0.6))[-1] > 1


def test_with_short_clocks_even_quick_bots_get_no_more() -> None:
    assert set(lanes_of(LaneCount(bounds(2, decision_ms=1)), Simulated(2, QUICK))) == {1}


def test_bots_that_begin_to_think_are_back_at_the_fewest_matches_soon() -> None:
    count = LaneCount(bounds(2))
    assert lanes_of(count, Simulated(2, QUICK))[-1] > 1
    assert lanes_of(count, Simulated(2, THINKING), RECENT)[-1] == 1


def test_a_void_match_halves_the_number_and_it_comes_back_slowly() -> None:
    count = LaneCount(bounds(2))
    quiet = Simulated(2, WAITING)
    assert lanes_of(count, quiet)[-1] == 8
    look = quiet.look(8)
    assert count.after(Look(look.used, Charged(voids=1), 8)) <= 4
    lanes = lanes_of(count, quiet, 4 * CALM)
    assert lanes[CALM - 2] == 4
    assert lanes[CALM - 1 : CALM + 1] == [5, 5]
    assert lanes[-1] == 8


def test_decisions_that_come_late_cut_the_number_though_bots_are_quick() -> None:
    count = LaneCount(bounds(2))
    machine = Simulated(2, QUICK)
    before = lanes_of(count, machine)[-1]
    look = machine.look(before)
    late = Charged(look.charged.decisions, 10 * look.charged.time_us, 10_000, 10_000_000)
    assert count.after(Look(look.used, late, before)) <= before // 2


def test_a_hiccup_of_the_machine_right_after_that_cuts_nothing_more() -> None:
    count = LaneCount(bounds(2))
    machine = Simulated(2, Bots(burns_us=10, waits_us=100))
    before = lanes_of(count, machine)[-1]
    void = machine.look(before)
    after = count.after(Look(void.used, Charged(voids=1), before))
    look = machine.look(after)
    late = Charged(look.charged.decisions, look.charged.time_us, look.charged.decisions // 50, 0)
    assert count.after(Look(look.used, late, after)) == after > 1


def test_nothing_is_added_before_the_first_match_is_over() -> None:
    count = LaneCount(bounds(2))
    idle = Look(Used(SECONDS, 2.0, 0.0, 0.0), Charged(), 1)
    assert [count.after(idle) for _ in range(WINDOW)] == [1] * WINDOW


def test_quick_bots_are_not_known_by_a_few_decisions() -> None:
    count = LaneCount(bounds(2))
    used = Used(SECONDS, 1.0, 0.5, 0.5)
    few = Look(used, Charged(ENOUGH // 4, 10 * ENOUGH), 1)
    assert [count.after(few) for _ in range(4)] == [1, 1, 1, 2]


def test_no_lane_is_added_while_one_has_nothing_to_play() -> None:
    count = LaneCount(bounds(2))
    look = Simulated(2, WAITING).look(1)
    assert count.after(Look(look.used, look.charged, 0)) == 1


def test_the_chance_that_so_many_others_want_a_core() -> None:
    assert chance(1, 1, 0.25) == pytest.approx(0.25)
    assert chance(2, 1, 0.5) == pytest.approx(0.75)
    assert chance(3, 3, 0.5) == pytest.approx(0.125)
    assert chance(2, 3, 0.9) == pytest.approx(0.0)
    assert chance(5, 0, 0.1) == pytest.approx(1.0)
    assert chance(5, 0, 0.0) == 0.0
