"""What a decision costs a bot, by language: `python -m benchmarks.bots [FOLDER ...]`.

CPU time of the bot's process, user and system, all its threads, for one decision of `nyet`:
read a request, choose at random, answer. The requests are those of real matches; each is sent
over a Unix socket as soon as the last answer is in, with all processes pinned to one core. The
bots take turns, after so many decisions that what compiles as it runs has done so, and medians
are shown. A bot whose toolchain is missing is left out, with a word. The exit code is 1 where
a line does not hold.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena import data
from arena.bots.botfile import read_bot, runnable
from arena.bots.contents import prepare_scratch
from arena.games import GAMES, View
from benchmarks.measure import Line, report
from protocol.messages import Action, Bye, Hello, Start, Welcome
from protocol.server_end import Received, ServerEnd

GAME, SEATS = "nyet", 4
MATCHES = 4

# Microseconds for a decision: what must hold, and what would be better still.
LIMITS: Mapping[str, tuple[float, float]] = {
    "c-random": (8, 5),
    "cpp-random": (15, 8),
    "go-random": (15, 10),
    "rust-random": (15, 8),
    "python-random": (25, 20),
    "javascript-random": (40, 25),
    "typescript-random": (40, 25),
    "java-random": (40, 20),
    "kotlin-random": (40, 20),
    "ruby-random": (40, 25),
    "php-random": (40, 25),
}


@dataclass(frozen=True)
class Question:
    """A decision as it came up in a match."""

    view: View
    legal: list[str]


def questions() -> list[Question]:
    """All decisions of some matches between players who choose at random, the same every time."""
    game = GAMES[GAME]
    rng = random.Random(1)
    asked = []
    for number in range(MATCHES):
        state = game.deal(SEATS, number.to_bytes(32, "big"))
        while owing := state.to_act():
            seat = owing[0]
            legal = state.legal(seat)
            asked.append(Question(state.view(seat), [game.actions.name(each) for each in legal]))
            state.apply(seat, rng.choice(legal))
    return asked


class Asked:
    """A bot in the middle of a match that never ends."""

    def __init__(self, name: str, folder: Path, place: str):
        bot = read_bot(folder)
        environment = {
            **os.environ,
            **bot.env,
            "ARENA_CONNECT": f"unix:{place}",
            "ARENA_TOKEN": "token",
        }
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(place)
            listener.listen()
            listener.settimeout(30)
            self.process = subprocess.Popen(
                runnable(bot.command), cwd=folder, env=environment, start_new_session=True
            )
            try:
                self._link, _ = listener.accept()
            except TimeoutError:
                self.process.kill()
                self.process.wait()
                raise SystemExit(f"{name} did not connect within 30 s") from None
        self._clock = cpu_clock_of(self.process.pid)
        self._end = ServerEnd()
        assert isinstance(self._receive(), Hello)
        self._link.sendall(self._end.send(Welcome(1, name, (), {})))
        names = tuple(f"seat {seat}" for seat in range(SEATS))
        self._link.sendall(self._end.send(Start("m-1", GAME, {}, SEATS, names, 0, {}, "")))

    def _receive(self) -> Received:
        what = self._end.receive()
        while what is None:
            received = self._link.recv(65_536)
            assert received, "the bot hung up"
            what = self._end.receive(received)
        return what

    def cpu_us(self, asked: Sequence[Question]) -> float:
        """Microseconds of its CPU time for each of these."""
        before = time.clock_gettime_ns(self._clock)
        for question in asked:
            request = self._end.request("m-1", question.view, question.legal, 10_100_000, 0)
            self._link.sendall(request)
            answer = self._receive()
            assert isinstance(answer, Action), answer
        return (time.clock_gettime_ns(self._clock) - before) / 1000 / len(asked)

    def close(self) -> None:
        """End it as a league does: bye, and a moment to go by itself."""
        self._link.sendall(self._end.send(Bye("done", "That was all.")))
        self._link.close()
        try:
            self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def cpu_clock_of(pid: int) -> int:
    """The clock that counts the CPU time of another process: user and system, every thread."""
    clock = ctypes.c_int()
    error = ctypes.CDLL(None).clock_getcpuclockid(pid, ctypes.byref(clock))
    if error:
        raise OSError(error, os.strerror(error))
    return clock.value


def missing(folder: Path) -> str | None:
    """A program that the bot's build or command needs and that is not here."""
    bot = read_bot(folder)
    # What a build makes is no program that could be looked for yet.
    words = [command[0] for command in (bot.build, runnable(bot.command)) if command]
    return next((word for word in words if "/" not in word and not shutil.which(word)), None)


@contextmanager
def built(folder: Path) -> Iterator[Path]:
    """A built copy of a bot, for as long as the scope lasts."""
    bot = read_bot(folder)
    with tempfile.TemporaryDirectory() as place:
        copy = prepare_scratch(bot, Path(place) / folder.name)
        if bot.build is not None:
            done = subprocess.run(runnable(bot.build), cwd=copy, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"the build of {folder.name} failed:\n{done.stdout}{done.stderr}")
        yield copy


def measured(
    bots: Mapping[str, Asked], asked: Sequence[Question], warm_up: int, repeats: int
) -> dict[str, list[float]]:
    """Turn and turn about: what each turn of each cost."""
    for bot in bots.values():
        for _ in range(max(1, warm_up // len(asked))):
            bot.cpu_us(asked)
    times: dict[str, list[float]] = {name: [] for name in bots}
    for _ in range(repeats):
        for name, bot in bots.items():
            times[name].append(bot.cpu_us(asked))
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help="only these sample bots")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--warm-up", type=int, default=40_000, help="decisions of each beforehand")
    options = parser.parse_args()
    notes = []
    with ExitStack() as stack:
        here = {}
        for name in options.folders or LIMITS:
            folder = data.sample_bots() / name
            if name not in LIMITS:
                parser.error(f"there is no limit for {name}; there are {', '.join(LIMITS)}")
            if not folder.is_dir():
                notes.append(f"{name} is left out: there is no such sample bot")
            elif program := missing(folder):
                notes.append(f"{name} is left out: {program} is not installed")
            else:
                here[name] = stack.enter_context(built(folder))
        asked = questions()
        # Builds may use every core; what is measured may not.
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
        bots = {}
        for name, folder in here.items():
            place = stack.enter_context(tempfile.TemporaryDirectory())
            bots[name] = Asked(name, folder, f"{place}/socket")
            stack.callback(bots[name].close)
        times = measured(bots, asked, options.warm_up, options.repeats)
    if not times:
        print(*notes, sep="\n")
        return 0
    notes += [
        f"{len(asked)} decisions a turn, {options.repeats} turns each",
        # What others do on the machine makes a turn dearer, never cheaper.
        "their cheapest turns: " + ", ".join(f"{name} {min(t):.1f}" for name, t in times.items()),
    ]
    lines = [
        Line(name, statistics.median(each), "us", *LIMITS[name]) for name, each in times.items()
    ]
    return report("CPU of a bot's process for a decision, user and system, pinned", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
