"""Everything a referee needs around its matches, opened and closed as one.

    async with open_house() as house:
        fox = house.player(Program("fox", ("python3", "bot.py"), folder))
        absent = await fox.ready()

Leaving the scope leaves nothing behind: no process, socket file, descriptor or folder.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trio

from arena.referee.addresses import TcpAddress, UnixAddress
from arena.referee.clock import Now, now_us
from arena.referee.connection import Tap
from arena.referee.guests import Guest, environment
from arena.referee.launch import Exit, Launch, Tails
from arena.referee.link import Link
from arena.referee.lobby import Lobby, open_lobby
from arena.referee.lookout import Lookout, open_lookout
from arena.referee.not_started import CannotStart
from arena.referee.processes import BotProcess, Warden, open_warden
from protocol import limits
from protocol.breach import Breach
from protocol.breaches import cannot_start, exited, no_connection, no_hello

# Of our own environment a bot sees what programs need to run at all, and nothing else.
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "JAVA_HOME", "GOROOT")
# Between `bye` and being killed.
GRACE_MS = 500


def inherited_env() -> dict[str, str]:
    """What a bot, or its build, gets of our own environment."""
    return {name: os.environ[name] for name in PASSED_ON if name in os.environ}


@dataclass(frozen=True)
class Program:
    """What is run as a bot, and in which folder."""

    name: str
    command: tuple[str, ...]
    folder: Path
    env: Mapping[str, str] = field(default_factory=dict)
    tcp: bool = False
    logs: Path | None = None


class StartedPlayer:
    """One running process of a bot, started again when it is needed and not there."""

    def __init__(self, house: House, program: Program, start_ms: int):
        self.program = program
        self._house = house
        self._start_ms = start_ms
        self._guest: Guest | None = None
        self._process: BotProcess | None = None
        self.starts = 0

    def __repr__(self) -> str:
        return f"<StartedPlayer {self.program.name!r}, started {self.starts} times>"

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def link(self) -> Link:
        assert self._guest is not None
        assert self._guest.link is not None
        return self._guest.link

    @property
    def guest(self) -> Guest | None:
        return self._guest

    async def ready(self) -> Breach | None:
        """Have it connected, starting it if need be; a breach says why it is not."""
        link = self._guest.link if self._guest is not None else None
        if link is not None and link.is_alive():
            return None
        await self.end()
        return await self._start()

    async def _start(self) -> Breach | None:
        house, program = self._house, self.program
        self.starts += 1
        self._guest = guest = house.lobby.expect(program.name)
        env = {**inherited_env(), **program.env}
        env |= environment(house.address(tcp=program.tcp), guest.token)
        launch = Launch(program.name, program.command, env, program.folder, logs=program.logs)
        self._process = None
        try:
            self._process = process = await house.warden.start(launch)
        except CannotStart as error:
            house.lobby.forget(guest)
            return cannot_start(str(error))
        except BaseException:  # the machine is full, or we are cancelled
            house.lobby.forget(guest)
            raise
        how: Exit | None = None
        with trio.move_on_after(self._start_ms / 1000):
            how = await self._come_or_go(guest, process)
        if guest.link is not None:
            return None
        is_there = how is None and house.lobby.send_away(process.pid)
        absent = self._why_absent(guest, process, how)
        house.lobby.forget(guest)
        if is_there:  # it is being told, and may want to print that
            with trio.move_on_after(GRACE_MS / 1000):
                await process.exited()
        # It must not come after all, when nobody counts on it, nor keep the machine busy.
        await self.end()
        return absent

    def _why_absent(self, guest: Guest, process: BotProcess, how: Exit | None) -> Breach:
        """What it did instead of saying a good hello; the first that is known says most."""
        lobby = self._house.lobby
        refused = guest.refused or lobby.refused(process.pid)
        if refused is not None:
            return refused
        if how is not None:
            return exited(str(how))
        if lobby.has_seen(process.pid):
            return no_hello(self._start_ms)
        return no_connection(self._start_ms)

    async def _come_or_go(self, guest: Guest, process: BotProcess) -> Exit | None:
        """Until it has said hello, or has ended: then how."""
        how: Exit | None = None

        async def watch() -> None:
            nonlocal how
            how = await process.exited()
            nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            await guest.has_come.wait()
            how = None
            nursery.cancel_scope.cancel()
        return None if guest.link is not None else how

    async def tails(self) -> Tails | None:
        """The end of what it has printed; None if it never ran."""
        return await self._process.tails() if self._process is not None else None

    @property
    def exit(self) -> Exit | None:
        """How its process ended, if it has."""
        return self._process.exit if self._process is not None else None

    async def exited(self) -> None:
        """Wait until its process has ended, if there is one."""
        if self._process is not None:
            await self._process.exited()

    async def say_bye(self, reason: str, detail: str = "") -> None:
        """End it in peace: it is told, and has a moment to leave by itself."""
        if self._guest is not None and self._guest.link is not None:
            self._guest.link.hang_up(reason, detail)
        if self._process is not None:
            with trio.move_on_after(GRACE_MS / 1000):
                await self._process.exited()
        await self.end()

    async def end(self) -> None:
        """End its process and all it started, if there is one."""
        if self._guest is not None:
            self._house.lobby.forget(self._guest)
            self._guest.leave()
            self._guest = None
        if self._process is not None:
            await self._process.end()
            self._house.lobby.forget_session(self._process.pid)


class House:
    """Made by `open_house`."""

    def __init__(self, lookout: Lookout, warden: Warden, lobby: Lobby, folder: Path):
        self.lookout = lookout
        self.warden = warden
        self.lobby = lobby
        self.folder = folder  # ours alone, and gone afterwards

    def __repr__(self) -> str:
        return f"<House {self.lobby!r}>"

    def address(self, *, tcp: bool) -> str:
        """Where a bot that we start connects."""
        return self.lobby.addresses[1 if tcp else 0]

    @property
    def listens_at(self) -> str:
        """Where bots dial in; only if it was opened to listen."""
        return self.lobby.addresses[2]

    def player(self, program: Program, start_ms: int = limits.START_MS) -> StartedPlayer:
        return StartedPlayer(self, program, start_ms)


@asynccontextmanager
async def open_house(
    *,
    now: Now = now_us,
    hello_ms: int = limits.START_MS,
    tap: Tap | None = None,
    listen: TcpAddress | None = None,
) -> AsyncIterator[House]:
    """A warden, a lobby that listens on a Unix socket and on TCP, a clock and the lookout.

    The two addresses are for bots that we start; `listen` is for those that dial in.
    """
    lookout = Lookout(now)
    folder = Path(tempfile.mkdtemp(prefix="arena-"))
    doors: list[UnixAddress | TcpAddress] = [UnixAddress(folder / "door"), TcpAddress()]
    if listen is not None:
        doors.append(listen)
    try:
        async with (
            open_warden() as warden,
            open_lobby(lookout, *doors, hello_ms=hello_ms, tap=tap) as lobby,
            open_lookout(lookout),
        ):
            warden.sweep(folder)  # we do it ourselves below, unless we are killed
            yield House(lookout, warden, lobby, folder)
    finally:
        lookout.close()
        shutil.rmtree(folder, ignore_errors=True)
