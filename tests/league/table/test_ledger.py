"""What counts: complete sets in the order of the schedule, and nothing of who is benched."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from itertools import permutations
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.audit.recount import missing_points
from arena.league.model.played import PlayedSet
from arena.league.model.sets import PlannedSet
from arena.league.model.settings import Settings
from arena.league.table.ledger import Ledger, Tally
from arena.league.table.live import ledger_of, standings_of
from arena.league.table.maker import MOST_MOMENTS, RunFacts, TableMaker, moments_of
from arena.league.table.ratings import Lack, Scored
from arena.record import FaultEntry, Move
from tests.league.leagues import BOTS, Simulated, schedule, simulate
from tests.outputs.leagues import play


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
    # The set in which it is benched is played to its end.
    assert (mole.sets, mole.matches) == (2, 8)


def test_sets_with_a_benched_bot_count_for_nobody_afterwards(tmp_path: Path) -> None:
    league = Simulated(sets=20, illegal=("mole",))
    with simulate(tmp_path, league) as store:
        table = standings_of(store)
    (mole,) = table.benched
    counted = [
        one for one in schedule(league) if "mole" not in one.line_up or one.number <= mole.after_set
    ]
    assert table.facts.sets == len(counted)
    assert table.facts.sets_left_out == 20 - len(counted)
    for row in table.rows:
        assert row.rating.sets == sum(row.name in one.line_up for one in counted)


def test_the_others_are_rated_as_if_the_benched_bot_had_made_no_pairs(tmp_path: Path) -> None:
    absent = Simulated(sets=20, illegal=("mole",))
    with simulate(tmp_path, absent) as store:
        table = standings_of(store)
    assert {row.name for row in table.rows} == set(BOTS) - {"mole"}
    assert sum(row.rating.elo for row in table.rows) == pytest.approx(0, abs=1e-6)
    assert not any("mole" in pair for pair in table.versus)
    assert not any("mole" in moment.elo for moment in table.history)


@pytest.mark.parametrize("seats", [2, 4])
def test_ratings_are_those_of_the_pairs_that_the_benched_bot_is_not_in(
    tmp_path: Path, seats: int
) -> None:
    """Also of the matches played before it was benched, in which others met over its table."""
    league = Simulated(sets=40, seats=seats, illegal=("mole",), skills={"fox": 1.0, "owl": 0.0})
    with simulate(tmp_path, league) as store:
        table = standings_of(store)
        matches = ledger_of(store).matches
    assert any(BOTS.index("mole") in match.bots for match in matches)
    weights: dict[tuple[str, str], float] = defaultdict(float)
    points: dict[tuple[str, str], float] = defaultdict(float)
    for match in matches:
        for one, other in permutations(range(seats), 2):
            names = (BOTS[match.bots[one]], BOTS[match.bots[other]])
            if "mole" not in names:
                ahead = match.places[other] - match.places[one]
                weights[names] += 2 / seats
                points[names] += (1 + (ahead > 0) - (ahead < 0)) / seats
    met = {pair: round(weight * seats / 2) for pair, weight in weights.items()}
    assert {pair: one.meetings for pair, one in table.versus.items()} == met
    # Their ratings expect of the others just the points that they made against each other.
    assert [*missing_points(table, weights, points)] == []


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
        assert row.rating.games == len(seats) == sum(row.places)
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


def test_sets_to_come_with_a_benched_bot_are_left_out_before_their_turn(tmp_path: Path) -> None:
    league = Simulated(sets=20, absent=("mole",))
    ledger, planned = Ledger(BOTS, schedule(league)), schedule(league)
    for one in played(tmp_path, league):
        assert not ledger.left_out
        ledger.enter(one)
        if ledger.benching.reasons:
            break
    with_mole = [one for one in planned if "mole" in one.line_up]
    assert ledger.sets == 1
    assert len(ledger.left_out) == len(with_mole) - 1 > 10
    assert not ledger.is_settled


def test_a_match_is_counted_with_all_that_ratings_need(tmp_path: Path) -> None:
    league = Simulated(sets=1)
    (one,) = played(tmp_path, league)
    first, second, *others = one.matches
    late, gone = (FaultEntry(seat, 0, kind, kind, "") for seat, kind in ((1, "late"), (3, "gone")))
    moves = (Move(0, "R1", 5), Move(0, "R2", 7), Move(1, "R3", 9), Move(3, "R4", 0))
    changed = (
        replace(
            first,
            stood=True,
            ended="2026-01-01T00:00:09Z",
            record=replace(
                first.record,
                places=(1, 3, 2, 3),
                scores=(),
                forfeits=(1, 3),
                faults=(late, gone),
                moves=moves,
                confinement="landlock 7",
            ),
        ),
        replace(
            second,
            ended="2026-01-01T00:00:02Z",
            record=replace(
                second.record,
                ending="not-begun",
                places=(1, 1, 4, 1),
                scores=(),
                forfeits=(2,),
                faults=(),
                moves=(),
                confinement="landlock 6",
            ),
        ),
        *others,
    )
    ledger = Ledger(BOTS, schedule(league))
    ledger.enter(PlayedSet(1, one.attempt, changed))
    seats = [tuple(BOTS.index(name) for name in match.record.names) for match in changed]
    assert ledger.matches[:3] == [
        Scored(1, 0, seats[0], (1, 3, 2, 3), (), (1, 3), is_begun=True),
        Scored(1, 1, seats[1], (1, 1, 4, 1), (), (2,), is_begun=False),
        Scored(
            1, 2, seats[2], others[0].record.places, tuple(map(float, others[0].record.scores)), ()
        ),
    ]
    ledger = Ledger(BOTS, schedule(league))
    ledger.enter(PlayedSet(1, one.attempt, changed[:2]))
    assert (ledger.first, ledger.last) == ("2026-01-01T00:00:02Z", "2026-01-01T00:00:09Z")
    assert (ledger.stood, ledger.confinement) == (1, "landlock 6")
    tallies = [ledger.tallies[name] for name in first.record.names]
    absent = second.record.names[2]
    expected = [
        Tally(1, 2, Counter([1]), Counter(), 0, 2, 12, 7),
        Tally(1, 2, Counter([3]), Counter(["late"]), 1, 1, 9, 9),
        Tally(1, 2, Counter([2]), Counter(), 0),
        Tally(1, 2, Counter([3]), Counter(["gone"]), 1),
    ]
    of_absent = expected[first.record.names.index(absent)]
    of_absent.forfeits += 1
    of_absent.places[4] += 1
    assert tallies == expected


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


@pytest.mark.parametrize(
    ("weights", "pinned"),
    [
        ({"fox": 1.0}, ["fox"]),
        ({"fox": 2.0, "owl": 2.0}, ["fox", "owl"]),
        # Who is benched is no part of the table, and nothing hangs on it.
        ({"mole": 1.0, "owl": 1.0}, ["owl"]),
        ({"mole": 1.0}, ["crow", "fox", "hare", "owl"]),
    ],
)
def test_the_scale_hangs_on_the_anchor(
    tmp_path: Path, weights: dict[str, float], pinned: list[str]
) -> None:
    with simulate(tmp_path, Simulated(sets=20, illegal=("mole",))) as store:
        settings = Settings.from_json({**store.settings, "anchor": weights, "anchor_elo": 1500.0})
        table = TableMaker(settings, 1, ledger_of(store)).standings(
            store.entrants(),
            voids=store.voids(),
            run=RunFacts(None, False, False, "", ()),
            with_history=True,
        )
    elo = {row.name: row.rating.elo for row in table.rows}
    assert sum(elo[name] for name in pinned) / len(pinned) == pytest.approx(1500)
    last = table.history[-1].elo
    assert sum(last[name][0] for name in pinned) / len(pinned) == pytest.approx(1500)


def test_who_sat_only_where_others_did_not_come_has_no_places_yet(tmp_path: Path) -> None:
    league = Simulated(sets=1, bots=BOTS[:4], absent=("fox",))
    with simulate(tmp_path, league) as store:
        table = standings_of(store)
    assert [row.name for row in table.benched] == ["fox"]
    assert {(row.rating.games, row.rating.wins, row.rating.place) for row in table.rows} == {
        (4, None, None)
    }


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
        assert all(Lack.SETS in row.rating.lacks for row in standings_of(store).rows)


@pytest.mark.parametrize("sets", [0, 1, 2, 59, 60, 61, 120, 121, 123, 5000])
def test_the_history_has_few_moments_and_the_last_of_them_is_now(sets: int) -> None:
    moments = moments_of(sets)
    assert min(sets, MOST_MOMENTS // 2) <= len(moments) <= MOST_MOMENTS + 1
    assert moments == sorted(set(moments))
    assert moments[-1:] == ([sets] if sets else [])


def test_the_history_has_every_set_up_to_sixty_and_then_every_second() -> None:
    assert moments_of(60) == list(range(1, 61))
    assert moments_of(61) == [*range(2, 61, 2), 61]


def test_a_table_made_again_and_again_keeps_only_the_moments_that_it_shows(tmp_path: Path) -> None:
    league = Simulated(game="nope", bots=BOTS[:3], seats=2, sets=70, options={"hand": 2})
    with simulate(tmp_path, league) as store:
        settings = Settings.from_json(store.settings)
        ledger = Ledger(BOTS[:3], store.planned())
        maker = TableMaker(settings, 1, ledger)
        run = RunFacts(None, True, False, "", ())
        for one in store.complete_sets():
            ledger.enter(one)
            table = maker.standings(store.entrants(), voids={}, run=run, with_history=True)
            assert len(maker._moments) == len(table.history)
        anew = TableMaker(settings, 1, ledger)
        assert table == anew.standings(store.entrants(), voids={}, run=run, with_history=True)
    assert [moment.sets for moment in table.history] == moments_of(70)


@pytest.mark.parametrize("illegal", [(), ("mole",)])
def test_the_history_ends_where_the_table_stands(tmp_path: Path, illegal: tuple[str, ...]) -> None:
    """A benched bot's pairs are left out of every moment, also of those before its benching."""
    with simulate(tmp_path, Simulated(sets=9, illegal=illegal)) as store:
        table = standings_of(store)
    assert [row.name for row in table.benched] == [*illegal]
    assert [moment.sets for moment in table.history] == list(range(1, table.facts.sets + 1))
    assert table.history[-1].elo == {
        row.name: (row.rating.elo, row.rating.half_width) for row in table.rows
    }


