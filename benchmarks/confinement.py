"""What confining a bot costs: `python -m benchmarks.confinement`.

For each rung that works here, against unconfined, turn and turn about in one run: the CPU time
of a start (of the bot, of what confines it, and of the warden, until the bot has said hello), and
the time from a request to its answer, by bare sockets, with a Python bot that answers at once.
Everything is pinned to one core. The exit code is 1 where a line does not hold.
"""

from __future__ import annotations

import argparse
import os
import select
import socket
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import trio

from arena.bots.builds.builder import give
from arena.bots.confine.choose import Rejected, tried
from arena.bots.confine.confinement import FIRST_UID, Rung
from arena.bots.confine.confiner import Means
from arena.bots.processes import BotProcess
from arena.bots.program import Program
from arena.games import GAMES
from arena.referee.house import House, open_house
from benchmarks.measure import Line, report
from protocol.encode import encode, encode_request
from protocol.limits import CONNECT_VARIABLE, LIMITS_BY_NAME, TOKEN_VARIABLE
from protocol.messages import Start, Welcome
from protocol.version import VERSION

SAMPLE = Path(__file__).parent.parent / "sample_bots" / "python-random"
SEATS = 2
STARTS, DECISIONS = 20, 20_000
TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")


def cpu_ms_below(warden: int) -> float:
    """CPU milliseconds of the warden and of all processes that it has reaped."""
    fields = Path(f"/proc/{warden}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) * TICK_MS


def programs_in(house: House, means: Means, name: str) -> list[Program]:
    """Two bots with copies of their own, as `prepared` would make them."""
    programs = []
    for seat in range(SEATS):
        folder = house.folder / f"{name}-{seat}"
        folder.mkdir()
        for file in ("bot.py", "decide.py"):
            (folder / file).write_text((SAMPLE / file).read_text())
        uid = FIRST_UID + seat if means.uids else None
        if uid is not None:
            give(folder, uid)
        command = (sys.executable, "bot.py")
        programs.append(Program(f"bot{seat}", command, folder, uid=uid))
    return programs


async def start_ms(house: House, means: Means, program: Program) -> float:
    """CPU milliseconds for one start, from its request to the end of its processes."""
    house.confine_by(means)
    player = house.player(program)
    before = cpu_ms_below(house.warden.pid)
    absent = await player.ready()
    assert absent is None, absent
    await player.end()
    return cpu_ms_below(house.warden.pid) - before


class Asked:
    """A bot that is connected to a socket of this benchmark, and can be asked."""

    def __init__(self, process: BotProcess, sock: socket.socket, request: bytes):
        self.process = process
        self._sock = sock
        self._request = request

    def decision_us(self) -> float:
        """Ask once, and return the microseconds until the answer is there."""
        began = time.perf_counter_ns()
        self._sock.sendall(self._request)
        assert self._sock.recv(4096)
        return (time.perf_counter_ns() - began) / 1000

    async def end(self) -> None:
        self._sock.close()
        await self.process.end()


async def connected(house: House, means: Means, program: Program, request: bytes) -> Asked:
    """Start a bot on these means, and begin a match with it."""
    house.confine_by(means)
    path = house.folder / f"benchmark-{means.rung}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        path.chmod(0o666)
        listener.listen()
        own = {CONNECT_VARIABLE: f"unix:{path}", TOKEN_VARIABLE: "token"}
        launch = house.confiner.launch(program, own, f"unix:{path}")
        process = await house.warden.start(launch)
        while not select.select([listener], [], [], 0)[0]:
            await trio.sleep(0.01)  # the warden may have to connect it
        sock, _ = listener.accept()
    sock.settimeout(10)
    assert sock.recv(4096)  # its hello
    sock.sendall(encode(Welcome(VERSION, "bot", (), LIMITS_BY_NAME)))
    sock.sendall(encode(START))
    return Asked(process, sock, request)


START = Start("m-1", "nyet", {}, SEATS, ("seat 0", "seat 1"), 0, {}, "0" * 64)


def request_of_a_match() -> bytes:
    """The first request of a match, whole."""
    game = GAMES["nyet"]
    state = game.deal(SEATS, b"benchmark")
    legal = [game.actions.name(action) for action in state.legal(0)]
    return encode_request("m-1", 1, state.view(0), legal, 10_100_000, 0)


def percentile(times: Sequence[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


async def measured(starts: int, decisions: int) -> int:
    async with open_house() as house:
        rungs: dict[str, Means] = {"unconfined": Means()}
        notes = []
        for rung in (Rung.BUBBLEWRAP, Rung.LANDLOCK):
            found = await tried(house.warden, rung, house.folder, ())
            if isinstance(found, Rejected):
                notes.append(f"{rung} does not work here: {found.why}")
            else:
                rungs[str(rung)] = found
        programs = {name: programs_in(house, means, name) for name, means in rungs.items()}
        spent: dict[str, list[float]] = {name: [] for name in rungs}
        for _ in range(starts):
            for name, means in rungs.items():
                spent[name].append(await start_ms(house, means, programs[name][0]))
        asked = {
            name: await connected(house, means, programs[name][1], request_of_a_match())
            for name, means in rungs.items()
        }
        times: dict[str, list[float]] = {name: [] for name in rungs}
        for _ in range(decisions):
            for name, bot in asked.items():
                times[name].append(bot.decision_us())
        for bot in asked.values():
            await bot.end()
    return report("confinement", lines_of(spent, times), notes)


def lines_of(
    spent: Mapping[str, Sequence[float]], times: Mapping[str, Sequence[float]]
) -> list[Line]:
    """Return a line for each promise and rung, against unconfined."""
    lines = []
    plain = statistics.mean(spent["unconfined"])
    for name in spent:
        if name == "unconfined":
            continue
        more = statistics.mean(spent[name]) - plain
        lines.append(Line(f"{name}: a start, more CPU", more, "ms", 15, 8))
        for share, bound in ((0.5, 1.05), (0.99, 1.2)):
            ratio = percentile(times[name], share) / percentile(times["unconfined"], share)
            what = f"{name}: a decision, p{share * 100:.0f}"
            lines.append(Line(what, ratio, "x", bound, 1.0))
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=STARTS)
    parser.add_argument("--decisions", type=int, default=DECISIONS)
    asked = parser.parse_args()
    # On one core, bots too: else the median tells which core each of them happens to be on.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return trio.run(measured, asked.starts, asked.decisions)


if __name__ == "__main__":
    raise SystemExit(main())
