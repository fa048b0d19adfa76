"""What the wire costs: `python -m benchmarks.codec`.

CPU time, medians of repeats that take turns, so that a slow moment of the machine falls on
all alike; pinned to one core, the bots too, because waking another core is charged to whoever
sleeps there and says nothing about the code. Prints a table and whether each line holds; the
exit code is 1 where one does not.
"""

from __future__ import annotations

import os
import random
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from arena.games import GAMES
from protocol.breaches import not_legal
from protocol.decode import decode_from_bot
from protocol.encode import encode, encode_request
from protocol.limits import MAX_BOT_BODY_BYTES
from protocol.messages import Action, Bye, End, Start, Welcome
from protocol.server_end import ServerEnd

REPEATS = 25
CALLS = 4_000
BOT_REPEATS = 5
BOT_DECISIONS = (200, 4_200)
START_REPEATS = 15

VIEW_BYTES = 700

MATCH = "m-4f2a9c1d77e01b35"


def _a_request() -> tuple[dict[str, Any], list[str]]:
    """A view of `nyet` with four seats, the first of 700 bytes or more, and what is legal."""
    game = GAMES["nyet"]
    rng = random.Random(1)
    state = game.deal(4, bytes(32))
    while True:
        for seat in state.to_act():
            view, legal = state.view(seat), state.legal(seat)
            if len(msgspec.msgpack.encode(view)) >= VIEW_BYTES:
                return view, [game.actions.name(action) for action in legal]
            state.apply(seat, rng.choice(legal))


VIEW, LEGAL = _a_request()

KIT_BOT = "from protocol import run; run(lambda request: request['legal'][0])"

# No checks, no cut frames, nothing told to anyone: what the kernel and msgpack cost.
BARE_BOT = """
import msgpack, os, socket
link = socket.socket(socket.AF_UNIX)
link.connect(os.environ["ARENA_CONNECT"][5:])
def send(message):
    body = msgpack.packb(message)
    link.send(len(body).to_bytes(4, "big") + body)
send({"type": "hello", "protocol": 1, "token": "t"})
while True:
    data = link.recv(65536)
    size = int.from_bytes(data[:4], "big")
    while len(data) > 4 + size:  # welcome and start, or end and bye, in one read
        data = data[4 + size:]
        size = int.from_bytes(data[:4], "big")
    message = msgpack.unpackb(data[4:])
    if message["type"] == "request":
        send({"type": "action", "match": message["match"], "id": message["id"],
              "action": message["legal"][0]})
    elif message["type"] == "bye":
        break
"""


@dataclass(frozen=True)
class Line:
    """One row of the table; no limit: for information."""

    what: str
    microseconds: float
    most: float | None = None
    stretch: float | None = None

    @property
    def holds(self) -> bool:
        return self.most is None or self.microseconds <= self.most

    def row(self) -> str:
        most = "" if self.most is None else f"{self.most:g}"
        stretch = "" if self.stretch is None else f"{self.stretch:g}"
        verdict = "" if self.most is None else "holds" if self.holds else "DOES NOT HOLD"
        if self.stretch is not None and self.microseconds <= self.stretch:
            verdict += ", stretch too"
        return f"{self.what:<58} {self.microseconds:>9.2f} {most:>7} {stretch:>8}  {verdict}"


