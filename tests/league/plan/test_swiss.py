"""Swiss: rounds seated at once, nobody meets again without need, byes spread, ends as it says."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations
from zlib import crc32

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena.league.model.terms import LeagueTerms
from arena.league.plan.format import Done, MatchResult, Past, Play, SetResult, Wait
from arena.league.plan.rounds.matching import NoPairs, cheapest_pairs
from arena.league.plan.rounds.score_sheet import ScoreSheet
from arena.league.plan.rounds.tables import DRAWS, cheapest_tables, searched, ways
from arena.league.plan.swiss import Swiss
from tests.league.plan.driven import Driven, alone, name_of


def swiss(bots: int, seats: int, rounds: int | None = None, sets_per_table: int = 1) -> Driven:
    told = LeagueTerms("swiss", seats, None, rounds=rounds, sets_per_table=sets_per_table)
    return Driven(Swiss(told), told, alone(bots))


def sheet(league: Driven) -> ScoreSheet:
    return ScoreSheet(league.past, league.results)


def written(league: Driven) -> str:
    """Write a league as people do: the tables by round, best first, and the standing."""
    lines = []
    for number, (_, sets) in enumerate(league.past.by_decision(), 1):
        tables = " | ".join(
            " ".join(league.rank(planned.line_up, planned.number)) for planned in sets
        )
        lines.append(f"round {number}: {tables}")
    for row in sheet(league).standing():
        lines.append(
            f"{row.place:2} {row.name} {row.points:5.2f} {row.opponents:6.2f} {row.beaten:6.2f}"
        )
    return "\n".join(lines)


def test_eight_bots_at_tables_of_two_worked_by_hand() -> None:
    """A beats all others, B all but A, and so on. Round 1 is by lot. In round 2 the four winners
    meet, and the four losers; in round 3 the only two with 2 points, then those with 1, then those
    with 0. F, E and B, D have not met. The columns: points, opponents' points, beaten points.

    Opponents' points of A: F 1 + B 2 + C 2 = 5; it beat them all, so its beaten points are 5 too.
    C met D 2, E 1, A 3, and beat D and E: 6 and 3.
    """
    league = swiss(8, 2)
    assert league.play() == Done("all 3 rounds are played")
    assert (
        written(league)
        == """\
round 1: B H | C D | A F | E G
round 2: C E | A B | F G | D H
round 3: A C | B F | D E | G H
 1 A  3.00   5.00   5.00
 2 C  2.00   6.00   3.00
 3 B  2.00   4.00   1.00
 4 D  2.00   3.00   1.00
 5 F  1.00   6.00   1.00
 6 E  1.00   5.00   1.00
 7 G  1.00   2.00   0.00
 8 H  0.00   5.00   0.00"""
    )


def test_twelve_bots_at_tables_of_four_worked_by_hand() -> None:
    """A table brings 1, 2/3, 1/3 and 0. Four bots out of three tables of the round before: one pair
    at each table must meet again. In round 2 these are A F, E G and H K.

    Opponents' points of A, at each table the mean: (F 2 + J 1 + L 0) / 3 = 1, then
    (B 3.33 + C 3 + F 2) / 3 = 2.78, (B 3.33 + D 3 + H 1.33) / 3 = 2.56 and
    (C 3 + G 1.67 + H 1.33) / 3 = 2, together 8.33. A beat them all.
    """
    league = swiss(12, 4)
    assert league.play() == Done("all 4 rounds are played")
    assert (
        written(league)
        == """\
round 1: A F J L | B E G I | C D H K
round 2: A B C F | D E G J | H I K L
round 3: A B D H | C E I J | F G K L
round 4: A C G H | B J K L | D E F I
 1 A  4.00   8.33   8.33
 2 B  3.33   8.22   5.56
 3 C  3.00   8.78   5.00
 4 D  3.00   8.33   4.89
 5 E  2.67   7.56   3.44
 6 F  2.00   8.22   1.56
 7 G  1.67   8.33   1.44
 8 H  1.33   9.33   1.00
 9 I  1.00   8.11   0.67
