"""Bot processes for Trio: start them, wait for their end, read what they printed, end them.

    async with open_warden() as warden:
        bot = await warden.start(Launch("fox", ("python3", "bot.py"), env, folder))
        ...
        print(await bot.end(grace_ms=500), (await bot.tails()).stderr)

Leaving the scope ends everything that was started in it. The work is done by a process of its
own, `arena.referee.warden`, which does it also when this one is killed. If *that* one is
killed, the scope is cancelled and ends in WardenDied: whoever is about to blame a bot for a
lost connection asks `exited()` first, which raises it too.
"""

from __future__ import annotations

import itertools
import math
import os
import secrets
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from arena.referee.launch import Exit, Launch, Tail, Tails
from arena.referee.not_started import HostFull, ProcessError, WardenDied, why_refused
from arena.referee.warden.tree import kill_marked
from arena.referee.warden.wire import pack, unpack

LINK_BYTES = 65_536

# It promises to be gone within a second of its link's end; then it is at fault.
CLOSING_SECONDS = 5

# Not `-m`, which would load this package and with it Trio; -S, because site-packages is not
# needed and takes half as long again to set up.
_PROGRAM = "import sys; sys.path.append(sys.argv[1]); from warden.process import main; main()"
_FOLDER = str(Path(__file__).resolve().parent)