def test_a_benched_bot_is_in_no_part_of_a_table_of_several(tmp_path: Path) -> None:
    """Four tables of two: without ape nothing compares bee with cat, nor either with the rest."""
    bots = ("ape", "bee", "cat", "dog", "elk")
    league = Simulated(sets=0, seats=2, bots=bots, illegal=("ape",))
    line_ups = [("ape", "bee"), ("ape", "cat"), ("ape", "bee"), ("dog", "elk"), ("dog", "elk")]
    sets = [PlannedSet(number, line_up) for number, line_up in enumerate(line_ups, 1)]
    with simulate(tmp_path, league) as store:
        store.add_sets(sets, ())
        play(store, league, sets)
        table = standings_of(store)
    assert [(row.name, row.after_set) for row in table.benched] == [("ape", 3)]
    assert sorted((row.name, row.part, row.rating.rank) for row in table.rows) == [
        ("bee", 1, 1),
        ("cat", 2, 1),
        *sorted((row.name, 0, row.rating.rank) for row in table.rows if row.name in ("dog", "elk")),
    ]
    assert table.parts == 3
    assert {*table.versus} == {("dog", "elk"), ("elk", "dog")}


def test_parts_of_the_table_are_numbered_without_a_gap(tmp_path: Path) -> None:
    """A benched bot before the others leaves no part without rows."""
    league = Simulated(sets=6, seats=2, bots=("ape", "bee"), illegal=("ape",))
    with simulate(tmp_path, league) as store:
        table = standings_of(store)
    assert [row.name for row in table.benched] == ["ape"]
    assert [(row.name, row.part) for row in table.rows] == [("bee", 0)]
