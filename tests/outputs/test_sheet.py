"""What the page's script works out from rounds is what the rules say, view by view."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.games import GAMES
from arena.outputs.pages.sets.sheet import tenths
from arena.outputs.pages.sets.steps import steps
from arena.record import Record
from arena.record.replay import replay
from tests.outputs.test_set_page import a_match, by_views, common

PROGRAMS = Path(__file__).parent / "scripts"
STATIC = Path(str(files("arena.outputs.pages"))) / "static"

TABLES = [
    (game.name, seats, options)
    for game in GAMES.values()
    if game.drawing.stage is not None
    for seats in game.seats
    for options in (*game.trials.sweep, {})
]


def by_rounds(record: Record) -> Mapping[str, Any]:
    found = steps(record)
    return {**common(record), **found.data, "sheet": "\n".join(found.lines)}


def in_tenths(record: Record) -> Record:
    """With times in whole tenths of a millisecond, as the sheet has them."""
    moves = tuple(
        msgspec.structs.replace(move, time_us=100 * int(tenths(move.time_us)))
        for move in record.moves
    )
    return msgspec.structs.replace(record, moves=moves)


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


def by_node(program: str, value: object) -> list[str]:
    """Run one of the programs in `scripts` with the scripts of the pages; return what it prints."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    done = subprocess.run(
        ["node", str(PROGRAMS / program), str(STATIC)],
        input=json.dumps(value),
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def with_other_hands(sheet: str, seat: int, rng: random.Random) -> str:
    """The sheet with the cards of all seats but this one dealt among them anew, round by round."""
    lines = sheet.splitlines()
    for start in (at for at, line in enumerate(lines) if line.startswith("Round")):
        hands = range(start + 1, start + 7)
        others = [at for at in hands if re.match(f"Hand of (?!{seat})", lines[at])]
        cards = " ".join(lines[at].partition(": ")[2] for at in others).split()
        rng.shuffle(cards)
        for at in others:
            head, _, held = lines[at].partition(": ")
            lines[at] = f"{head}: {' '.join(cards.pop() for _ in held.split())}"
    return "\n".join(lines)


@pytest.mark.browser
def test_what_a_seat_is_shown_does_not_depend_on_the_hands_of_others() -> None:
    rng = random.Random(5)
    cases = []
    steps_in_all = 0
    for table in TABLES[::2]:
        data = by_rounds(a_match(*table, 1).record)
        for seat in range(data["seats"]):
            other = with_other_hands(data["sheet"], seat, rng)
            assert other != data["sheet"] or data["seats"] == 2
            cases.append([data, {**data, "sheet": other}, seat])
            steps_in_all += len(a_match(*table, 1).record.moves) + 1
    assert by_node("secret.mjs", cases) == [f"{steps_in_all} steps"]


@pytest.mark.browser
def test_every_step_of_every_audience_is_the_same_as_from_all_views() -> None:
    records = [in_tenths(a_match(*table, number).record) for table in TABLES for number in range(4)]
    rng = random.Random(1)
    records += [
        cut_short(record, moves)
        for record in records
        for moves in (rng.randrange(len(record.moves)), after_first_trick(record))
    ]
    pairs = [[by_rounds(record), by_views(record)] for record in records]
    told = by_node("same.mjs", pairs)
    assert told == [f"{len(pairs)} compared"], told[:10]
