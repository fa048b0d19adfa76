"""What the page's script works out from rounds is what the rules say, view by view."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.games import GAMES
from arena.outputs.pages.rounds import DRAWING
from arena.outputs.pages.steps import steps
from arena.record import Record
from arena.record.replay import replay
from tests.outputs.test_pages_match import a_match, by_views

PROGRAM = Path(__file__).parent / "scripts" / "same.mjs"
STATIC = Path(str(files("arena.outputs.pages"))) / "static"

TABLES = [
    (game.name, seats, options)
    for game in GAMES.values()
    if game.drawing.name == DRAWING
    for seats in game.seats
    for options in (*game.trials.sweep, {})
]


def by_rounds(record: Record) -> Mapping[str, Any]:
    data = steps(record).data
    assert "rounds" in data
    return data


def cut_short(record: Record, moves: int) -> Record:
    """As a match that ended by forfeits after so many moves."""
    return msgspec.structs.replace(
        record,
        moves=record.moves[:moves],
        ending="forfeit",
        forfeits=tuple(range(1, record.seats)),
        scores=(),
    )


def after_first_trick(record: Record) -> int:
    """The number of moves after which a trick has just been taken, and none is begun."""
    return next(
        step.number + 1
        for step in replay(record)
        if (tricks := step.state.view(None)["tricks"])[1:] and not tricks[-1]
    )


@pytest.mark.browser
def test_every_step_of_every_audience_is_the_same_as_from_all_views() -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    records = [a_match(*table, number).record for table in TABLES for number in range(1, 5)]
    rng = random.Random(1)
    records += [
        cut_short(record, moves)
        for record in records
        for moves in (rng.randrange(len(record.moves)), after_first_trick(record))
    ]
    pairs = [[by_rounds(record), by_views(record)] for record in records]
    done = subprocess.run(
        ["node", str(PROGRAM), str(STATIC)],
        input=json.dumps(pairs),
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [f"{len(pairs)} compared"], done.stdout[:3000]


def test_a_round_holds_its_first_view_the_hands_and_the_moves() -> None:
    record = a_match("nyet", 4, {"rounds": 2}).record
    first, second, end = by_rounds(record)["rounds"]
    state = next(replay(record)).state
    assert first["view"]["round"] == 1
    assert first["hands"] == [" ".join(state.view(seat)["hand"]) for seat in range(4)]
    assert second["view"]["round"] == [2]
    assert end["view"]["phase"] == ["over"]
    seats, actions, times = zip(first["moves"], second["moves"], strict=True)
    assert "".join(seats) == "".join(str(move.seat) for move in record.moves)
    assert " ".join(actions).split() == [move.action for move in record.moves]
    assert " ".join(times).split(" ") == [str(move.time_us or "") for move in record.moves]


def test_a_match_cut_short_ends_with_its_last_view() -> None:
    record = cut_short(a_match("nyet", 4, {"rounds": 2}).record, 30)
    first, end = by_rounds(record)["rounds"]
    assert len(first["moves"][0]) == 30
    assert set(end["view"]) >= {"tokens"}
    assert "phase" not in end["view"] or end["view"]["phase"] != ["over"]
