"""How far apart the sample bots are: `python -m benchmarks.ladder [--minutes M] [--cell NAME]
[--rung BOT]`.

A cell is a game at a table of so many seats. In each, every bot of the ladder plays a league
against one below it: one of it at every table, all other seats the one below, each set in
every seating, one round a match. So every meeting of the two is counted and no other is played:
in the trick games a table shared half and half would tell less in the same time, for whoever
wins between two mixed teams, one of each kind has won.

Printed as Markdown: the gap to a bot below in Elo with its 95 % bar over sets, the likelihood of
being better than that one (LOS), and Elo from the lowest, the gaps added up. A cell stops at its
minutes, which its rungs share; what is complete counts. With `--rung` only the gaps of these bots
are played, and Elo counts from the lowest of them. The exit code is 1 where neighbours are not
separated at 97.5 %.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log10
from pathlib import Path
from statistics import NormalDist
from typing import Any

TRICKS = (
    "python-random",
    "python-high",
    "python-tricks",
    "python-monte-carlo",
    "python-stakes",
    "c-search",
)
NOPE = ("python-random", "python-nope", "python-monte-carlo")
# Bots that are measured against another than the one before them: c-search tries cards far more
# often than python-stakes, with the same choice of tokens, and that is worth next to nothing.
BELOW = {"c-search": "python-monte-carlo"}
CELLS: Mapping[str, tuple[str, int, Sequence[str]]] = {
    **{f"nyet-{seats}": ("nyet", seats, TRICKS) for seats in (2, 3, 4, 5)},
    "njet-4": ("njet", 4, TRICKS),
    "njet-it-4": ("njet-it", 4, TRICKS),
    **{f"nope-{seats}": ("nope", seats, NOPE) for seats in (2, 4, 6)},
}

MINUTES = 15.0
QUICK_SETS = 100  # of bots that think for less than a millisecond: played in seconds
TOP_SETS = 400
SEARCHING = {"python-monte-carlo", "python-stakes", "c-search"}
SEPARATED = 0.975
Z95 = NormalDist().inv_cdf(0.975)
STOP_SECONDS = 30  # to end well after Ctrl-C


@dataclass(frozen=True)
class Gap:
    """A bot over the one below it."""

    bot: str
    below: str
    ahead: float  # share of meetings in which it finished ahead, ties half
    bar: float  # half of 95 %, over sets
    sets: int
    faults: int

    @property
    def elo(self) -> float:
        return elo(self.ahead)

    @property
    def half_width(self) -> float:
        return (elo(self.ahead + self.bar) - elo(self.ahead - self.bar)) / 2

    @property
    def los(self) -> float:
        return NormalDist().cdf((self.ahead - 0.5) / max(self.bar / Z95, 1e-9))


def elo(share: float) -> float:
    """The difference that makes this share of meetings be won."""
    share = min(max(share, 0.001), 0.999)
    return 400 * log10(share / (1 - share))


def league(game: str, seats: int, bot: str, below: str) -> str:
    """A league.toml: `bot` at every table, and `below` on every other seat."""
    lines = [
        f'game = "{game}"',
        f"seats = {seats}",
        f"sets = {TOP_SETS if bot in SEARCHING else QUICK_SETS}",
        'format = "gauntlet"',
        f'challenger = "{bot}"',
        "owners_may_meet = true",
        *(["[options]", "rounds = 1"] if game != "nope" else []),
        *["[[bots]]", f'sample = "{bot}"'],
    ]
    for number in range(1, seats):
        lines += ["[[bots]]", f'sample = "{below}"', f'name = "{below}-{number}"']
    return "\n".join(lines) + "\n"


def measure(game: str, seats: int, bot: str, below: str, seconds: float) -> Gap | None:
    """Play for so long; None if too few sets were complete."""
    arena = [sys.executable, "-c", "from arena.cli import main; main()"]
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "league.toml"
        file.write_text(league(game, seats, bot, below))
        with subprocess.Popen(
            [*arena, "league", str(file), "--no-pages"], stdout=subprocess.PIPE, text=True
        ) as playing:
            try:
                playing.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                playing.send_signal(signal.SIGINT)
                playing.communicate(timeout=STOP_SECONDS)
        told = subprocess.run(
            [*arena, "table", str(file), "--json"], capture_output=True, text=True
        )
    if told.returncode:  # stopped before the league had begun, or not even that
        print(told.stderr, file=sys.stderr, end="")
        return None
    rows: list[dict[str, Any]] = json.loads(told.stdout)["rows"]
    row = next((row for row in rows if row["name"] == bot), None)
    if row is None or row["ahead"] is None or row["ahead"]["bar"] is None:
        return None
    faults = sum(sum(each["faults"].values()) for each in rows)
    return Gap(bot, below, row["ahead"]["value"], row["ahead"]["bar"], row["sets"], faults)


def rungs(name: str, chosen: Collection[str]) -> list[tuple[str, str]]:
    """The bots of a cell with the one above each, from the lowest up; of those above only these, or
    all where none is chosen."""
    pairs = [(BELOW.get(bot, before), bot) for before, bot in pairwise(CELLS[name][2])]
    return [pair for pair in pairs if not chosen or pair[1] in chosen]


def climb(name: str, minutes: float, chosen: Collection[str]) -> list[Gap]:
    """The gaps of a cell, from the lowest up."""
    game, seats, _ = CELLS[name]
    end = time.monotonic() + 60 * minutes
    gaps = []
    pairs = rungs(name, chosen)
    for played, (below, bot) in enumerate(pairs):
        # What a rung leaves, as those of quick bots do, is for the rungs above.
        seconds = (end - time.monotonic()) / (len(pairs) - played)
        gap = measure(game, seats, bot, below, max(seconds, 1))
        if gap is None:
            print(f"{name}: too few sets of {bot} over {below}; more minutes", file=sys.stderr)
            break
        gaps.append(gap)
    return gaps


HEAD = """\
| cell | bot | Elo | over | bar | LOS | sets | faults |
|---|---|---:|---:|---:|---:|---:|---:|"""


def table(name: str, gaps: Sequence[Gap]) -> Iterator[str]:
    """A cell's lines, best first."""
    total: dict[str, float] = {}
    for gap in gaps:
        total[gap.bot] = total.setdefault(gap.below, 0.0) + gap.elo
    for gap in reversed(gaps):
        yield (
            f"| {name} | {gap.bot} | {total[gap.bot]:.0f} | {gap.below} {gap.elo:+.0f} "
            f"| ±{gap.half_width:.0f} | {100 * gap.los:.1f} % | {gap.sets} | {gap.faults} |"
        )
    if gaps:
        yield f"| {name} | {gaps[0].below} | 0 | | | | | |"


def main() -> int:
    """Print the tables; 1 if neighbours anywhere are not separated."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder")
    parser.add_argument(
        "--minutes", type=float, default=MINUTES, help=f"at most, for a cell; else {MINUTES:g}"
    )
    parser.add_argument("--cell", choices=CELLS, action="append", help="only this one; repeatable")
    parser.add_argument(
        "--rung", choices=[*TRICKS, "python-nope"], action="append", help="only this; repeatable"
    )
    arguments = parser.parse_args()
    names = arguments.cell or [*CELLS]
    print(HEAD, flush=True)
    is_clear = True
    for name in names:
        chosen = arguments.rung or ()
        gaps = climb(name, arguments.minutes, chosen)
        print("\n".join(table(name, gaps)), flush=True)
        is_clear &= len(gaps) == len(rungs(name, chosen))
        is_clear &= all(gap.los >= SEPARATED for gap in gaps)
    return 0 if is_clear else 1


if __name__ == "__main__":
    raise SystemExit(main())
