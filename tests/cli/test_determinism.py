"""The same seed and deterministic bots give the same match, whatever process plays it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SEEDED = Path(__file__).parent.parent / "bots" / "seeded_bot.py"


def record_of(tmp_path: Path, hash_seed: str, game: str, *options: str) -> list[Any]:
    """A match as a record, played by a process with this hash seed; times taken out."""
    file = tmp_path / f"{game}-{hash_seed}.json"
    bots = [f"{sys.executable} {SEEDED} {number}" for number in range(4)]
    command = [sys.executable, "-c", "from arena.cli import main; main()", "match", game, *bots]
    subprocess.run(
        [*command, "--seed", "the same", "--record", str(file), *options],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    record: list[Any] = json.loads(file.read_text())
    moves = [[seat, action] for seat, action, _time in record[7]]
    # The match's name and nonce are secrets of each match; all else must agree.
    return [*record[:7], moves, *record[8:11], *record[12:15]]


@pytest.mark.parametrize("options", [("nyet", "-o", "rounds=2"), ("njet-it",), ("nope",)])
def test_two_processes_with_different_hash_seeds_play_the_same_match(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    assert record_of(tmp_path, "1", *options) == record_of(tmp_path, "2", *options)
