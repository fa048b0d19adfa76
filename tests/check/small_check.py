"""A check of bots that are tasks of this process, under a clock that jumps.

Each step runs as it does for a program, frame by frame over a Unix socket. Only the program is
missing: a bot is a function, and its process a task with an exit code and two outputs.
"""

from __future__ import annotations

import math
import re
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias, cast

import msgpack
import pytest
import trio

from arena.bots.launch import Exit, Launch, Tail, Tails
from arena.bots.program import Program
from arena.bots.refused import CannotStart
from arena.check.catalogue import STEPS
from arena.check.findings import Finding
from arena.check.peer import Runs, Tap
from arena.check.run import CheckOrder, CheckReport, StepBegun, StepResult, check
from arena.referee.clock import Now
from arena.referee.house import House
from protocol import limits, messages
from tests.helpers import packed

# No process has this number: nothing is weighed.
NO_PROCESS = -1
# It is looked for before each start; what then runs is a task.
PROGRAM = Program("task", (sys.executable,), Path("/"))
Message: TypeAlias = dict[str, Any]
Play: TypeAlias = Callable[["BotSide"], Awaitable[int]]
"""A bot; it returns its exit code."""

# Fields that are the same in every message of a check, or told in other words.
LEFT_OUT = ("type", "view", "names", "clock", "commitment", "protocol", "offers", "limits")
KNOWN: Mapping[str, set[str]] = {
    each.__struct_config__.tag: {"type", *each.__struct_fields__}  # type: ignore[misc]
    for each in (
        messages.Welcome,
        messages.Start,
        messages.Request,
        messages.Fault,
        messages.End,
        messages.Bye,
    )
}


class TaskProcess:
    """A bot's process that is a task."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.pid = NO_PROCESS
        self.exit: Exit | None = None
        self.stdout = self.stderr = b""
        self.scope = trio.CancelScope()
        self.gone = trio.Event()
        self.asked = False

    def __repr__(self) -> str:
        return f"<TaskProcess {self.name!r} {self.exit or 'running'}>"

    async def exited(self) -> Exit:
        await self.gone.wait()
        assert self.exit is not None
        return self.exit

    async def tails(self) -> Tails:
        await trio.lowlevel.checkpoint()
        out, err = (Tail(data, b"", len(data)) for data in (self.stdout, self.stderr))
        return Tails(out, err)

    async def end(self, grace_ms: int = 0) -> Exit:
        if self.exit is None:
            self.asked = True
            self.scope.cancel()
        return await self.exited()


class TaskWarden:
    """Starts bots as tasks. `refuse`: it says instead that the program cannot be started."""

    def __init__(
        self,
        nursery: trio.Nursery,
        play: Play,
        script: Script,
        doors: Mapping[str, Door],
        *,
        refuse: bool,
    ) -> None:
        self.started: list[TaskProcess] = []
        self.tokens: list[str] = []
        self._nursery = nursery
        self._play = play
        self._script = script
        self._doors = doors
        self._refuse = refuse

    async def start(self, launch: Launch) -> TaskProcess:
        await trio.lowlevel.checkpoint()
        if self._refuse:
            raise CannotStart("not-found", f"{launch.name!r} was not started: no such program.")
        process = TaskProcess(f"bot {len(self.started) + 1}")
        self.started.append(process)
        side = BotSide(launch.env, process, self._doors)
        drawn = len(side.token) == 32 and side.token.isascii()
        self.tokens += [side.token] * drawn
        with_token = "a token" if drawn else repr(side.token)
        self._script.note(f"{process.name}: start at {side.place.partition(':')[0]}, {with_token}")
        self._nursery.start_soon(self._live, process, side)
        return process

    async def _live(self, process: TaskProcess, side: BotSide) -> None:
        status = -signal.SIGKILL
        try:
            with process.scope:
                status = await self._play(side)
        finally:
            if side.pipe is not None:
                side.pipe.close()
            process.exit = Exit.from_status(status, asked=process.asked)
            process.gone.set()


class TaskConfiner:
    """Confines nothing."""

    def check(self, program: Program) -> None:
        """Find nothing wrong."""

    def launch(self, program: Program, own: Mapping[str, str], place: str) -> Launch:
        assert own[limits.CONNECT_VARIABLE] == place
        return Launch(program.name, program.command, dict(own), program.folder)


def jumping_now() -> int:
    return round(trio.current_time() * 1_000_000)


class Script:
    """All that is written to the bots, line by line, with the time in milliseconds."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._began_us = jumping_now()
        self.pipes: list[Pipe] = []

    def note(self, words: str) -> None:
        self.lines.append(f"{(jumping_now() - self._began_us) / 1000:9.1f} {words}")