class BotProcess:
    """A bot that was started, and may have ended since."""

    def __init__(self, warden: Warden, number: int, launch: Launch) -> None:
        self.name = launch.name
        self.pid = 0
        self._warden = warden
        self._number = number
        self._launch = launch
        self._exit: Exit | None = None
        self._tails = Tails(Tail(b"", 0), Tail(b"", 0))
        self._asked_to_end = False
        self._refusal: ProcessError | None = None
        self._started = trio.Event()
        self._gone = trio.Event()
        self._tails_came: trio.Event | None = None

    def __repr__(self) -> str:
        return f"<BotProcess {self.name!r} pid {self.pid} {self._exit or 'running'}>"

    @property
    def exit(self) -> Exit | None:
        """How it ended, None while it runs (or its tree is not gone yet)."""
        return self._exit

    async def exited(self) -> Exit:
        """Wait until it has ended and its whole tree is gone."""
        await self._gone.wait()
        if self._exit is None:
            raise self._warden._why_over()
        return self._exit

    async def tails(self) -> Tails:
        """The end of what it has printed until now, or until it ended."""
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

        With a grace all get SIGTERM first; what is left when the first process ends, or the
        grace is over, is killed. That goes on also if the waiting is cancelled.
        """
        self.end_soon(grace_ms)
        return await self.exited()

    def end_soon(self, grace_ms: int = 0) -> None:
        """Have it ended, and do not wait; for where one cannot, as when being cancelled."""
        if self._exit is None:
            self._asked_to_end = True
            self._warden._post("end", self._number, grace_ms)

    def _take_tails(self, stdout: Tail, stderr: Tail) -> None:
        self._tails = Tails(stdout, stderr)
        if self._tails_came is not None:
            self._tails_came.set()
            self._tails_came = None


class Warden:
    """Starts bots while its scope is open; made by `open_warden`."""

    def __init__(self, link: trio.SocketStream, process: trio.Process, secret: str) -> None:
        self.pid = process.pid
        self._link = link
        self._process = process
        self._secret = secret
        self._numbers = itertools.count(1)
        self._bots: dict[int, BotProcess] = {}
        self._to_send, self._outbox = trio.open_memory_channel[bytes](math.inf)
        self._over = False
        self._trouble: str | None = None
        self._death: WardenDied | None = None

    def __repr__(self) -> str:
        state = "dead" if self._death else "closed" if self._over else "open"
        return f"<Warden pid {self.pid} {state}, {len(self._bots)} bots>"

    async def start(self, launch: Launch) -> BotProcess:
        """Start a bot; it runs when this returns. Raises CannotStart or HostFull, in words."""
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
            None if launch.logs is None else os.path.abspath(launch.logs),
        )
        try:
            await bot._started.wait()
        except BaseException:  # cancelled, or Ctrl-C
            # Nobody will ever hold it, so it must not live.
            self._post("end", number, 0)
            raise
        if bot._refusal is not None:
            raise bot._refusal
        if not bot.pid:
            raise self._why_over()
        return bot

    def sweep(self, folder: Path) -> None:
        """Have this folder removed when all has ended, also if we are killed before."""
        self._post("sweep", os.path.abspath(folder))

    def _post(self, *message: object) -> None:
        """Send without waiting, and never half: a cancelled send would spoil the link."""
        if not self._over:
            self._to_send.send_nowait(pack(message))

    def _why_over(self) -> Exception:
        return self._death or trio.ClosedResourceError("the warden's scope has been left")

    async def _send(self) -> None:
        async for data in self._outbox:
            try:
                await self._link.send_all(data)
            except trio.BrokenResourceError:
                return  # it has ended; `_receive` notices that too, and speaks of it

    async def _receive(self, scope: trio.CancelScope) -> None:
        """Take what the warden says until it has ended, which it should not before us."""
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
        # Before anything that waits: whoever asks about a bot from here on must hear of it.
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
                bot._started.set()
            case ("refused", int(number), str(stage), int(error)):
                bot = self._bots.pop(number)
                bot._refusal = why_refused(bot._launch, stage, error)
                bot._started.set()
            case ("tails", int(number), tuple(stdout), tuple(stderr)):
                self._bots[number]._take_tails(Tail(*stdout), Tail(*stderr))
            case ("exited", int(number), int(status), int(left), tuple(stdout), tuple(stderr)):
                bot = self._bots.pop(number)
                bot._take_tails(Tail(*stdout), Tail(*stderr))
                bot._exit = Exit.from_status(status, asked=bot._asked_to_end, left=left)
                bot._gone.set()
            case ("broken", str(trouble)):
                self._trouble = trouble
            case _:
                raise AssertionError(f"no such message from the warden: {message!r}")

    def _abandon_all(self) -> None:
        """Wake whoever waits for something that will not come any more."""
        self._over = True
        for bot in self._bots.values():
            for event in (bot._started, bot._gone, bot._tails_came):
                if event is not None:
                    event.set()
        self._bots.clear()

    async def _close(self) -> None:
        """Hang up, and wait until the warden has ended everything and itself."""
        self._abandon_all()
        self._link.socket.close()
        if await self._ended() != 0 and self._death is None:
            await self._end_remains()

    async def _ended(self) -> int:
        """The warden's own exit status, once it has ended or been made to."""
        with trio.move_on_after(CLOSING_SECONDS):
            return await self._process.wait()
        self._process.kill()
        return await self._process.wait()

    async def _end_remains(self) -> None:
        """End what a warden that was killed has left behind."""
        with trio.move_on_after(CLOSING_SECONDS):
            # Twice nothing, because one look misses who is just becoming another program.
            in_vain = 0
            while in_vain < 2:
                in_vain = 0 if kill_marked(self._secret) else in_vain + 1
                await trio.sleep(0.002)


@asynccontextmanager
async def open_warden() -> AsyncIterator[Warden]:
    """A scope that bots are started in; leaving it, in whatever way, ends them all.

    Raises WardenDied, and cancels what runs inside, if the warden ends before its time.
    """
    warden = await _start_warden()
    failure: BaseException | None = None
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(warden._send)
            nursery.start_soon(warden._receive, nursery.cancel_scope)
            try:
                yield warden
            except BaseException as error:
                # Raised again below and not from in here, where it would come out as the one
                # member of a group.
                failure = error
            nursery.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True):
            await warden._close()
    if warden._death is not None:
        raise warden._death from failure
    if failure is not None:
        raise failure


async def _start_warden() -> Warden:
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
    return Warden(trio.SocketStream(trio.socket.from_stdlib_socket(ours)), process, secret)