def interleaved(calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The median cost of each, in microseconds of CPU, less that of an empty call."""
    calls = {"nothing": lambda: None, **calls}
    took: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(REPEATS):
        for name, call in calls.items():
            start = time.process_time_ns()
            for _ in range(CALLS):
                call()
            took[name].append((time.process_time_ns() - start) / CALLS / 1000)
    medians = {name: statistics.median(times) for name, times in took.items()}
    nothing = medians.pop("nothing")
    return {name: cost - nothing for name, cost in medians.items()}


def codec() -> Iterator[Line]:
    """The referee's side of one decision."""
    answer = msgspec.msgpack.encode(
        {"type": "action", "match": MATCH, "id": 123, "action": LEGAL[0]}
    )
    end = _playing()

    data = len(answer).to_bytes(4, "big") + answer

    def through_the_end() -> object:
        end.last_id = 122  # so that the same answer fits each time
        end.request(MATCH, VIEW, LEGAL, 10_100_000, 1234)
        return end.receive(data)

    assert isinstance(through_the_end(), Action)
    size = len(encode_request(MATCH, 123, VIEW, LEGAL, 10_100_000, 1234))
    costs = interleaved(
        {
            "pack": lambda: encode_request(MATCH, 123, VIEW, LEGAL, 10_100_000, 1234),
            "unpack": lambda: decode_from_bot(answer),
            "both": lambda: (
                encode_request(MATCH, 123, VIEW, LEGAL, 10_100_000, 1234),
                decode_from_bot(answer),
            ),
            "end": through_the_end,
        }
    )
    yield Line(f"codec: pack a request of {size} bytes, unpack the answer", costs["both"], 3, 1.5)
    yield Line("  of that, pack", costs["pack"])
    yield Line("  of that, unpack", costs["unpack"])
    yield Line("the same through ServerEnd, order and legality checked", costs["end"])


def worst_frames() -> Iterator[Line]:
    """The frames that take the strict reader longest, wall time of one."""
    most = MAX_BOT_BODY_BYTES
    frames = {
        "a list of 4,000 numbers": b"\x81\xa1a\xdc\x0f\xf9" + b"\x01" * (most - 6),
        "126 different keys": b"\xde\x00\x7e"
        + b"".join(b"\xa2%c%c\x01" % (97 + i % 26, 97 + i // 26) for i in range(126)),
        "4,000 lists in each other": b"\x81\xa1a" + b"\x91" * (most - 3),
        "a misspelt key of 4,000": msgspec.msgpack.encode({"type": "action", "a" * 4000: 1}),
        "1,300 direction marks": msgspec.msgpack.encode(
            {"type": "action", "match": "m", "id": 1, "action": "\u202e" * 1300}
        ),
    }
    for name, body in frames.items():
        times = []
        for _ in range(200):
            start = time.process_time_ns()
            decode_from_bot(body)
            times.append((time.process_time_ns() - start) / 1000)
        yield Line(f"a frame made to be slow: {name}", statistics.median(times), 1000)
    legal = [f"select:{seat}:{count}:red" for seat in range(30) for count in (1, 2, 3)]
    times = []
    for _ in range(200):
        start = time.process_time_ns()
        not_legal(Action(MATCH, 1, "select:31:1:rad"), legal)
        times.append((time.process_time_ns() - start) / 1000)
    yield Line("an action like 90 legal ones, and none of them", statistics.median(times), 1000)


def kit() -> Iterator[Line]:
    """A Python bot that answers at once: its own CPU for each decision."""
    few, many = BOT_DECISIONS
    costs: dict[str, list[float]] = {KIT_BOT: [], BARE_BOT: []}
    for _ in range(BOT_REPEATS):
        for program, each in costs.items():
            each.append((_bot_cpu(program, many) - _bot_cpu(program, few)) / (many - few))
    with_kit, bare = (statistics.median(each) for each in costs.values())
    yield Line("the Python kit: a bot's CPU for a decision", with_kit, 25)
    yield Line("  the least there is: recv, unpackb, packb, send", bare)


def start_up() -> Iterator[Line]:
    """A Python process that loads the kit, against one that loads what any bot needs.

    Both load bytecode, as they do once installed. With PYTHONDONTWRITEBYTECODE set, a checkout
    is compiled at each start, which costs four times as much as all that the kit does then.
    """
    programs = {"import socket, msgpack": [], "import protocol": []}  # type: dict[str, list[float]]
    with tempfile.TemporaryDirectory() as bytecode:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for repeat in range(1 + START_REPEATS):
            for program, times in programs.items():
                before = _children_cpu()
                subprocess.run([sys.executable, "-c", program], env=environment, check=True)
                if repeat:  # the first writes the bytecode
                    times.append(_children_cpu() - before)
    bare, whole = (statistics.median(times) for times in programs.values())
    yield Line("start of Python with socket and msgpack", bare)
    yield Line("the same with the kit: at most an eighth more", whole, bare * 1.125)


def _playing() -> ServerEnd:
    end = ServerEnd()
    hello = msgspec.msgpack.encode({"type": "hello", "protocol": 1, "token": "t"})
    end.receive(len(hello).to_bytes(4, "big") + hello)
    end.send(Welcome(1, "fox", (), {}))
    end.send(Start(MATCH, "nyet", {}, 4, (), 2, {}, ""))
    return end


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (usage.ru_utime + usage.ru_stime) * 1e6


def _bot_cpu(program: str, decisions: int) -> float:
    """Microseconds of CPU that a bot takes from its start to its end."""
    with _listening() as (listener, address):
        environment = {**os.environ, "ARENA_CONNECT": address, "ARENA_TOKEN": "t"}
        bot = subprocess.Popen([sys.executable, "-c", program], env=environment)
        link, _ = listener.accept()
        with link:
            end = ServerEnd()
            end.receive(link.recv(65_536))
            link.sendall(end.send(Welcome(1, "fox", (), {})))
            link.sendall(end.send(Start(MATCH, "nyet", {}, 4, (), 2, {}, "")))
            for _ in range(decisions):
                link.sendall(end.request(MATCH, VIEW, LEGAL, 10_100_000, 1234))
                end.receive(link.recv(65_536))
                assert not end.asked
            link.sendall(end.send(End(MATCH, (), (), "void", (), ())) + encode(Bye("done", "")))
            _, status, usage = os.wait4(bot.pid, 0)
            bot.returncode = status  # it is waited for; Popen need not
        assert status == 0
        return (usage.ru_utime + usage.ru_stime) * 1e6


@contextmanager
def _listening() -> Iterator[tuple[socket.socket, str]]:
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        path = str(Path(folder) / "socket")
        listener.bind(path)
        listener.listen()
        yield listener, f"unix:{path}"


def main() -> int:
    """Print the table; 1 if a line does not hold."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{'CPU, microseconds':<58} {'measured':>9} {'at most':>7} {'stretch':>8}")
    holds = True
    for part in (codec, worst_frames, kit, start_up):
        for line in part():
            print(line.row(), flush=True)
            holds = holds and line.holds
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
