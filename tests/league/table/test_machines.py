"""Machines compared: who is slower there, and who has more voids."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest

from arena.league.model.played import LeagueMatch
from arena.league.table.machines import FEWEST_MATCHES, MachineRow, machine_rows
from arena.outputs.machines import machine_lines
from arena.record.endings import VOID
from tests.league.leagues import Simulated, played_match, schedule

LEAGUE = Simulated(sets=40)
# The time of a decision, in microseconds: bots differ by more than machines do.
USUAL_US = {"fox": 500, "owl": 5_000, "crow": 20_000, "hare": 1_000, "mole": 60_000}


def match_of(number: int, factor: float, rng: random.Random) -> LeagueMatch:
    """A match of a set, on a machine where bots take so many times as long."""
    played = played_match(LEAGUE, schedule(LEAGUE)[number], 0, b"seed")
    moves = tuple(
        msgspec.structs.replace(
            move,
            time_us=int(factor * USUAL_US[played.record.names[move.seat]] * rng.uniform(0.8, 1.25)),
        )
        for move in played.record.moves
    )
    return msgspec.structs.replace(
        played, record=msgspec.structs.replace(played.record, moves=moves)
    )


def voided(played: LeagueMatch) -> LeagueMatch:
    return msgspec.structs.replace(
        played, record=msgspec.structs.replace(played.record, ending=VOID)
    )


def league(**factors: float) -> Iterator[tuple[str, LeagueMatch]]:
    """The matches of a league that these machines take by turns."""
    rng = random.Random("times")
    names = [*factors]
    for number in range(LEAGUE.sets):
        machine = names[number % len(names)]
        yield machine, match_of(number, factors[machine], rng)


def rows_of(matches: Iterator[tuple[str, LeagueMatch]]) -> dict[str, MachineRow]:
    return {row.machine: row for row in machine_rows(matches)}


def test_machines_that_are_alike_do_not_stand_out() -> None:
    rows = rows_of(league(east=1.0, west=1.0))
    assert [*rows] == ["east", "west"]
    assert all(row.why == () for row in rows.values())
    for row in rows.values():
        assert row.factor == pytest.approx(1.0, abs=0.1)


def test_a_machine_on_which_bots_think_twice_as_long_is_named_whatever_bots_play_there() -> None:
    rows = rows_of(league(east=1.0, west=2.0, north=1.0))
    assert rows["west"].factor == pytest.approx(2.0, rel=0.15)
    (why,) = rows["west"].why
    assert why.startswith(("bots think 2.0", "bots think 1.9"))
    assert why.endswith(" times as long as elsewhere")


def test_a_league_of_one_machine_compares_nothing() -> None:
    (row,) = machine_rows(league(east=1.0))
    assert (row.factor, row.why) == (None, ())
    assert (row.matches, row.voids) == (LEAGUE.sets, 0)
    assert row.think_ms is not None


def test_few_matches_are_no_reason_to_name_a_machine() -> None:
    matches = [*league(east=1.0)]
    rng = random.Random("few")
    few = [("west", match_of(number, 5.0, rng)) for number in range(FEWEST_MATCHES - 1)]
    rows = rows_of(iter([*matches, *few]))
    assert rows["west"].why == ()
    assert rows["west"].error is None


def test_a_machine_with_many_voids_is_named() -> None:
    matches = [
        (machine, voided(played) if machine == "west" and number % 4 == 1 else played)
        for number, (machine, played) in enumerate(league(east=1.0, west=1.0))
    ]
    rows = rows_of(iter(matches))
    assert rows["west"].voids == 10
    assert rows["west"].why == ("10 voids, where 1.0 would be expected",)
    assert rows["east"].why == ()


def test_the_lines_name_what_stands_out() -> None:
    matches = [*league(east=1.0, west=3.0)]
    matches = [("" if machine == "east" else machine, played) for machine, played in matches]
    lines = [*machine_lines(machine_rows(iter(matches)))]
    assert lines[0].split() == ["machine", "matches", "voids", "ms", "times", "as", "long"]
    assert lines[1].startswith("the runner's own       20      0")
    assert any(line.startswith("west stands out: bots think ") for line in lines[3:])


def test_a_league_without_a_complete_set_says_so() -> None:
    assert [*machine_lines([])] == ["no set is complete yet"]


def test_times_below_a_tenth_of_a_millisecond_are_all_alike() -> None:
    def timed(us: int) -> LeagueMatch:
        played = played_match(LEAGUE, schedule(LEAGUE)[0], 0, b"seed")
        moves = tuple(msgspec.structs.replace(move, time_us=us) for move in played.record.moves)
        return msgspec.structs.replace(
            played, record=msgspec.structs.replace(played.record, moves=moves)
        )

    for instant in (1, 50, 100):
        rows = rows_of(iter([("east", timed(instant)), ("west", timed(200))]))
        assert rows["west"].factor == pytest.approx(2.0)
