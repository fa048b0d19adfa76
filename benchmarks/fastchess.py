"""The peer of `benchmarks.league`: fastchess, built by its own Makefile from a checkout of it.

Two copies of the engine of its own tests, which moves at random, play each other, one game for each
core at once. The clock is so long that nobody watches it, and scores and ratings are not printed.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ENGINE = "tests/mock/engine/random_mover"
# Longer games slow the engine down, which plays each game again for every move, and shorter ones
# spend a larger part of their time on beginning: in between it is quickest.
MOST_MOVES = 100
PLIES = re.compile(rb'^\[PlyCount "(\d+)"\]', re.MULTILINE)


@dataclass(frozen=True)
class Peer:
    """The programs of a checkout, built."""

    runner: Path
    engine: Path


@dataclass(frozen=True)
class Played:
    """A tournament of the peer."""

    plies: int
    wall: float
    cpu: float  # seconds, of all its processes


def built(checkout: Path) -> Peer:
    """Build fastchess in its checkout. Raises SystemExit if that fails."""
    app = checkout / "app"
    for target in (["-C", str(checkout)], ["-C", str(app), ENGINE]):
        made = subprocess.run(["make", *target], capture_output=True, text=True)
        if made.returncode:
            raise SystemExit(f"`make {' '.join(target)}` failed: {made.stderr[-1000:]}")
    return Peer((checkout / "fastchess").resolve(), (app / ENGINE).resolve())


def play(peer: Peer, games: int) -> Played:
    """Play a tournament from its beginning to its end, and count the plies in its PGN."""
    command = [str(peer.runner), "-each", "tc=1000+10", "-maxmoves", str(MOST_MOVES)]
    for name in ("one", "two"):
        command += ["-engine", f"cmd={peer.engine}", f"name={name}"]
    command += ["-rounds", str((games + 1) // 2), "-games", "2"]
    command += ["-concurrency", str(len(os.sched_getaffinity(0)))]
    command += ["-ratinginterval", "0", "-scoreinterval", "0", "-pgnout", "file=games.pgn"]
    with tempfile.TemporaryDirectory(prefix="arena-fastchess-") as place:
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, cwd=place, stdout=subprocess.DEVNULL, check=True)
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        plies = sum(map(int, PLIES.findall((Path(place) / "games.pgn").read_bytes())))
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Played(plies, wall, cpu)
