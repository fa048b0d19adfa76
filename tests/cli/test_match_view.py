"""A match as it goes on a terminal: the seats, the last lines, and nothing of anybody's hand."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace
from rich.console import Console

from arena.cli.match_view import (
    LIVE_LINES,
    LiveMatch,
    Narrator,
    in_this_match,
    seats_table,
    told_slow,
)
from arena.cli.printer import Printer
from arena.games import GAMES, State
from arena.record import Move
from arena.record.evidence import Evidence
from arena.record.timing import BotClock, Timing
from arena.referee.match import Plan
from arena.text import plain
from protocol.breaches import out_of_time
from tests.helpers import fault_of
from tests.play import random_record

PLAN = Plan(
    "m-1", "nyet", 4, b"seed", ("fox", "owl\x1b[31m", "hen", "cat"), {"rounds": 1}, Timing()
)


def on_paper(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def missed(*again: bool) -> list[Evidence]:
    """Misses of one seat; `again`: by miss, whether it belongs to the one before."""
    texts = [fault_of(out_of_time(2, 1), again=each).text for each in again]
    return [
        Evidence(0, 0, "late", "out-of-time", text, "", "", b"", b"", (), "R1", 0, 0)
        for text in texts
    ]


def test_further_misses_of_one_late_are_told_to_be_no_faults() -> None:
    assert in_this_match(missed(False, True, True)) == (
        "1 fault in this match, and 2 further misses that are none, SPEC 6.4"
    )
    assert in_this_match(missed(False, True, False)) == (
        "2 faults in this match, and 1 further miss that is none, SPEC 6.4"
    )
    assert in_this_match(missed(False, False)) == "2 times in this match"


def a_console(*, is_terminal: bool) -> Console:
    return Console(file=io.StringIO(), width=80, force_terminal=is_terminal, color_system=None)


def play_one(state: State) -> Move:
    seat = state.to_act()[0]
    action = state.legal(seat)[0]
    state.apply(seat, action)
    return Move(seat, GAMES[PLAN.game].actions.name(action), 100)


def test_the_table_tells_of_each_seat_what_is_public_and_whose_turn_it_is() -> None:
    narrator = Narrator(PLAN, lambda line: None)
    state = GAMES[PLAN.game].deal(PLAN.seats, PLAN.seed, PLAN.options)
    number = 0
    while len({*narrator.now["hand_sizes"]}) < 2:  # until some have played to a trick
        narrator(number, play_one(state), state)
        number += 1
    console = a_console(is_terminal=False)
    console.print(seats_table(PLAN, narrator.now, number))
    text = on_paper(console)
    assert f"nyet, move {number}" in text
    rows = [line for line in text.splitlines() if any(name[:3] in line for name in PLAN.names)]
    cells = [[cell.strip() for cell in row.strip("│").split("│")] for row in rows]
    view = narrator.now
    assert cells == [
        [
            f"→ {seat}" if view["turn"] == seat else f"{seat}",
            plain(name),
            str(view["hand_sizes"][seat]),
            str(view["scores"][seat]),
        ]
        for seat, name in enumerate(PLAN.names)
    ]
    assert "\x1b" not in text


def test_the_table_has_no_column_for_what_the_views_of_a_game_do_not_have() -> None:
    """A game of simultaneous choices has no `turn`, and one without points no `scores`."""
    view = {"game": "sealed", "seats": 4, "seat": None, "options": {}, "hand": None}
    console = a_console(is_terminal=False)
    console.print(seats_table(PLAN, view, 3))
    heads, *rows = [line.split() for line in on_paper(console).splitlines() if line[0] in "┃│"]
    assert heads == ["┃", "seat", "┃", "bot", "┃"]
    assert rows == [["│", str(seat), "│", plain(each), "│"] for seat, each in enumerate(PLAN.names)]


def test_a_narrator_tells_each_move_from_the_view_before_it() -> None:
    told: list[str] = []
    game = GAMES[PLAN.game]
    narrator = Narrator(PLAN, told.append)
    state = game.deal(PLAN.seats, PLAN.seed, PLAN.options)
    expected = [*game.narrate(None, state.view(None), None)]
    assert told == expected
    for number in range(3):
        before = state.view(None)
        move = play_one(state)
        narrator(number, move, state)
        expected += game.narrate(before, state.view(None), None)
        assert told == expected
        assert narrator.now == state.view(None)


def test_a_live_view_keeps_the_heading_and_counts_the_moves(
    capsys: pytest.CaptureFixture[str],
) -> None:
    console = a_console(is_terminal=True)
    show = LiveMatch(Printer(), console)
    state = GAMES[PLAN.game].deal(PLAN.seats, PLAN.seed, PLAN.options)
    with show.match(PLAN) as watch:
        assert watch is not None
        for number in range(LIVE_LINES):
            before = state.view(None)
            watch(number, play_one(state), state)
    heading, seed = capsys.readouterr().out.splitlines()
    assert heading.startswith("nyet: seat 0 fox, seat 1 owl")
    assert seed == f"seed hex:{PLAN.seed.hex()}"
    text = on_paper(console)
    assert f"nyet, move {LIVE_LINES}" in text
    last = [*GAMES[PLAN.game].narrate(before, state.view(None), None)]
    assert last
    assert all(line in text for line in last)


def test_a_bot_that_lives_on_its_bank_is_told_how_much_of_it_is_used() -> None:
    timing = Timing(decision_ms=100, bank_ms=2000)
    timings = (timing,) * 3
    times = {0: 100_000, 1: 150_000, 2: 99_000}
    record = random_record("nyet", 3)
    moves = tuple(replace(move, time_us=times[move.seat]) for move in record.moves[:24])
    found = list(told_slow(replace(record, moves=moves, names=("fox", "o\x1bwl", "hen")), timings))
    count = sum(move.seat == 1 for move in moves)
    assert found == [
        f"o\N{REPLACEMENT CHARACTER}wl: {count} of {count} decisions took longer than 100 ms,"
        f" {count * 0.05:.1f} of 2.0 s of its bank"
    ]
    quick = [replace(move, time_us=50_000) for move in moves]
    quick[0] = replace(moves[0], time_us=299_000)
    assert list(told_slow(replace(record, moves=tuple(quick)), timings)) == []
    slower = (timing, timing.of_bot(BotClock(200, 0, 5000)), timing)
    assert list(told_slow(replace(record, moves=moves), slower)) == []
