"""Bot processes for Trio: start them, wait for their end, read their output, end them.

    async with open_warden() as warden:
        bot = await warden.start(Launch("fox", ("python3", "bot.py"), env, folder))
        ...
        print(await bot.end(grace_ms=500), (await bot.tails()).stderr)

Leaving the scope ends every process that was started in it. The work is done by a process of its
own, `arena.bots.warden`, which does it even if this process is killed. If the warden is killed,
the scope is cancelled and raises WardenDied. Before a lost connection is blamed on a bot,
`exited()` must be awaited: it raises WardenDied too.
"""

from __future__ import annotations

import itertools
import math
import os
import secrets
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import trio

from arena.bots.launch import Exit, Launch, Tail, Tails
from arena.bots.refused import HostFull, ProcessError, WardenDied, why_refused
from arena.bots.warden.cgroups.groups import processes_in, remove_folders
from arena.bots.warden.tree import kill_remains
from arena.bots.warden.wire import pack, unpack

LINK_BYTES = 65_536
# An exit code above this is that of a shell or of bubblewrap for a program that a signal has ended.
SHELL_SIGNAL = 128

# The warden promises to end within a second after its link closes. After this it is killed.
CLOSING_SECONDS = 5

# Not `-m`, which would load this package and with it Trio. With -S, because site-packages is not
# needed, and setting it up makes the start half as long again.
_PROGRAM = "import sys; sys.path.append(sys.argv[1]); from warden.process import main; main()"
_FOLDER = str(Path(__file__).resolve().parent)


OnPrinted: TypeAlias = Callable[[str, int, str, int, bytes], None]
"""Called with output as it comes: the bot's name, a number of its process, "stdout" or "stderr",
the number of bytes before these that were skipped because there were too many, and the bytes."""


class BotProcess:
    """A bot that was started, and may have ended since. Made by `Warden.start`."""

    def __init__(self, warden: Warden, number: int, launch: Launch) -> None:
        self.name = launch.name
        self.pid = 0
        self._warden = warden
        self._number = number
        self._launch = launch
        self._exit: Exit | None = None
        self._tails = Tails(Tail(b"", b"", 0), Tail(b"", b"", 0))
        self._asked_to_end = False
        self._refusal: ProcessError | None = None
        self._started = trio.Event()
        self._gone = trio.Event()
        self._tails_came: trio.Event | None = None
        self._written: trio.Event | None = None  # its last piece

    def __repr__(self) -> str:
        return f"<BotProcess {self.name!r} pid {self.pid} {self._exit or 'running'}>"

    @property
    def printed_bytes(self) -> int:
        """The number of bytes that it has written, as far as is known: all of them at its end."""
        return self._tails.stdout.total_bytes + self._tails.stderr.total_bytes

    @property
    def exit(self) -> Exit | None:
        """The end of its first process; None while any process of its tree is left."""
        return self._exit

    async def exited(self) -> Exit:
        """Wait until it has ended and its whole tree of processes is gone."""
        await self._gone.wait()
        if self._exit is None:
            raise self._warden._why_over()
        return self._exit

    async def tails(self) -> Tails:
        """Return the beginning and the end of all that it has written until now."""
        if self._exit is not None or self._warden._over:
            await trio.lowlevel.checkpoint()
        else:
            if self._tails_came is None:
                self._tails_came = trio.Event()
                self._warden._post("tails", self._number)
            await self._tails_came.wait()
        if self._exit is None and self._warden._over:
            raise self._warden._why_over()
        return self._tails

    async def end(self, grace_ms: int = 0) -> Exit:
        """End it and its whole tree, and wait until they are gone.

        With a grace, all its processes get SIGTERM first. Those left when the first process ends,
        or after `grace_ms` milliseconds, are killed. That goes on if the waiting is cancelled.
        """
        self.end_soon(grace_ms)
        return await self.exited()

    def end_soon(self, grace_ms: int = 0) -> None:
        """As `end`, without waiting; for code that cannot wait, as in a cancelled scope."""
        if self._exit is None:
            self._asked_to_end = True
            self._warden._post("end", self._number, grace_ms)

    def look_at_scratch(self) -> None:
        """Have the warden look at its scratch folder; when it is known to run its own program."""
        if self._exit is None and self._launch.rules.scratch:
            self._warden._post("look", self._number)

    async def plays(self, word: str) -> None:
        """Have its output from now on written as the piece with this word.

        Waits until what it printed in its match before is written: else the two would be one piece.
        """
        await self.written()
        if self._exit is None and self._launch.pieces is not None:
            self._warden._post("plays", self._number, word)

    def has_played(self) -> None:
        """Have its output in this match written now, not only at its end."""
        if self._exit is None and not self._warden._over and self._launch.pieces is not None:
            self._written = trio.Event()
            self._warden._post("has played", self._number)

    async def written(self) -> None:
        """Wait until what it printed in its last match is written, if `has_played` was called."""
        if self._written is not None:
            await self._written.wait()

    def _take_written(self) -> None:
        if self._written is not None:
            self._written.set()
            self._written = None

    def _take_end(
        self, status: int, left: int, stdout: Tail, stderr: Tail, reached: tuple[str, ...]
    ) -> None:
        self._take_tails(stdout, stderr, reached)
        if self._launch.rules.words and status > SHELL_SIGNAL:
            # Bubblewrap tells of a signal as a shell does.
            status = SHELL_SIGNAL - status
        words = self._words(reached)
        asked = self._asked_to_end
        self._exit = Exit.from_status(status, asked=asked, left=left, reached=words)
        self._gone.set()
        self._take_written()

    def _words(self, reached: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(self._launch.limits.words_for, reached))

    def _take_tails(self, stdout: Tail, stderr: Tail, reached: tuple[str, ...]) -> None:
        self._tails = Tails(stdout, stderr, self._words(reached))
        if self._tails_came is not None:
            self._tails_came.set()
            self._tails_came = None