10 J  1.00   8.11   0.33
11 K  1.00   5.89   0.00
12 L  0.00   6.78   0.00"""
    )


def cheapest(cost: np.typing.NDArray[np.int64], seats: int) -> int:
    """Try all ways to fill the tables."""

    @cache
    def least(rest: frozenset[int]) -> int:
        if not rest:
            return 0
        first = min(rest)
        return min(
            sum(int(cost[pair]) for pair in combinations((first, *others), 2))
            + least(rest - {first, *others})
            for others in combinations(sorted(rest - {first}), seats - 1)
        )

    return least(frozenset(range(len(cost))))


def random_costs(bots: int, seed: int, most: int) -> np.typing.NDArray[np.int64]:
    upper = np.triu(np.random.default_rng(seed).integers(0, most, (bots, bots)), 1)
    both: np.typing.NDArray[np.int64] = upper + upper.T
    return both


def cost_of(tables: list[list[int]], cost: np.typing.NDArray[np.int64]) -> int:
    return sum(int(cost[pair]) for table in tables for pair in combinations(table, 2))


@given(st.integers(1, 5), st.integers(0, 10**6), st.sampled_from([2, 4, 30, 1 << 50]))
@settings(deadline=None)
def test_pairs_are_the_cheapest_of_all(half: int, seed: int, most: int) -> None:
    cost = random_costs(2 * half, seed, most)
    pairs = cheapest_pairs(cost, np.zeros(cost.shape, bool))
    assert sorted(bot for pair in pairs for bot in pair) == list(range(2 * half))
    assert cost_of([list(pair) for pair in pairs], cost) == cheapest(cost, 2)


@pytest.mark.parametrize("seed", range(300))
def test_pairs_are_the_cheapest_with_many_blossoms(seed: int) -> None:
    """Of two costs only, so that odd cycles abound, and with a third of all pairs forbidden."""
    cost = random_costs(10, seed, 2)
    forbidden = random_costs(10, seed + 1000, 3) == 1
    forbidden &= ~np.eye(10, dtype=bool)
    dear = np.where(forbidden, 1000, cost)
    least = cheapest(dear, 2)
    if least >= 1000:
        with pytest.raises(NoPairs):
            cheapest_pairs(cost, forbidden)
    else:
        assert cost_of([list(pair) for pair in cheapest_pairs(cost, forbidden)], cost) == least


@pytest.mark.parametrize(("bots", "seats"), [(6, 3), (9, 3), (8, 4), (10, 5), (12, 6)])
def test_where_ways_are_few_tables_are_the_cheapest_of_all(bots: int, seats: int) -> None:
    none = np.zeros((bots, bots), bool)
    for seed in range(4):
        cost = random_costs(bots, seed, 50)
        tables = cheapest_tables(cost, none, seats, np.zeros(DRAWS, np.int64))
        assert sorted(bot for table in tables for bot in table) == list(range(bots))
        assert cost_of(tables, cost) == cheapest(cost, seats)


def test_there_are_so_many_ways() -> None:
    assert [ways(8, 2), ways(12, 4), ways(12, 3), ways(4, 4)] == [105, 5775, 15400, 1]


def test_the_search_finds_the_fewest_rematches_where_they_are_known() -> None:
    """Three rounds of 12 bots at tables of four, met at random: the search against all ways."""
    rng = np.random.default_rng(1)
    none = np.zeros((12, 12), bool)
    for _ in range(10):
        cost = np.zeros((12, 12), np.int64)
        for _ in range(3):
            for table in rng.permutation(12).reshape(3, 4):
                cost[np.ix_(table, table)] += 1
        np.fill_diagonal(cost, 0)
        found = searched(cost, none, 4, rng.integers(0, 1 << 20, DRAWS))
        assert cost_of(found, cost) == cost_of(
            cheapest_tables(cost, none, 4, np.zeros(DRAWS, np.int64)), cost
        )


@given(
    st.sampled_from([(4, 2), (6, 2), (8, 2), (6, 3), (9, 3), (8, 4)]),
    st.binary(min_size=4, max_size=4),
)
@settings(deadline=None, max_examples=25)
def test_no_round_has_a_rematch_that_could_be_avoided(shape: tuple[int, int], lots: bytes) -> None:
    """Beside all ways to seat it. (Rounds before may leave no way without one.)"""
    bots, seats = shape
    league = swiss(bots, seats, rounds=6)
    league.lots = lots
    league.rank = lambda table, number: sorted(
        table, key=lambda bot: crc32(lots + bytes([number]) + bot.encode())
    )
    names = [name for name, _ in league.bots]
    for _ in range(6):
        met = sheet(league).met
        again = np.array([[met[frozenset((one, two))] for two in names] for one in names])
        play = league.plan()
        assert isinstance(play, Play)
        tables = [[names.index(name) for name in table] for table in play.tables]
        assert cost_of(tables, again) == cheapest(again, seats)
        league.finish_sets()


def test_a_round_has_no_rematch_where_greedy_seating_would_take_one() -> None:
    """0 1, 2 3 and 4 5 have met. Seated one after the other, 0 2 and 1 3 leave 4 and 5 over."""
    met = np.zeros((6, 6), np.int64)
    met[[0, 1, 2, 3, 4, 5], [1, 0, 3, 2, 5, 4]] = 1
    tables = cheapest_tables(met, np.zeros((6, 6), bool), 2, np.zeros(DRAWS, np.int64))
    assert cost_of(tables, met) == 0


@st.composite
def leagues(draw: st.DrawFn) -> Driven:
    """Leagues of owners with up to three bots each, in which at least one table can be full."""
    seats = draw(st.integers(2, 6))
    sizes = draw(st.lists(st.integers(1, 3), min_size=seats, max_size=12))
    bots = [
        (f"{name_of(owner)}{each}", f"o{owner}")
        for owner, size in enumerate(sizes)
        for each in range(size)
    ]
    terms = LeagueTerms(
        "swiss",
        seats,
        None,
        owners_may_meet=draw(st.booleans()),
        rounds=draw(st.integers(1, 5)),
        sets_per_table=draw(st.integers(1, 2)),
    )
    return Driven(Swiss(terms), terms, bots, lots=draw(st.binary(min_size=8, max_size=8)))


def check_round(league: Driven, play: Play) -> None:
    owner_of = dict(league.bots)
    times = Counter(play.tables)
    assert set(times.values()) == {league.terms.sets_per_table}
    sat = Counter(name for table in times for name in table)
    assert set(sat.values()) == {1}
    assert not sat.keys() & league.away
    for table in times:
        assert len(table) == league.terms.seats
        if not league.terms.owners_may_meet:
            assert len({owner_of[name] for name in table}) == len(table)


@given(leagues(), st.data())
@settings(deadline=None, max_examples=40)
def test_tables_are_full_and_nobody_sits_twice_whoever_comes_and_goes(
    league: Driven, data: st.DataObject
) -> None:
    for _ in range(40):
        answer = league.plan()
        if isinstance(answer, Play):
            check_round(league, answer)
            if data.draw(st.booleans(), "one leaves in the round") and len(league.bots) > 1:
                league.leave(data.draw(st.sampled_from(league.bots))[0])
            league.finish_sets()
            names = [name for name, _ in league.bots]
            league.away = set(data.draw(st.lists(st.sampled_from(names), max_size=2)))
            if data.draw(st.booleans(), "one enters"):
                league.bots = [*league.bots, (f"new {len(league.past.sets)}", "newcomer")]
        elif isinstance(answer, Wait):
            assert league.away
            league.away = set()
        else:
            break
    assert isinstance(league.ask(), Done)
    if league.format.why_not(league.bots) is None:
        assert len(sheet(league).rounds) == league.terms.rounds


@given(leagues())
@settings(deadline=None, max_examples=30)
def test_the_order_of_bots_and_results_changes_nothing(league: Driven) -> None:
    league.plan()
    league.finish_sets()
    again = dict(sorted(league.results.items(), reverse=True))
    assert league.ask() == league.ask(results=again)
    before, league.bots = league.ask(), league.bots[::-1]
    assert league.ask() == before


@given(st.integers(2, 6), st.integers(2, 30), st.integers(1, 6))
@settings(deadline=None, max_examples=40)
def test_nobody_has_a_second_bye_before_all_had_one(seats: int, bots: int, rounds: int) -> None:
    assume(bots >= seats)
    league = swiss(bots, seats, rounds)
    league.play()
    byes = [row.byes for row in sheet(league).standing()]
    assert sum(byes) == rounds * (bots % seats)
    assert max(byes) - min(byes) <= 1


def test_the_bot_with_the_fewest_points_sits_out_and_gets_half_a_point() -> None:
    league = swiss(5, 2, rounds=2)
    league.plan()
    first = next(row.name for row in sheet(league).standing() if row.byes)
    league.finish_sets()
    losers = {name for name, points in sheet(league).points.items() if points == 0}
    league.plan()
    second = {row.name for row in sheet(league).standing() if row.byes} - {first}
    assert len(second) == 1
    assert second < losers
    assert sheet(league).points[first] == 0.5


@pytest.mark.parametrize(("bots", "rounds"), [(2, 1), (3, 2), (8, 3), (9, 4), (100, 7)])
def test_a_league_has_as_many_rounds_as_halve_its_bots_to_one(bots: int, rounds: int) -> None:
    league = swiss(bots, 2)
    assert league.play() == Done(f"all {rounds} rounds are played")
    assert len(sheet(league).rounds) == rounds
    assert league.format.sets_in_all(Past(league.bots), {}) == len(league.past.sets)


def test_a_round_waits_for_all_sets_of_the_one_before() -> None:
    league = swiss(8, 2)
    league.plan()
    league.finish_sets()
    del league.results[4]
    assert league.ask() == Wait("round 1 of 3 is being played")


def test_round_one_waits_for_all_and_tells_who_is_away() -> None:
    league = swiss(4, 2)
    league.away = {"C"}
    assert league.ask() == Wait("round 1 begins when all are here; away: C")


def test_who_is_away_in_a_later_round_sits_out_without_a_bye() -> None:
    league = swiss(4, 2, rounds=2)
    league.plan()
    league.finish_sets()
    league.away = {"A"}
    league.play()
    rows = {row.name: row for row in sheet(league).standing()}
    assert (rows["A"].points, rows["A"].byes, rows["A"].rounds) == (1, 0, 1)
    assert sum(row.byes for row in rows.values()) == 1


def test_too_few_that_are_here_wait_and_too_few_that_are_left_end_it() -> None:
    league = swiss(2, 2, rounds=3)
    league.plan()
    league.finish_sets()
    league.away = {"A"}
    assert league.ask() == Wait("round 2 waits for bots that are away: A")
    league.leave("A")
    answer = league.ask()
    assert isinstance(answer, Done)
    assert answer.why.startswith("round 2 of 3 cannot be seated: 2 seats need 2 bots")


def test_a_newcomer_plays_from_the_next_round_on_with_no_points_for_those_before() -> None:
    league = swiss(3, 2, rounds=2)
    league.plan()
    league.finish_sets()
    league.bots.append(("N", "newcomer"))
    league.play()
    rows = {row.name: row for row in sheet(league).standing()}
    assert (rows["N"].rounds, rows["N"].byes, rows["N"].points) == (1, 0, 0)


def test_a_table_given_up_counts_half_for_its_bots() -> None:
    league = swiss(4, 2, rounds=1)
    league.plan()
    league.left_out = {1}
    league.finish_sets()
    league.ask()
    assert [sheet(league).points[name] for name in league.past.sets[0].line_up] == [0.5, 0.5]


def test_a_round_of_which_no_set_counts_is_drawn_again() -> None:
    league = swiss(4, 2, rounds=1)
    league.plan()
    league.left_out = {1, 2}
    assert isinstance(league.plan(), Play)
    league.finish_sets()
    assert league.ask() == Done("all 1 rounds are played")


def test_sets_of_one_table_count_as_their_mean() -> None:
    league = swiss(2, 2, rounds=1, sets_per_table=2)
    league.plan()
    for number, places in ((1, (1, 2)), (2, (1, 1))):
        match = MatchResult(("A", "B"), places, ())
        league.results[number] = SetResult(number, (match,))
    assert league.ask() == Done("all 1 rounds are played")
    assert sheet(league).points == {"A": 0.75, "B": 0.25}
    assert [row.beaten for row in sheet(league).standing()] == [0.1875, 0.1875]


def test_bots_that_agree_in_all_values_share_a_place() -> None:
    league = swiss(4, 2, rounds=1)
    league.play()
    assert [row.place for row in sheet(league).standing()] == [1, 1, 3, 3]


def winners(league: Driven) -> list[str]:
    (table,) = league.format.course(league.past, league.results)
    return [*table.winners]


def test_its_course_names_the_winner_when_no_more_rounds_are_played() -> None:
    league = swiss(4, 2, rounds=2)
    assert winners(league) == []
    for _ in range(2):
        league.plan()
        assert winners(league) == []
        league.finish_sets()
    assert winners(league) == ["A"]
    assert winners(replace(league, format=swiss(4, 2, rounds=3).format)) == []
    level = swiss(4, 2, rounds=1)
    level.play()
    assert sorted(winners(level)) == sorted(row.name for row in sheet(level).standing()[:2])


def test_a_swiss_that_too_few_are_left_for_has_a_winner_if_it_was_played() -> None:
    league = swiss(2, 2, rounds=3)
    league.leave("A")
    league.ask()
    assert winners(league) == []
    league = swiss(2, 2, rounds=3)
    league.plan()
    league.finish_sets()
    assert winners(league) == []
    league.leave("B")
    league.ask()
    assert winners(league) == ["A"]