class Pipe:
    """One end of a connection in memory: each write is one read of the other end.

    `script`: writes are noted there; `name`: of the bot, for these notes.
    """

    def __init__(
        self,
        to_other: trio.MemorySendChannel[bytes],
        from_other: trio.MemoryReceiveChannel[bytes],
        family: int,
        script: Script | None = None,
        name: str = "",
    ) -> None:
        self.socket = SimpleNamespace(family=family)
        self.is_closed = False
        self.options: list[tuple[int, int, int]] = []
        self._to_other, self._from_other = to_other, from_other
        self._script, self._name = script, name
        self._pieces: list[int] = []
        self._part = b""

    def setsockopt(self, level: int, option: int, value: int) -> None:
        self.options.append((level, option, value))

    async def send_all(self, data: bytes) -> None:
        await self._to_other.send(data)
        if self._script is not None and (words := self._told(data)):
            self._script.note(f"{self._name}{words}")

    async def receive_some(self, most: int) -> bytes:
        assert most >= 4096  # more than any test writes at once
        try:
            return await self._from_other.receive()
        except trio.EndOfChannel:
            return b""

    async def aclose(self) -> None:
        if self._script is not None and not self.is_closed:
            rest = f" after a part of {len(self._part)} bytes" if self._part else ""
            self._script.note(f"{self._name}closed{rest}")
        self.close()
        await trio.lowlevel.checkpoint()

    def close(self) -> None:
        self.is_closed = True
        self._to_other.close()
        self._from_other.close()

    def _told(self, data: bytes) -> str:
        """Tell the messages that end in this write; nothing if none does."""
        self._pieces.append(len(data))
        self._part += data
        words = []
        while (body := whole(self._part)) is not None:
            self._part = self._part[4 + len(body) :]
            words.append(told(msgpack.unpackb(body), body) + in_pieces(self._pieces))
            self._pieces = [len(self._part)] if self._part else []
        return " + ".join(words)


def whole(data: bytes) -> bytes | None:
    """Return the body of the first frame, if it is there."""
    size = int.from_bytes(data[:4], "big")
    return data[4 : 4 + size] if len(data) >= 4 + size and len(data) >= 4 else None


class Door:
    """An address, and the socket that listens there."""

    def __init__(self, kind: str, script: Script, doors: dict[str, Door]) -> None:
        self.socket = self
        self._family = {"unix": socket.AF_UNIX, "tcp6": socket.AF_INET6}.get(kind, socket.AF_INET)
        self._place = f"{kind}:{len(doors)}"
        self._script = script
        self._callers, self._came = trio.open_memory_channel[Pipe](1)
        self._is_closed = False
        doors[self._place] = self

    def listen(self, backlog: int) -> tuple[Door, str]:
        assert backlog == 1
        return self, self._place

    async def accept(self) -> Pipe:
        return await self._came.receive()

    async def dial(self, name: str) -> Pipe:
        out, theirs_in = trio.open_memory_channel[bytes](math.inf)
        theirs_out, back = trio.open_memory_channel[bytes](math.inf)
        ours = Pipe(theirs_out, theirs_in, self._family, self._script, name)
        self._script.pipes.append(ours)
        await self._callers.send(ours)
        return Pipe(out, back, self._family)

    def close(self) -> None:
        self._came.close()
        self._is_closed = True

    def clean_up(self) -> None:
        assert self._is_closed


class BotSide:
    """The bot's end of a connection."""

    def __init__(self, env: Mapping[str, str], process: TaskProcess, doors: Mapping[str, Door]):
        self.place, self.token = env[limits.CONNECT_VARIABLE], env[limits.TOKEN_VARIABLE]
        self.process = process
        self.pipe: Pipe | None = None
        self.asked = 0
        self._doors = doors
        self._got = b""

    async def dial(self) -> None:
        self.pipe = await self._doors[self.place].dial(f"{self.process.name}: ")

    async def send(self, data: bytes) -> None:
        """Send bytes; that nobody reads them any more shows when the next message is read."""
        assert self.pipe is not None
        with suppress(trio.BrokenResourceError):
            await self.pipe.send_all(data)

    async def say_hello(self, **otherwise: object) -> None:
        await self.dial()
        await self.send(packed({"type": "hello", "protocol": 1, "token": self.token} | otherwise))

    async def hear(self) -> Message | None:
        """Return the next message; None at the end of the connection."""
        while (body := whole(self._got)) is None:
            assert self.pipe is not None
            data = await self.pipe.receive_some(65_536)
            if not data:
                return None
            self._got += data
        self._got = self._got[4 + len(body) :]
        message: Message = msgpack.unpackb(body)
        return message

    def action(self, request: Message, **otherwise: object) -> bytes:
        right = {"match": request["match"], "id": request["id"], "action": request["legal"][0]}
        return packed({"type": "action"} | right | otherwise)

    async def answer(self, request: Message, **otherwise: object) -> None:
        await self.send(self.action(request, **otherwise))

    async def request(self) -> Message | None:
        """Return the next request; None if no more will come."""
        while (message := await self.hear()) is not None and message["type"] != "bye":
            if message["type"] == "request":
                self.asked += 1
                return message
        return None

    async def play_on(self, think_seconds: float = 0.001) -> int:
        """Play well to the end."""
        while (request := await self.request()) is not None:
            await trio.sleep(think_seconds)
            await self.answer(request)
        return 0


