"""The kept leagues and records of this version: `python -m tests.old_leagues --write`.

They go into tests/fixtures/schema_N, N being the schema that this version writes. Run it once, by
the version that is released with the schema: what is kept is never changed afterwards. The
leagues and their bots are those of the schema before, so that only the version differs.
"""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from arena.games import GAMES
from arena.league.store.folder import DATABASE, SECRETS, folder_of
from arena.league.store.upgrades import SCHEMA
from arena.outputs.registry import OUTPUTS
from tests.league.running import ARENA, run_league

FIXTURES = Path(__file__).parent / "fixtures"
MOST_TRIES = 10
# A league is killed at the first match of this set: bots are benched by then.
KILLED_IN_SET = 14


def main(to: Path, before: Path) -> None:
    """Write the kept leagues and records of this version to a new folder."""
    with tempfile.TemporaryDirectory() as scratch:
        for kind in ("finished", "stopped"):
            keep(before / kind, Path(scratch) / kind, to / kind)
        keep_stopped(Path(scratch) / "stopped", to / "stopped")
        keep_finished(Path(scratch) / "finished", to / "finished")
    (to / "records").mkdir()
    for name, game in GAMES.items():
        options = [f"-o{option}={value}" for option, value in game.trials.short.items()]
        seats = game.seats[-1] if 4 not in game.seats else 4
        bots = [("python-random", "python-high")[seat % 2] for seat in range(seats)]
        record = to / "records" / f"{name}.json"
        arena("match", name, *bots, *options, "--seed", "a fixture", "--record", str(record))


def keep(before: Path, scratch: Path, to: Path) -> None:
    """Copy the file and the bots of a league, to play it and to keep them."""
    for folder in (scratch, to):
        shutil.copytree(before / "bots", folder / "bots")
        shutil.copy(before / "league.toml", folder)


def keep_finished(league: Path, to: Path) -> None:
    file = league / "league.toml"
    arena("league", str(file), "--events", str(to / "events.ndjson"), "--no-pages")
    keep_store(folder_of(file), to)
    for name in OUTPUTS:
        (to / f"standings.{name}").write_text(arena("table", str(file), f"--{name}"))


def keep_store(home: Path, to: Path) -> None:
    """Keep what cannot be worked out: the matches, and the secrets that belong to them."""
    for name in (DATABASE, SECRETS):
        shutil.copy(home / name, to)
        (to / name).chmod(0o644)  # as git keeps it


def keep_stopped(league: Path, to: Path) -> None:
    """A league killed in the middle of a set, and the table it comes to when it goes on."""
    file, events = league / "league.toml", to / "events.ndjson"
    home = folder_of(file)
    for _ in range(MOST_TRIES):
        shutil.rmtree(home, ignore_errors=True)
        events.unlink(missing_ok=True)
        if killed_in_the_middle(file, events):
            break
    else:
        raise SystemExit("the league was never caught in the middle of a set; try again")
    with closing(sqlite3.connect(home / DATABASE)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    keep_store(home, to)
    run_league(file)
    (to / "standings_when_finished.json").write_text(arena("table", str(file), "--json"))


def killed_in_the_middle(file: Path, events: Path) -> bool:
    """Play until the set has begun, then kill; return whether it was caught before its end."""
    command = [*ARENA, "league", str(file), "--events", str(events), "--no-pages"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and not in_play(events):
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
    with closing(sqlite3.connect(folder_of(file) / DATABASE)) as db:
        ((begun, is_complete),) = db.execute(
            "SELECT (SELECT count(*) FROM matches WHERE number = ?1), is_complete"
            " FROM sets WHERE number = ?1",
            (KILLED_IN_SET,),
        )
    return bool(begun and not is_complete)


def in_play(events: Path) -> bool:
    """Tell whether a match of the set in which it is killed has been played."""
    if not events.exists():
        return False
    lines = [line for line in events.read_text().splitlines(keepends=True) if line.endswith("\n")]
    told = map(json.loads, lines)
    return any(each["event"] == "match" and each["set"] == KILLED_IN_SET for each in told)


def arena(*arguments: str) -> str:
    """Run a command; return its output."""
    ran = subprocess.run(
        [*ARENA, *arguments], capture_output=True, text=True, timeout=600, check=False
    )
    if ran.returncode not in (0, 3):  # 3: a bot had faults
        raise SystemExit(f"arena {' '.join(arguments)}: {ran.stderr or ran.stdout}")
    return ran.stdout


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        raise SystemExit(f"it writes {FIXTURES / f'schema_{SCHEMA}'}: run it with --write")
    main(FIXTURES / f"schema_{SCHEMA}", FIXTURES / f"schema_{SCHEMA - 1}")
