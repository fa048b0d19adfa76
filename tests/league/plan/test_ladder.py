"""A ladder's promises: bots play soon, with neighbours, and a slow one stops nobody else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.league.model.sets import PlannedSet
from arena.league.model.terms import LeagueTerms
from arena.league.plan.format import Done, MatchResult, Next, Past, Play, SetResult, Table, Wait
from arena.league.plan.ladder import OpenLadder
from arena.league.plan.ladder.choosing import LONG_WAIT, PAIRINGS
from arena.league.plan.ladder.history import common_to
from arena.league.plan.ladder.planner import CHOICE_SECONDS
from arena.league.plan.ladder.strengths import FARTHEST, ONE, ahead, fitted, solved, told

LOTS = bytes(range(32))
NOON = 1_800_000_000

TABLES_DRAWN_BEFORE = {1: "d9bf901673cfdf6e", 2: "972629bda4744103"}
"""By pairing, the hash of what its rules drew when they were new."""

Bots = list[tuple[str, str]]


def alone(count: int) -> Bots:
    """So many bots, each of an owner of its own; the first is the best."""
    return [(f"b{number:03}", f"o{number:03}") for number in range(count)]


def scored(planned: PlannedSet) -> SetResult:
    """The first by name wins everything."""
    places = tuple(sorted(planned.line_up).index(name) + 1 for name in planned.line_up)
    return SetResult(planned.number, (MatchResult(planned.line_up, places, ()),))


def drawn(planned: PlannedSet) -> SetResult:
    """Everybody ties in every seating."""
    seats = len(planned.line_up)
    return SetResult(
        planned.number,
        tuple(
            MatchResult(planned.seating(turn), (1,) * seats, (0,) * seats) for turn in range(seats)
        ),
    )


@dataclass
class Played:
    """A ladder that is played by hand."""

    seats: int
    bots: Bots
    terms: LeagueTerms = field(init=False)
    planner: OpenLadder = field(init=False)
    sets: list[PlannedSet] = field(default_factory=list)
    results: dict[int, SetResult] = field(default_factory=dict)
    left_out: set[int] = field(default_factory=set)
    away: set[str] = field(default_factory=set)
    busy_most: dict[str, int] = field(default_factory=dict)
    idle_since: dict[str, int] = field(default_factory=dict)
    owners_may_meet: bool = False
    pairing: int = OpenLadder.pairing
    now: int = NOON
    outcome: Callable[[PlannedSet], SetResult] = scored

    def __post_init__(self) -> None:
        self.terms = LeagueTerms(
            "ladder", self.seats, None, owners_may_meet=self.owners_may_meet, pairing=self.pairing
        )
        self.planner = OpenLadder(self.terms)

    @property
    def past(self) -> Past:
        return Past(
            self.bots,
            self.sets,
            self.left_out,
            busy_most=self.busy_most,
            idle_since=self.idle_since,
        )

    @property
    def unfinished(self) -> list[PlannedSet]:
        return self.past.unfinished(self.results)

    def ask(self, planner: OpenLadder | None = None) -> Next:
        here = {name for name, _ in self.bots} - self.away
        return (planner or self.planner).next(self.past, self.results, here, self.now, LOTS)

    def plan(self) -> Table | None:
        """Plan a table if there is one; it is then being played."""
        answer = self.ask()
        if not isinstance(answer, Play):
            return None
        (table,) = answer.tables
        self.sets.append(PlannedSet(len(self.sets) + 1, table))
        return table

    def finish(self, planned: PlannedSet) -> None:
        self.results[planned.number] = self.outcome(planned)

    def play(self, sets: int) -> list[Table]:
        """Plan so many sets, each played before the next is planned."""
        tables = []
        for _ in range(sets):
            table = self.plan()
            assert table is not None
            self.finish(self.sets[-1])
            tables.append(table)
        return tables


@st.composite
def ladders(draw: st.DrawFn, most: int = 20) -> Played:
    """A ladder in the middle of things: sets played, withdrawn and unfinished, bots that came,
    left and are away."""
    seats = draw(st.integers(2, 6))
    rng = random.Random(draw(st.integers(0, 2**32)))
    owners = draw(st.integers(seats, max(seats, most)))
    bots = [(f"b{each:03}", f"o{each % owners}") for each in range(draw(st.integers(2, most)))]
    ladder = Played(seats, bots, owners_may_meet=draw(st.booleans()))
    if draw(st.booleans()):
        ladder.busy_most = {name: rng.randint(1, 3) for name, _ in bots}
    for _ in range(draw(st.integers(0, 40))):
        go_on(ladder, rng)
    return ladder


def go_on(ladder: Played, rng: random.Random) -> None:
    """Let something happen."""
    unfinished = ladder.unfinished
    names = [name for name, _ in ladder.bots]
    ladder.now += rng.randint(0, 9)
    match rng.randrange(10):
        case 0:
            ladder.bots.insert(
                rng.randint(0, len(names)), (f"n{len(ladder.sets)}{len(names)}", "new")
            )
        case 1 if len(names) > 2:
            del ladder.bots[rng.randrange(len(names))]
        case 2:
            ladder.away ^= {rng.choice(names)}
        case 3 if unfinished:
            ladder.left_out.add(rng.choice(unfinished).number)
        case 3 if ladder.results:
            ladder.left_out.add(rng.choice([*ladder.results]))
            if rng.random() < 0.5:
                ladder.results = {
                    number: result
                    for number, result in ladder.results.items()
                    if number not in ladder.left_out
                }
        case 4 | 5 | 6 if unfinished:
            over = rng.choice(unfinished)
            ladder.finish(over)
            ladder.idle_since.update(dict.fromkeys(over.line_up, ladder.now))
        case _:
            ladder.plan()


# What always holds.


@settings(max_examples=60, deadline=None)
@given(ladders(), st.integers(0, 2**32))
def test_a_planner_that_saw_the_ladder_grow_answers_as_one_that_sees_it_first(
    ladder: Played, seed: int
) -> None:
    rng = random.Random(seed)
    for _ in range(15):
        answer = ladder.ask()
        assert answer == ladder.ask() == ladder.ask(OpenLadder(ladder.terms))
        go_on(ladder, rng)


@settings(max_examples=30, deadline=None)
@given(ladders(), st.integers(0, 2**32))
def test_a_past_that_is_not_the_one_of_before_is_added_up_anew(ladder: Played, seed: int) -> None:
    other = Played(ladder.seats, alone(9))
    other.play(12)
    ladder.ask()
    assert other.ask(ladder.planner) == other.ask(OpenLadder(other.terms))
    del other.sets[6:]
    other.results = {number: other.results[number] for number in (2, 4)}
    assert other.ask(ladder.planner) == other.ask(OpenLadder(other.terms))
    other.results = {number: drawn(other.sets[number - 1]) for number in (2, 4)}
    assert other.ask(ladder.planner) == other.ask(OpenLadder(other.terms))


@settings(max_examples=150, deadline=None)
@given(ladders())
def test_a_table_is_full_of_bots_that_are_here_and_free_and_may_meet(ladder: Played) -> None:
    busy = Counter(name for planned in ladder.unfinished for name in planned.line_up)
    free = {
        name: name if ladder.owners_may_meet else owner
        for name, owner in ladder.bots
        if name not in ladder.away and busy[name] < ladder.busy_most.get(name, 1)
    }
    match ladder.ask():
        case Play((table,)):
            assert len(table) == ladder.seats
            assert {*table} <= free.keys()
            assert len({free[name] for name in table}) == ladder.seats
        case Wait(why, until):
            assert why
            enough = len({*free.values()}) >= ladder.seats
            # With enough of them it waits only for a choice, and not for long.
            assert (until is not None) == enough
            assert until is None or ladder.now < until <= ladder.now + CHOICE_SECONDS
        case _:
            pytest.fail("a ladder without end has ended")


@pytest.mark.parametrize(("seats", "count"), [(2, 2), (2, 3), (3, 7), (4, 5), (4, 40), (6, 100)])
def test_nobody_waits_for_longer_than_the_bound(seats: int, count: int) -> None:
    """All that are late take turns: none waits longer than it takes to be late, and all others."""
    ladder = Played(seats, alone(count), outcome=drawn)
    last = dict.fromkeys((name for name, _ in ladder.bots), 0)
    for number in range(1, 3 * count + 1):
        (table,) = ladder.play(1)
        last.update(dict.fromkeys(table, number))
        bound = LONG_WAIT * count / seats + count
        assert number - min(last.values()) <= bound


def test_newcomers_without_end_keep_nobody_from_its_turn() -> None:
    """They win everything, so those at the lower end are neighbours of none."""
    ladder = Played(2, [(f"x{name}", owner) for name, owner in alone(30)])
    ladder.play(60)
    last = dict.fromkeys((name for name, _ in ladder.bots), 60)
    for number in range(61, 301):
        if number % 3 == 0:
            ladder.bots.append((f"a{number}", f"a{number}"))
        (table,) = ladder.play(1)
        last.update(dict.fromkeys(table, number))
        bound = LONG_WAIT * len(ladder.bots) / 2 + len(ladder.bots)
        assert number - min(last.values()) <= bound
    assert min(last.values()) > 60


# Newcomers.


def test_a_newcomer_plays_at_once() -> None:
    ladder = Played(2, alone(8))
    ladder.play(100)
    ladder.bots.append(("newcomer", "somebody"))
    assert "newcomer" in ladder.play(1)[0]


def test_newcomers_that_come_together_are_all_seated_first() -> None:
    ladder = Played(2, alone(20))
    ladder.play(200)
    ladder.bots += [("x1", "x1"), ("x2", "x2"), ("x3", "x3")]
    assert {"x1", "x2", "x3"} <= {name for table in ladder.play(3) for name in table}


def test_a_newcomer_has_most_of_the_first_sets_until_it_is_as_certain_as_the_others() -> None:
    ladder = Played(2, alone(20))
    ladder.play(400)
    ladder.bots.append(("b010x", "x"))
    first = [table for table in ladder.play(30) if "b010x" in table]
    assert len(first) >= 15
    ladder.play(200)
    later = [table for table in ladder.play(60) if "b010x" in table]
    assert len(later) <= 15


def test_a_bot_that_returns_is_taken_up_where_it_is() -> None:
    ladder = Played(2, alone(20))
    ladder.play(100)
    ladder.away.add("b005")
    assert not any("b005" in table for table in ladder.play(100))
    ladder.away.clear()
    assert "b005" in ladder.play(1)[0]


# Neighbours.


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_bots_meet_their_neighbours_and_now_and_then_each_of_the_others(pairing: int) -> None:
    ladder = Played(2, alone(30), pairing=pairing)
    tables = ladder.play(1_200)[200:]
    far = [
        frozenset((one, other))
        for one, other in tables
        if abs(int(one[1:]) - int(other[1:])) > PAIRINGS[pairing].near
    ]
    # One set in 16 is open to all, and half of all pairs are distant ones; these come in turn.
    assert 0.02 < len(far) / len(tables) < 0.1
    assert len({*far}) > 0.9 * len(far)


def farthest_of_newcomers(pairing: int) -> float:
    """Return how many ranks lie at most between ten newcomers and those they meet until they have
    sat 20 times, but for the first three times, in which they are found."""
    ladder = Played(2, alone(30), pairing=pairing)
    ladder.play(900)
    newcomers = [f"b{rank:03}.5" for rank in range(5, 25, 2)]
    ladder.bots += [(name, "newcomer") for name in newcomers]
    tables = ladder.play(600)
    far = []
    for name in newcomers:
        others = [each for table in tables if name in table for each in table if each != name]
        far += [abs(float(name[1:]) - float(other[1:])) for other in others[3:20]]
    return max(far)


def test_a_newcomer_meets_close_neighbours_alone_until_it_is_settled() -> None:
    assert farthest_of_newcomers(pairing=2) < 6
    assert farthest_of_newcomers(pairing=1) > 10


@pytest.mark.parametrize(("pairing", "drawn_before"), TABLES_DRAWN_BEFORE.items())
def test_the_same_rules_draw_the_same_tables_for_ever(pairing: int, drawn_before: str) -> None:
    """Else ladders that were played by them could not be verified."""
    ladder = Played(4, alone(40), pairing=pairing)
    ladder.play(400)
    tables = repr([planned.line_up for planned in ladder.sets])
    assert sha256(tables.encode()).hexdigest()[:16] == drawn_before


def test_every_pairing_has_its_tables_kept() -> None:
    assert TABLES_DRAWN_BEFORE.keys() == PAIRINGS.keys()


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_the_best_of_all_plays_as_often_as_others(pairing: int) -> None:
    ladder = Played(2, alone(30), pairing=pairing)
    sets = Counter(name for table in ladder.play(1_500) for name in table)
    assert 50 <= sets["b000"] <= 250  # 100 on the average


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_nobody_meets_the_same_opponent_again_and_again(pairing: int) -> None:
    ladder = Played(2, alone(12), pairing=pairing)
    tables = ladder.play(330)
    met = Counter(frozenset(table) for table in tables)
    assert max(met.values()) <= 25  # 5 on the average


# Coming, going, and being slow.


def test_a_slow_bot_holds_up_its_own_tables_only() -> None:
    ladder = Played(2, alone(6))
    ladder.play(30)
    while "b003" not in (ladder.plan() or ()):
        ladder.finish(ladder.sets[-1])
    slow = ladder.sets[-1]
    tables = ladder.play(100)
    others = {name for name, _ in ladder.bots} - {*slow.line_up}
    assert {name for table in tables for name in table} == others


def test_a_bot_sits_in_as_many_sets_at_once_as_it_may() -> None:
    ladder = Played(2, alone(2))
    assert ladder.plan() is not None
    assert ladder.ask() == Wait("0 of the 2 that a table needs are free; busy: b000, b001")
    ladder.busy_most = {"b000": 3, "b001": 2}
    assert ladder.plan() is not None
    assert ladder.ask() == Wait("1 of the 2 that a table needs are free; busy: b001")


def test_a_wait_tells_its_reason() -> None:
    ladder = Played(4, alone(3))
    assert isinstance(wait := ladder.ask(), Wait)
    assert wait.why.startswith("4 seats need 4 bots, and there are 3")
    ladder.bots += alone(11)[3:]
    ladder.away = {name for name, _ in ladder.bots} - {"b000", "b001"}
    assert ladder.ask() == Wait(
        "2 of the 4 that a table needs are here; away: b002, b003, b004, b005, b006, 4 more"
    )


def test_two_that_have_just_met_wait_a_little_for_others() -> None:
    ladder = Played(2, alone(12))
    ladder.play(60)
    for _ in range(6):
        assert ladder.plan() is not None
    over = ladder.unfinished[0]
    ladder.finish(over)
    ladder.idle_since = dict.fromkeys(over.line_up, ladder.now)
    assert ladder.ask() == Wait("2 are free, and 6 would be a choice", NOON + CHOICE_SECONDS)
    ladder.now += CHOICE_SECONDS
    assert isinstance(ladder.ask(), Play)
    ladder.now -= 1
    assert isinstance(ladder.ask(), Wait)
    ladder.bots.append(("newcomer", "somebody"))
    ladder.idle_since["newcomer"] = ladder.now
    assert isinstance(ladder.ask(), Play)


def test_bots_of_one_owner_meet_only_where_the_league_lets_them() -> None:
    bots = [("a1", "ann"), ("a2", "ann"), ("b1", "ben")]
    apart = Played(2, bots)
    assert frozenset(("a1", "a2")) not in {frozenset(table) for table in apart.play(60)}
    together = Played(2, [*bots], owners_may_meet=True)
    assert frozenset(("a1", "a2")) in {frozenset(table) for table in together.play(60)}


def test_owners_of_many_bots_have_one_at_each_table() -> None:
    bots = [(f"{owner}{number}", owner) for owner in ("ann", "ben", "cy") for number in range(5)]
    for table in Played(3, bots).play(60):
        assert sorted(name[:-1] for name in table) == ["ann", "ben", "cy"]


def test_sets_that_were_withdrawn_count_as_never_planned() -> None:
    ladder, other = Played(2, alone(10)), Played(2, alone(10))
    ladder.play(20)
    other.play(20)
    for each in (ladder, other):
        each.sets.append(PlannedSet(21, ("b001", "b002")))
    assert ladder.ask() == other.ask()
    ladder.left_out.add(21)
    other.sets[20] = PlannedSet(21, ("b007", "b008"))
    other.left_out.add(21)
    assert ladder.ask() == other.ask(OpenLadder(other.terms))


# The end, and the numbers.


def test_a_ladder_ends_only_where_its_sets_are_limited() -> None:
    endless = Played(2, alone(4))
    assert endless.planner.sets_in_all(endless.past, {}) is None
    limited = Played(2, alone(4))
    limited.planner = OpenLadder(LeagueTerms("ladder", 2, 5))
    limited.play(5)
    assert limited.ask() == Done("all 5 sets are planned")
    assert limited.planner.sets_in_all(limited.past, limited.results) == 5
    limited.left_out.add(3)
    del limited.results[3]
    assert isinstance(limited.ask(), Play)


def test_strengths_are_those_at_which_points_are_as_expected() -> None:
    """Three of four points are 191 Elo, less what one imagined tie of each with the middle takes;
    with 1,000 meetings that is less than 1."""
    games = np.array([[0, 1000], [1000, 0]])
    halves = np.array([[0, 1500], [500, 0]])
    strong, weak = fitted(games, halves).tolist()
    assert strong - weak == pytest.approx(191, abs=1)
    assert strong == -weak


def test_equations_are_solved_as_by_elimination() -> None:
    rng = np.random.default_rng(1)
    between = rng.integers(0, 9, (40, 40)).astype(np.float64)
    between += between.T
    matrix = np.diag(between.sum(1) + 0.25) - between
    wanted = rng.normal(size=40)
    assert np.abs(solved(matrix, wanted) - np.linalg.solve(matrix, wanted)).max() < 1e-3


def test_a_bot_that_won_everything_has_a_finite_strength() -> None:
    strengths = fitted(np.array([[0, 20], [20, 0]]), np.array([[0, 40], [0, 0]]))
    assert 300 < strengths[0] < 900


def test_the_tables_of_the_model_are_the_same_on_every_machine() -> None:
    """A replay of a ladder depends on each of their numbers."""
    apart = np.arange(-FARTHEST, FARTHEST + 1)
    numbers = np.concatenate([ahead(apart), told(apart)]).astype("<i8").tobytes()
    assert sha256(numbers).hexdigest().startswith("ec745ec61af501a6")
    assert ahead(np.array([0, 400, 9_999])).tolist() == [ONE // 2, 953_251, 1_048_566]
    assert told(np.array([0, 400])).tolist() == [ONE // 4, 86_659]


def test_the_common_fit_moves_on_in_steps_that_grow() -> None:
    assert [common_to(sets) for sets in (0, 7, 8, 100, 1_023)] == [0, 0, 8, 96, 1_016]
    assert common_to(1_024 + 15) == 1_024
    assert {common_to(sets) % 256 for sets in range(20_000, 21_000)} == {0}
