"""What counts: complete sets in the order of the schedule, and nothing of who is benched."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.league.ledger import Ledger
from arena.league.played import PlayedSet
from arena.league.ratings import Lack
from arena.league.table import MOST_MOMENTS, moments_of, standings_of
from arena.record import Move
from tests.league.leagues import BOTS, Simulated, schedule, simulate


def played(folder: Path, league: Simulated) -> list[PlayedSet]:
    with simulate(folder, league) as store:
        return list(store.complete_sets())


def test_sets_count_in_the_order_of_the_schedule_whatever_comes_first(tmp_path: Path) -> None:
    league = Simulated(sets=12)
    sets = played(tmp_path, league)
    in_order = Ledger(BOTS, schedule(league))
    for one in sets:
        in_order.enter(one)
    for seed in range(5):
        mixed = Ledger(BOTS, schedule(league))
        for one in random.Random(seed).sample(sets, len(sets)):
            mixed.enter(one)
        assert mixed.matches == in_order.matches
        assert mixed.tallies == in_order.tallies


def test_a_set_counts_only_when_all_before_it_do(tmp_path: Path) -> None:
    league = Simulated(sets=3)
    first, second, third = played(tmp_path, league)
    ledger = Ledger(BOTS, schedule(league))
    for one, counted in ((third, 0), (second, 0), (first, 3)):
        ledger.enter(one)
        assert ledger.sets == counted


def test_a_set_that_comes_twice_counts_once(tmp_path: Path) -> None:
    league = Simulated(sets=2)
    first, second = played(tmp_path, league)
    ledger = Ledger(BOTS, schedule(league))
    for one in (first, first, second, second, first):
        ledger.enter(one)
    assert (ledger.sets, len(ledger.matches)) == (2, 8)


def test_a_bot_that_fails_to_start_three_times_in_a_row_is_benched(tmp_path: Path) -> None:
    with simulate(tmp_path, Simulated(sets=20, absent=("mole",))) as store:
        table = standings_of(store)
    (mole,) = table.benched
    assert mole.name == "mole"
    assert "did not start 3 times in a row; the last time: it ended: exit code 1" in mole.reason
    assert mole.faults["never-started"] == mole.matches == 4
    first = next(one for one in schedule(Simulated()) if "mole" in one.line_up)
    assert mole.after_set == first.number


def test_a_bot_that_forfeits_five_matches_in_a_row_is_benched(tmp_path: Path) -> None:
    with simulate(tmp_path, Simulated(sets=20, illegal=("mole",))) as store:
        (mole,) = standings_of(store).benched
    assert "forfeited 5 matches in a row" in mole.reason
    assert mole.matches == 8  # the set in which it is benched is played to its end


def test_sets_with_a_benched_bot_count_for_nobody_afterwards(tmp_path: Path) -> None:
    league = Simulated(sets=20, illegal=("mole",))
    with simulate(tmp_path, league) as store:
        table = standings_of(store)
    (mole,) = table.benched
    counted = [
        one for one in schedule(league) if "mole" not in one.line_up or one.number <= mole.after_set
    ]
    assert table.facts.sets == len(counted)
    assert table.facts.is_finished
    for row in table.rows:
        assert row.sets == sum(row.name in one.line_up for one in counted)


def test_the_others_are_rated_as_if_the_benched_bot_had_made_no_pairs(tmp_path: Path) -> None:
    absent = Simulated(sets=20, illegal=("mole",))
    with simulate(tmp_path, absent) as store:
        table = standings_of(store)
    assert {row.name for row in table.rows} == set(BOTS) - {"mole"}
    assert sum(row.elo for row in table.rows) == pytest.approx(0, abs=1e-6)
    assert not any("mole" in pair for pair in table.versus)
    assert not any("mole" in moment.elo for moment in table.history)


def test_a_match_that_never_began_counts_only_against_those_absent(tmp_path: Path) -> None:
    """Two sets, one with an absent bot: those who came have won against it and nobody else."""
    league = Simulated(sets=1, bots=BOTS[:4], absent=("fox",))
    with simulate(tmp_path, league) as store:
        ledger = Ledger(BOTS[:4], schedule(league))
        for one in store.complete_sets():
            ledger.enter(one)
    assert all(not match.is_begun for match in ledger.matches)
    assert ledger.tallies["owl"].places.total() == 0
    assert ledger.tallies["fox"].places == {4: 4}


def test_faults_places_and_thinking_time_are_counted(tmp_path: Path) -> None:
    league = Simulated(sets=8)
    with simulate(tmp_path, league) as store:
        table = standings_of(store)
        records = [match.record for one in store.complete_sets() for match in one.matches]
    for row in table.rows:
        seats = [
            (record, seat)
            for record in records
            for seat, name in enumerate(record.names)
            if name == row.name
        ]
        times = [
            move.time_us for record, seat in seats for move in record.moves if move.seat == seat
        ]
        assert row.matches == len(seats) == sum(row.places)
        assert row.places[0] == sum(record.places[seat] == 1 for record, seat in seats)
        assert row.think_ms == pytest.approx(sum(times) / len(times) / 1000)
        assert row.slowest_ms == max(times) / 1000
        points = sum(record.scores[seat] for record, seat in seats) / len(seats)
        assert row.points is not None
        assert row.points.value == pytest.approx(points)


def test_what_was_played_for_a_bot_says_nothing_of_how_quick_it_is(tmp_path: Path) -> None:
    league = Simulated(sets=1, bots=BOTS[:4])
    (one,) = played(tmp_path, league)
    first = one.matches[0]
    seat = first.record.names.index("fox")
    moves = tuple(
        Move(move.seat, move.action, 0 if move.seat == seat else 1000)
        for move in first.record.moves
    )
    played_for = replace(first, record=replace(first.record, moves=moves))
    ledger = Ledger(BOTS[:4], schedule(league))
    ledger.enter(PlayedSet(1, 0, (played_for,)))
    assert (ledger.tallies["fox"].decisions, ledger.tallies["fox"].think_us) == (0, 0)
    owl = ledger.tallies["owl"]
    assert owl.decisions > 0
    assert (owl.think_us, owl.slowest_us) == (1000 * owl.decisions, 1000)


def test_when_the_first_and_the_last_match_ended_is_told_whatever_order_they_ended_in(
    tmp_path: Path,
) -> None:
    league = Simulated(sets=1, bots=BOTS[:4])
    (one,) = played(tmp_path, league)
    hours = ("12", "09", "17", "10")
    matches = tuple(
        replace(match, ended=f"2026-01-01T{hour}:00:00Z")
        for match, hour in zip(one.matches, hours, strict=True)
    )
    ledger = Ledger(BOTS[:4], schedule(league))
    assert (ledger.first, ledger.last) == ("", "")
    ledger.enter(PlayedSet(1, 0, matches))
    assert (ledger.first, ledger.last) == ("2026-01-01T09:00:00Z", "2026-01-01T17:00:00Z")


def test_points_are_told_by_round_where_every_match_has_as_many(tmp_path: Path) -> None:
    for rounds in (1, 2):
        league = Simulated(sets=2, options={"rounds": rounds})
        with simulate(tmp_path / str(rounds), league) as store:
            table = standings_of(store)
            scores = [
                match.record.scores[match.record.names.index(table.rows[0].name)]
                for one in store.complete_sets()
                for match in one.matches
                if table.rows[0].name in match.record.names
            ]
        assert table.facts.points_of == "round"
        assert table.rows[0].points is not None
        assert table.rows[0].points.value == pytest.approx(sum(scores) / len(scores) / rounds)


def test_points_are_told_by_match_where_rounds_are_not_fixed(tmp_path: Path) -> None:
    with simulate(tmp_path, Simulated(sets=1, options={"target": 20})) as store:
        assert standings_of(store).facts.points_of == "match"


def test_two_have_met_at_as_many_tables_as_both_sat_at(tmp_path: Path) -> None:
    for seats in (2, 4):
        with simulate(tmp_path / str(seats), Simulated(sets=6, seats=seats)) as store:
            versus = standings_of(store).versus
            tables = [match.record.names for one in store.complete_sets() for match in one.matches]
        met = Counter(pair for names in tables for pair in permutations(names, 2))
        assert {pair: one.meetings for pair, one in versus.items()} == met


def test_who_sat_only_where_others_did_not_come_has_no_places_yet(tmp_path: Path) -> None:
    league = Simulated(sets=1, bots=BOTS[:4], absent=("fox",))
    with simulate(tmp_path, league) as store:
        table = standings_of(store)
    assert [row.name for row in table.benched] == ["fox"]
    assert {(row.matches, row.wins, row.place) for row in table.rows} == {(4, None, None)}


def test_seats_have_their_edges_where_not_everybody_holds_every_hand(tmp_path: Path) -> None:
    for duplicate, seats in ((True, []), (False, [0, 1, 2, 3])):
        league = Simulated(sets=6, duplicate=duplicate)
        with simulate(tmp_path / str(duplicate), league) as store:
            assert [edge.seat for edge in standings_of(store).seat_edges] == seats
    with simulate(tmp_path / "unplayed", Simulated(duplicate=False), 0) as store:
        assert standings_of(store).seat_edges == ()


@pytest.mark.parametrize("sets", [1, 2])
def test_a_league_is_finished_when_its_last_set_counts(tmp_path: Path, sets: int) -> None:
    for played_sets in range(sets + 1):
        with simulate(tmp_path / str(played_sets), Simulated(sets=sets), played_sets) as store:
            assert standings_of(store).facts.is_finished is (played_sets == sets)


def test_an_unplayed_league_has_a_table_without_rows(tmp_path: Path) -> None:
    with simulate(tmp_path, Simulated(sets=3), 0) as store:
        table = standings_of(store)
    assert (table.rows, table.waiting, table.facts.sets) == ((), BOTS, 0)
    assert not table.facts.is_finished


def test_rows_are_provisional_until_they_have_enough(tmp_path: Path) -> None:
    with simulate(tmp_path, Simulated(sets=3)) as store:
        assert all(Lack.SETS in row.lacks for row in standings_of(store).rows)


@pytest.mark.parametrize("sets", [0, 1, 2, 59, 60, 61, 120, 121, 123, 5000])
def test_the_history_has_few_moments_and_the_last_of_them_is_now(sets: int) -> None:
    moments = moments_of(sets)
    assert min(sets, MOST_MOMENTS // 2) <= len(moments) <= MOST_MOMENTS + 1
    assert moments == sorted(set(moments))
    assert moments[-1:] == ([sets] if sets else [])


def test_the_history_ends_where_the_table_stands(tmp_path: Path) -> None:
    with simulate(tmp_path, Simulated(sets=9)) as store:
        table = standings_of(store)
    assert [moment.sets for moment in table.history] == list(range(1, 10))
    assert table.history[-1].elo == {row.name: (row.elo, row.half_width) for row in table.rows}


def test_parts_of_the_table_are_numbered_without_a_gap(tmp_path: Path) -> None:
    """A benched bot before the others leaves no part without rows."""
    league = Simulated(sets=6, seats=2, bots=("ape", "bee"), illegal=("ape",))
    with simulate(tmp_path, league) as store:
        table = standings_of(store)
    assert [row.name for row in table.benched] == ["ape"]
    assert [(row.name, row.part) for row in table.rows] == [("bee", 0)]