class Warden:
    """Starts bots while its scope is open; made by `open_warden`.

    `link`: a socket pair with the warden's process. `secret`: the mark in the environment of all
    bots of this warden, to find their processes by. `on_printed`: gets the output of bots as it
    comes, None if nobody wants it.
    """

    def __init__(
        self,
        link: trio.SocketStream,
        process: trio.Process,
        secret: str,
        on_printed: OnPrinted | None,
    ) -> None:
        self.pid = process.pid
        self._on_printed = on_printed
        self._link = link
        self._process = process
        self._secret = secret
        self._numbers = itertools.count(1)
        # Of bots that may still run, to find their processes by if the warden is killed.
        self._started: dict[int, tuple[int, tuple[str, ...]]] = {}  # session, folders of cgroups
        self._bots: dict[int, BotProcess] = {}
        self._to_send, self._outbox = trio.open_memory_channel[bytes](math.inf)
        self._over = False
        self._trouble: str | None = None
        self._death: WardenDied | None = None

    def __repr__(self) -> str:
        state = "dead" if self._death else "closed" if self._over else "open"
        return f"<Warden pid {self.pid} {state}, {len(self._bots)} bots>"

    async def start(self, launch: Launch) -> BotProcess:
        """Start a bot; it runs when this returns. Raises CannotStart or HostFull."""
        if self._over:
            await trio.lowlevel.checkpoint()
            raise self._why_over()
        number = next(self._numbers)
        bot = self._bots[number] = BotProcess(self, number, launch)
        self._post(
            "start",
            number,
            tuple(launch.command),
            dict(launch.env),
            os.path.abspath(launch.folder),
            launch.open_files,
            self._printing(launch),
            launch.rules.plain(),
        )
        try:
            await bot._started.wait()
        except BaseException:  # cancelled, or Ctrl-C
            # The caller never got a handle, so end the process.
            self._post("end", number, 0)
            raise
        if bot._refusal is not None:
            raise bot._refusal
        if not bot.pid:
            raise self._why_over()
        return bot

    def _printing(self, launch: Launch) -> tuple[str | None, str | None, str, bool]:
        """Return the arguments of `arena.bots.warden.printing.Printing`."""
        logs = None if launch.logs is None else os.path.abspath(launch.logs)
        is_shown = launch.is_shown and self._on_printed is not None
        if launch.pieces is None:
            return logs, None, "", is_shown
        return logs, os.path.abspath(launch.pieces.folder), launch.pieces.word, is_shown

    def sweep(self, folder: Path) -> None:
        """Have the warden remove a folder after all bots have ended, even if we are killed."""
        self._post("sweep", os.path.abspath(folder))

    def _post(self, *message: object) -> None:
        """Queue a message for `_send`: a send that is cancelled half-way would break the link."""
        if not self._over:
            self._to_send.send_nowait(pack(message))

    def _why_over(self) -> Exception:
        return self._death or trio.ClosedResourceError("the warden's scope has been left")

    async def _send(self) -> None:
        async for data in self._outbox:
            try:
                await self._link.send_all(data)
            except trio.BrokenResourceError:
                return  # the warden has ended; `_receive` notices that too, and raises it

    async def _receive(self, scope: trio.CancelScope) -> None:
        """Read messages of the warden until it ends. It must not end before this scope does."""
        buffer = bytearray()
        while True:
            try:
                data = await self._link.receive_some(LINK_BYTES)
            except trio.BrokenResourceError:
                data = b""
            if not data:
                break
            buffer += data
            for message in unpack(buffer):
                self._take(message)
        # Before the next wait: any call about a bot must raise WardenDied from here on.
        with trio.CancelScope(shield=True):
            self._link.socket.close()
            end = Exit.from_status(await self._ended(), asked=False)
            self._death = WardenDied(self.pid, end, self._trouble)
            self._abandon_all()
            scope.cancel()
            await self._end_remains()

    def _take(self, message: tuple[object, ...]) -> None:
        match message:
            case ("started", int(number), int(pid)):
                bot = self._bots[number]
                bot.pid = pid
                folders = tuple(folder for folder, _, _ in bot._launch.rules.cgroups)
                self._started[number] = pid, folders
                bot._started.set()
            case ("refused", int(number), str(stage), int(error)):
                bot = self._bots.pop(number)
                bot._refusal = why_refused(bot._launch, stage, error)
                bot._started.set()
            case ("tails", int(number), tuple(stdout), tuple(stderr), tuple(reached)):
                self._bots[number]._take_tails(Tail(*stdout), Tail(*stderr), reached)
            case ("written", int(number)):
                self._bots[number]._take_written()
            case ("printed", int(number), str(stream), int(skipped), bytes(data)):
                if self._on_printed is not None:
                    name = self._bots[number].name
                    self._on_printed(name, number, stream, skipped, data)
            case (
                "exited",
                int(number),
                int(status),
                int(left),
                tuple(out),
                tuple(err),
                tuple(end),
            ):
                bot = self._bots.pop(number)
                self._started.pop(number, None)
                bot._take_end(status, left, Tail(*out), Tail(*err), end)
            case ("broken", str(trouble)):
                self._trouble = trouble
            case _:
                raise AssertionError(f"no such message from the warden: {message!r}")

    def _abandon_all(self) -> None:
        """Wake all tasks that wait for a message: none will come any more."""
        self._over = True
        for bot in self._bots.values():
            for event in (bot._started, bot._gone, bot._tails_came, bot._written):
                if event is not None:
                    event.set()
        self._bots.clear()

    async def _close(self) -> None:
        """Close the link, and wait until the warden has ended all bots and itself."""
        self._abandon_all()
        self._link.socket.close()
        if await self._ended() != 0 and self._death is None:
            await self._end_remains()

    async def _ended(self) -> int:
        """Wait for the warden's end, kill it after CLOSING_SECONDS, and return its exit status."""
        with trio.move_on_after(CLOSING_SECONDS):
            return await self._process.wait()
        self._process.kill()
        return await self._process.wait()

    async def _end_remains(self) -> None:
        """Kill the processes that a killed warden has left behind.

        They carry its mark, or are in the session or in a cgroup of a bot.
        """
        sessions = {session for session, _ in self._started.values()}
        folders = [folder for _, each in self._started.values() for folder in each]
        with trio.move_on_after(CLOSING_SECONDS):
            # Until two looks find none: a single look misses a process in the middle of exec.
            in_vain = 0
            while in_vain < 2:
                found = kill_remains(self._secret, sessions, processes_in(folders))
                in_vain = 0 if found else in_vain + 1
                await trio.sleep(0.002)
        remove_folders(folders)


@asynccontextmanager
async def open_warden(on_printed: OnPrinted | None = None) -> AsyncIterator[Warden]:
    """Open a scope to start bots in. Leaving it, by an exception too, ends them all.

    If the warden ends before its time, the body is cancelled and WardenDied is raised.
    """
    warden = await _start_warden(on_printed)
    failure: BaseException | None = None
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(warden._send)
            nursery.start_soon(warden._receive, nursery.cancel_scope)
            try:
                yield warden
            except BaseException as error:
                # Raised again below: raised in here, the nursery would wrap it in a group.
                failure = error
            nursery.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True):
            await warden._close()
    if warden._death is not None:
        raise warden._death from failure
    if failure is not None:
        raise failure


async def _start_warden(on_printed: OnPrinted | None) -> Warden:
    secret = secrets.token_hex(8)
    ours, theirs = socket.socketpair()
    try:
        with theirs:
            process = await trio.lowlevel.open_process(
                [sys.executable, "-I", "-S", "-c", _PROGRAM, _FOLDER, secret],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
            )
    except OSError as error:
        ours.close()
        raise HostFull(f"the machine would not start the warden: {error}") from error
    except BaseException:
        ours.close()
        raise
    stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
    return Warden(stream, process, secret, on_printed)