def in_pieces(pieces: Sequence[int]) -> str:
    """Tell the writes that a message took; nothing of a single one."""
    if len(pieces) < 2:
        return ""
    sizes = [str(size) if size < 10 else "many" for size in pieces]
    if len({*sizes}) == 1:
        return f" in {len(sizes)} writes of {sizes[0]}"
    return f" in writes of {', '.join(sizes)}"


def told(message: Message, body: bytes) -> str:
    """Tell a message in a line, with whatever is odd about its form."""
    kind = message["type"]
    match message:
        case {"type": "request", "id": int(id_), "match": str(name)}:
            words = (
                f"request {id_} of {name[-1]}: {len(message['legal'])} legal,"
                f" {message['time_us']} us, {message['charged_us']} charged"
            )
        case {"type": "start" | "end" | "fault" | "bye" | "welcome"}:
            fields = [
                f"{name} {value!r}"
                for name, value in message.items()
                if name in KNOWN[kind] and name not in LEFT_OUT
            ]
            words = f"{kind} {', '.join(fields)}"
            words += " with a view" if "view" in message else ""
        case _:
            return f"unknown: {message}"
    unknown = [name for name in message if name not in KNOWN[kind]]
    return words + "".join(
        f"; {odd}"
        for odd, holds in (
            (f"unknown fields {', '.join(unknown)}", unknown),
            ("an odd view", "of_a_later_version" in message.get("view", {})),
            (f"{len(body)} bytes", len(body) > 10_000),
            (f"{depth(message)} deep", depth(message) > 8),
            ("in long forms", len(body) > len(msgpack.packb(message))),
        )
        if holds
    )


def depth(value: object) -> int:
    match value:
        case dict():
            return 1 + max(map(depth, value.values()), default=0)
        case list():
            return 1 + max(map(depth, value), default=0)
        case _:
            return 0


@dataclass
class SmallCheck:
    """A check as its bot and its user saw it."""

    report: CheckReport
    script: list[str]
    told: list[StepBegun | StepResult]
    processes: list[TaskProcess]
    tokens: list[str]  # that were drawn
    pipes: list[Pipe]  # our ends

    @property
    def findings(self) -> list[Finding]:
        return self.report.findings


async def small_check(
    play: Play,
    folder: Path,
    *,
    games: tuple[str, ...] = ("nope",),
    connect: tuple[str, ...] = ("unix",),
    title: str | None = None,
    start_ms: int = 10_000,
    tap: Tap | None = None,
    refuse: bool = False,
) -> SmallCheck:
    """Check a bot, in all steps or in the first with these words in its title."""
    only = None
    if title is not None:
        only = next(step.number for step in STEPS if title in step.title)
    script = Script()
    doors: dict[str, Door] = {}
    heard: list[StepBegun | StepResult] = []

    @dataclass
    class SmallRuns(Runs):
        now: Now = jumping_now

        def address(self, kind: str) -> Any:
            return Door(kind, script, doors)

    def tell(news: StepBegun | StepResult) -> None:
        heard.append(news)
        if isinstance(news, StepBegun):
            script.lines.append(f"-- {news.step.title}, {news.seconds_left:.4f} s left")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.check.run.Runs", SmallRuns)
        patch.setattr("arena.check.steps.matches.has_ipv6", lambda: True)
        async with trio.open_nursery() as nursery:
            warden = TaskWarden(nursery, play, script, doors, refuse=refuse)
            house = SimpleNamespace(door_folder=folder, warden=warden, confiner=TaskConfiner())
            order = CheckOrder(PROGRAM, games, connect, start_ms, only)
            report = await check(cast("House", house), order, tell, tap)
            assert all(process.exit is not None for process in warden.started)
    return SmallCheck(
        report, folded(script.lines), heard, warden.started, warden.tokens, script.pipes
    )


def folded(lines: Sequence[str]) -> list[str]:
    """Leave out all but the first and the last of many ordinary requests in a row."""
    kept: list[str] = []
    row: list[str] = []
    for line in (*lines, ""):
        if re.search(r"bot \d+: request [^;+]*$", line):
            row.append(line)
            continue
        if len(row) > 3:
            row = [row[0], f"{'':9} {len(row) - 2} more", row[-1]]
        kept += [*row, line]
        row = []
    return kept[:-1]
