"""Whole outputs of commands that only read, and texts made of values, as tests/whole_outputs.

The leagues are those of tests/fixtures, and the records matches of random play, so that nothing
depends on the hour or the machine. `python -m tests.whole_outputs --write` writes the files anew:
read the difference before you keep it.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from arena.record import FaultEntry, Record, to_json
from tests.cli.test_main import run
from tests.play import random_record
from tests.test_old_leagues import copy_of
from tests.whole_texts import TEXTS

FOLDER = Path(__file__).parent / "whole_outputs"
FIXTURE = "schema_3"
PLACE = "PLACE"
"""Stands for the folder of the files that a command reads."""

FILES = ("nope.json", "nyet.json", "njet-it.json", "two.jsonl")

COMMANDS: Mapping[str, str] = {
    "table_finished": "table finished",
    "table_finished_wide": "table finished --wide",
    "table_finished_csv": "table finished --csv",
    "table_finished_md": "table finished --md",
    "table_finished_json": "table finished --json",
    "table_stopped_wide": "table stopped --wide",
    "table_stopped_md": "table stopped --md",
    "table_stopped_json": "table stopped --json",
    "matches_finished": "matches finished",
    "matches_finished_of_a_bot": "matches finished --bot bee --limit 3",
    "matches_finished_json": "matches finished --limit 2 --json",
    "matches_stopped": "matches stopped",
    "matches_stopped_after": "matches stopped --after 2.1 --limit 4",
    "matches_stopped_faults": "matches stopped --fault",
    "matches_stopped_faults_of_a_bot": "matches stopped --fault --bot breaks",
    "matches_stopped_evidence": "matches stopped --evidence --bot slips --limit 1",
    "matches_stopped_json": "matches stopped --fault --limit 2 --json",
    "matches_finished_export": "matches finished --limit 1 --export -",
    "verify_finished": "verify finished",
    "verify_stopped": "verify stopped --commitments",
    "games": "games",
    "games_nope": "games nope",
    "games_njet_it": "games njet-it",
    "replay_nope": "replay nope.json",
    "replay_nope_seat": "replay nope.json --seat 1",
    "replay_nope_part_open": "replay nope.json --open --from 3 --to 6",
    "replay_nope_json": "replay nope.json --json --to 4",
    "replay_nope_record": "replay nope.json --record -",
    "replay_nyet_seat": "replay nyet.json --seat 2 --to 30",
    "replay_second_record": "replay two.jsonl --match 1 --to 8",
    "judge_njet_it": "judge njet-it.json --worlds 32 --seat 2",
    "judge_njet_it_seed": "judge njet-it.json --worlds 8 --seed other",
    "judge_nope": "judge nope.json --worlds 64",
    "judge_nope_json": "judge nope.json --worlds 16 --json",
}


def with_faults(record: Record) -> Record:
    """The record of a match in which two of the moves were the referee's."""
    own = [number for number, move in enumerate(record.moves) if move.seat == 1]
    return replace(
        record,
        faults=(
            FaultEntry(1, own[0], "late", "out-of-time", "after 5,000 ms there was no answer"),
            FaultEntry(1, own[2], "illegal", "not-legal", 'you played "R7", and it is not legal'),
        ),
    )


def lay(place: Path) -> None:
    """Write the files that the commands read."""
    for kind in ("finished", "stopped"):
        (place / kind).mkdir()
        copy_of(f"{FIXTURE}/{kind}", place / kind)
    nope = with_faults(random_record("nope", 3, options={"max_turns": 12}))
    nyet = random_record("nyet", 4)
    njet_it = random_record("njet-it", 4, chance=3)
    (place / "nope.json").write_text(to_json(nope))
    (place / "nyet.json").write_text(to_json(nyet))
    (place / "njet-it.json").write_text(to_json(njet_it))
    (place / "two.jsonl").write_text(f"{to_json(nope)}\n{to_json(random_record('njet', 3))}\n")


def output(name: str, place: Path) -> str:
    """The exit code, and all that the command of this name prints."""
    words = COMMANDS[name].split()
    league = {kind: str(place / kind / "kept" / "league.toml") for kind in ("finished", "stopped")}
    files = {file: str(place / file) for file in FILES}
    code, printed = run(*((league | files).get(word, word) for word in words))
    return f"$ arena {COMMANDS[name]}\n{printed.replace(str(place), PLACE)}exit code {code}\n"


def outputs() -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        lay(Path(folder))
        for name in COMMANDS:
            yield name, output(name, Path(folder))


def file_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def write() -> None:
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, text in outputs():
        file_of(name).write_text(text)
    for name, made in TEXTS.items():
        file_of(name).write_text(made())


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.whole_outputs --write")
    write()
