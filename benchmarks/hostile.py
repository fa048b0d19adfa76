"""What strangers can do to those who play: `python -m benchmarks.hostile`.

Four honest matches are played on and on while attackers, processes of their own, do their worst
at the door. Each attack has a quiet time beside it in the same run, turn and turn about; the
99th percentiles of what honest decisions were charged are compared. The machine is the same
for all, so that the attackers' own work is in the figures. The exit code is 1 where a line does
not hold.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trio

from arena.bots.program import Program
from arena.games import State
from arena.record import Move
from arena.record.timing import Timing
from arena.referee.house import House, open_house
from arena.referee.match import Plan
from arena.referee.players.started import StartedPlayer
from arena.referee.table import sit_down
from benchmarks.attackers import KINDS
from benchmarks.measure import Line, report

ROOT = Path(__file__).parent.parent
GOOD = ROOT / "sample_bots" / "python-random"
TABLES = 4
MEBIBYTE = 1 << 20


@dataclass
class Window:
    """What honest seats have met in some stretch of time."""

    times_us: list[int] = field(default_factory=list)
    moves: int = 0
    seconds: float = 0.0
    most_bytes: int = 0  # of memory

    def percentile(self, share: float) -> int:
        times = sorted(self.times_us)
        return times[min(len(times) - 1, int(len(times) * share))]


class Honest:
    """Four matches that go on and on; what they meet is put into the window of the moment."""

    def __init__(self, house: House):
        self.house = house
        self.window = Window()
        self.faults: Counter[str] = Counter()
        self.forfeits = 0
        self.voids = 0
        self.absent = 0
        self.played = 0

    def watch(self, number: int, move: Move, state: State) -> None:
        self.window.times_us.append(move.time_us)

    def player(self, *, tcp: bool) -> StartedPlayer:
        command = (sys.executable, "bot.py")
        return self.house.player(Program("honest", command, GOOD, tcp=tcp), 30_000)

    async def play_on(self, table: int) -> None:
        # A bot that starts takes more of the machine than a move: they are all there already.
        players = [self.player(tcp=bool(table % 2)) for _ in range(2)]
        names = ("honest", "honest")
        match = 0
        while True:
            match += 1
            seed = f"{table} {match}".encode()
            plan = Plan("", "nyet", 2, seed, names, timing=Timing())
            played = await sit_down(plan, players, self.watch)
            self.played += 1
            if not played.is_begun:
                self.absent += 1
                continue
            self.voids += played.lag is not None
            self.forfeits += len(played.record.forfeits)
            self.faults.update(kept.code for kept in played.evidence)

    async def stretch(self, seconds: float) -> Window:
        """What is met in the next seconds."""
        self.window = window = Window(seconds=seconds)
        with trio.move_on_after(seconds):
            while True:
                window.most_bytes = max(window.most_bytes, resident_bytes())
                await trio.sleep(0.05)
        return window


def resident_bytes() -> int:
    """Of this process, now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@asynccontextmanager
async def honest_matches(warm_up: float) -> AsyncIterator[Honest]:
    """A house with its matches, after as long a warm-up."""
    async with open_house() as house, trio.open_nursery() as nursery:
        honest = Honest(house)
        for table in range(TABLES):
            nursery.start_soon(honest.play_on, table)
        while honest.played < TABLES:
            await trio.sleep(0.05)
        await honest.stretch(warm_up)
        yield honest
        nursery.cancel_scope.cancel()


@dataclass(frozen=True)
class Attacked:
    """An attack's own words, and what the honest met meanwhile."""

    window: Window
    connected: int
    let_in: int


async def attacked(honest: Honest, kind: str, addresses: Sequence[str], seconds: float) -> Attacked:
    """While one attacker for each address does its worst."""
    connected = let_in = 0
    window = Window()

    async def attack(address: str) -> None:
        nonlocal connected, let_in
        command = [sys.executable, "-m", "benchmarks.attackers", kind, address, str(seconds)]
        done = await trio.run_process(command, cwd=ROOT, capture_stdout=True)
        words = done.stdout.decode().split()
        connected += int(words[-4].rstrip(","))
        let_in += int(words[-1])

    async with trio.open_nursery() as nursery:
        for address in addresses:
            nursery.start_soon(attack, address)
        await trio.sleep(0.3)  # it has to start, which no honest bot should pay for
        window = await honest.stretch(seconds - 0.2)
    return Attacked(window, connected, let_in)


async def main(seconds: float, repeats: int) -> int:
    lines: list[Line] = []
    notes: list[str] = []
    async with honest_matches(warm_up=3) as honest:
        before = resident_bytes()
        most = 0
        let_in = 0
        for kind in KINDS:
            quiet, loud = Window(), Window()
            connected = 0
            for _ in range(repeats):
                for total, part in (
                    (quiet, await honest.stretch(seconds)),
                    (
                        loud,
                        (hit := await attacked(honest, kind, addresses(honest), seconds)).window,
                    ),
                ):
                    total.times_us += part.times_us
                    total.seconds += part.seconds
                    most = max(most, part.most_bytes)
                connected += hit.connected
                let_in += hit.let_in
            ratio = loud.percentile(0.99) / quiet.percentile(0.99)
            lines.append(Line(f"p99 under {kind}, against quiet", ratio, "x", 5, 2))
            notes.append(
                f"{kind}: {connected} connections; p99 {quiet.percentile(0.99)} us quiet, "
                f"{loud.percentile(0.99)} us attacked; median {quiet.percentile(0.5)} and "
                f"{loud.percentile(0.5)} us; decisions/s {rate(quiet):.0f} and {rate(loud):.0f}"
            )
        lines.append(Line("memory, more than before", (most - before) / MEBIBYTE, "MiB", 20, 5))
        lines.append(Line("honest forfeits", honest.forfeits + honest.absent, "", 0, 0))
        lines.append(Line("strangers let in", let_in, "", 0, 0))
        notes.append(f"{honest.played} matches, {honest.voids} void, faults {dict(honest.faults)}")
    return report("strangers at the door", lines, notes)


def addresses(honest: Honest) -> Sequence[str]:
    """Where strangers come: the port. The Unix socket is in a folder that is ours alone."""
    return honest.house.lobby.addresses[1:]


def rate(window: Window) -> float:
    return len(window.times_us) / window.seconds


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each stretch")
    parser.add_argument("--repeats", type=int, default=2)
    chosen = parser.parse_args()
    sys.exit(trio.run(main, chosen.seconds, chosen.repeats))
