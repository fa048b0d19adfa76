"""The standings for a terminal."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from rich.cells import cell_len

from arena.league.table.ratings import Lack
from arena.league.table.standings import Standings
from arena.outputs.columns import columns
from arena.outputs.text import fitting, text
from tests.league.leagues import NASTY, Simulated
from tests.outputs.tables import EDGES, FACTS, PROVISIONAL, ROW, by_hand, hostile, rated, simulated


def plain_text(standings: Standings, width: int | None = 80) -> str:
    return text(standings, width=width, colour=False)


def rows_of(told: str) -> list[list[str]]:
    """Head and rows of the first table, as words."""
    lines = told.split("\n")
    rule = next(number for number, line in enumerate(lines) if line.startswith("───"))
    end = lines.index("", rule)
    return [line.split() for line in (lines[rule - 1], *lines[rule + 1 : end])]


def test_a_row_tells_everything_where_there_is_room() -> None:
    head, first, second = rows_of(plain_text(by_hand(), None))
    assert " ".join(head) == (
        "rank ranks bot Elo LOS sets matches ahead ties place win points/round ms slowest faults"
        " forfeits gain"
    )
    assert " ".join(first) == (
        "1 1-2 fox 1512 ±23 87 ~ 40 160 55 ±3 10.0 ±2.0 2.30 ±0.14 31 ±3 11.0 ±0.5 1.5 100 0 0"
        " +1.0 ±2.0"
    )
    assert second[:5] == ["2", "1-2", "owl", "1488", "±23"]
    assert second[5] == "40", "the last row is compared with nobody"


@pytest.mark.parametrize("width", [40, 60, 80, 100, 140])
@pytest.mark.parametrize("is_hostile", [False, True])
def test_no_line_is_wider_than_the_terminal(width: int, is_hostile: bool) -> None:
    told = plain_text(hostile() if is_hostile else by_hand(), width)
    assert max(map(cell_len, told.split("\n"))) <= width


def test_the_least_important_columns_go_first() -> None:
    heads = [rows_of(plain_text(by_hand(), width))[0] for width in (24, 60, 80, 100, 300)]
    assert heads[0] == ["rank", "bot", "Elo"]
    for narrow, wide in pairwise(heads):
        assert [head for head in wide if head in narrow] == narrow
        assert len(narrow) < len(wide)
    assert {"LOS", "sets", "ahead", "faults"} <= {*heads[2]}


def test_columns_go_one_by_one_in_this_order() -> None:
    heads = [
        [column.head for column in fitting(columns(FACTS), by_hand().rows, width)]
        for width in range(300, 20, -1)
    ]
    gone = [head for wide, narrow in pairwise(heads) for head in wide if head not in narrow]
    assert " ".join(gone) == (
        "slowest ties forfeits gain ms matches win place points/round faults ranks ahead sets LOS"
    )


def test_rank_name_and_elo_stay_however_narrow_the_terminal_is() -> None:
    assert [column.head for column in fitting(columns(FACTS), by_hand().rows, 1)] == [
        "rank",
        "bot",
        "Elo",
    ]


def test_a_long_name_is_cut_before_a_column_goes_for_it() -> None:
    long = by_hand(rated(ROW, bot="a-very-long-name-" * 20))
    head, row = rows_of(plain_text(long, 80))
    short_head, _ = rows_of(plain_text(by_hand(rated(ROW, bot="sixteen-letters-")), 80))
    assert head == short_head
    assert row[2].endswith("…")
    assert "a-very-long-name-" * 20 in plain_text(long, None)


def test_neighbours_that_are_not_separated_are_marked() -> None:
    rows = (rated(ROW, is_separated=True, los_to_next=0.99), rated(ROW, bot="owl"))
    first, second = rows_of(plain_text(by_hand(*rows), None))[1:]
    assert first[5:7] == ["99", "40"]
    assert second[5:8] == ["87", "~", "40"]
    unknown = rows_of(plain_text(by_hand(rated(ROW, los_to_next=None)), None))[1]
    assert unknown[5:7] == ["?", "~"]


def test_a_provisional_row_says_which_conditions_fail() -> None:
    told = plain_text(by_hand(PROVISIONAL), None)
    assert rows_of(told)[1][0] == "1*"
    assert (
        "* hen is provisional: 12 sets, and 30 are needed; its bar ±66 is not below ±50; its"
        " results alone put no limit to its rating: the bots fall into groups, and where two groups"
        " met, one finished ahead every time\n" in told
    )
    unlimited = rated(PROVISIONAL, half_width=None, rank_interval=None)
    told = plain_text(by_hand(unlimited), None)
    assert "12 sets, and 30 are needed; no bar yet; " in told
    assert rows_of(told)[1][1:5] == ["?", "hen", "1512", "±?"]


def test_many_provisional_rows_are_counted_in_one_line() -> None:
    few = [rated(PROVISIONAL, bot=f"hen-{number}") for number in range(10)]
    assert plain_text(by_hand(*few), None).count("is provisional") == 10
    one_more = rated(PROVISIONAL, bot="owl", lacks=(Lack.SETS,))
    told = plain_text(by_hand(*few, one_more, ROW), None)
    assert "is provisional" not in told
    assert (
        "* 11 of 12 rows are provisional: 11 have fewer than 30 sets; 10 have a bar that is not"
        " below ±50; 10 have results that put no limit to their rating (a bot, or a group of bots,"
        " finished ahead of the others every time, or behind)\n" in told
    )


def test_faults_are_told_by_kind_below_the_table() -> None:
    assert "\nhen: 3 late, 1 gone, 1 match forfeited\n" in plain_text(by_hand(PROVISIONAL))


def test_what_stands_above_the_table() -> None:
    lines = plain_text(by_hand(), None).split("\n")
    assert lines[:6] == [
        "Sunday league: nyet for 4, rounds 1",
        "running: 40 of 50 sets, 160 matches, 2026-01-31T12:00:00Z to 2026-01-31T13:00:00Z",
        "round-robin, each set in every seating; 100 ms a decision and 10,000 ms a match,"
        " 3 faults forfeit a match; scale: fox is 1500; bots confined by bubblewrap",
        "2 sets were void, played anew: this machine was too slow to judge them fairly;"
        " whose decision was in question: fox 1",
        "late rulings stood in 1 match: three sets before it were void already",
        "",
    ]
    facts = replace(
        FACTS,
        are_deals_predictable=True,
        duplicate=False,
        state="finished",
        sets_in_all=40,
        sets_left_out=10,
        voids=1,
        stood=0,
    )
    told = plain_text(by_hand(facts=facts), None)
    assert "finished: 40 of 40 sets (10 left out with benched or retired bots), " in told
    assert "round-robin, single matches, seats drawn; " in told
    assert "\ndeals predictable: the league's file fixes the seed\n" in told
    assert "\n1 set was void and played anew: " in told
    assert "late rulings" not in told


def test_parts_are_tables_of_their_own() -> None:
    told = plain_text(by_hand(ROW, replace(rated(ROW, bot="owl"), part=1)))
    assert told.count("rank  ranks  bot") == 2
    assert "part 2 of 2: these bots never met the others, so nothing compares them" in told
    assert "part 1 of" not in plain_text(by_hand())
    gap = plain_text(by_hand(ROW, replace(rated(ROW, bot="owl"), part=4)))
    assert gap == told, "parts of bots without a row are none"


def test_benched_and_waiting_bots_are_named_below() -> None:
    standings = hostile()
    told = " ".join(plain_text(standings).split())
    assert (
        "hare is benched since set 3 of the schedule: forfeited 5 matches in a row; the last time:"
        in told
    )
    assert (
        "no Elo and no ahead counts a match against it, and win and points of the others are of all"
        " their matches, also those with it" in told
    )
    assert "hare" not in [row[2] for row in rows_of(plain_text(standings))[1:]]
    assert "without a complete set yet: cat, pig" in plain_text(by_hand(waiting=("cat", "pig")))


def test_a_retired_bot_keeps_its_row_and_is_named_below() -> None:
    told = plain_text(by_hand(retired=("owl",)))
    assert "owl is retired: it plays no further sets, and its results count" in told
    assert "owl" in [row[2] for row in rows_of(told)[1:]]


def test_what_a_seat_is_worth_is_told_where_seats_do_not_turn() -> None:
    told = plain_text(by_hand(seat_edges=EDGES))
    assert "seat 0 is worth +12 ±5 Elo\nseat 1 is worth -12 ±? Elo\n" in told


def test_before_the_first_set_there_is_no_table() -> None:
    told = plain_text(simulated(Simulated(), 0))
    assert "stopped: 0 of 20 sets, 0 matches\n" in told
    assert "no set is complete yet" in told
    assert "without a complete set yet: fox, owl, crow, hare, mole" in told
    assert "───" not in told


def test_nothing_a_bot_chose_touches_the_terminal() -> None:
    for width in (80, None):
        told = plain_text(hostile(), width)
        assert "\x1b" not in told
        assert '<script>alert("' in told
    assert NASTY.replace("\x1b", "\N{REPLACEMENT CHARACTER}") in plain_text(hostile(), None)
    markup = by_hand(rated(ROW, bot="[bold red]fox[/]"))
    assert "[bold red]fox[/]" in plain_text(markup, None)


def test_colour_is_in_the_table_only_where_it_is_wanted() -> None:
    coloured = text(by_hand(PROVISIONAL), width=80, colour=True)
    assert "\x1b[" in coloured
    assert "\x1b[" not in plain_text(by_hand(PROVISIONAL))
