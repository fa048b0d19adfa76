"""A player that the referee starts as a process, and starts again when a match needs it."""

from __future__ import annotations

from dataclasses import replace

import trio

from arena.bots.confine.confiner import Confiner
from arena.bots.launch import Exit, KeepPieces, Tails
from arena.bots.processes import BotProcess, Warden
from arena.bots.program import Program
from arena.bots.refused import CannotStart
from arena.referee.door.guests import Guest, environment
from arena.referee.door.lobby import Lobby
from arena.referee.wire.link import Link
from arena.tokens import KnownToken, new_token
from protocol.breach import Breach
from protocol.breaches import cannot_start, exited, no_connection, no_hello

# Between `bye` and SIGKILL.
GRACE_MS = 500


class StartedPlayer:
    """One process of a bot, started again when it is needed and has ended.

    `address`: the door it connects to, as ARENA_CONNECT has it; `start_ms`: from start to hello.
    """

    def __init__(
        self,
        lobby: Lobby,
        warden: Warden,
        confiner: Confiner,
        address: str,
        program: Program,
        start_ms: int,
    ):
        self.program = program
        self._confiner = confiner
        self._lobby = lobby
        self._warden = warden
        self._address = address
        self._start_ms = start_ms
        self._guest: Guest | None = None
        self._process: BotProcess | None = None
        self._pieces: KeepPieces | None = None
        self._printed_bytes = 0  # by its processes before this one
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
        """Have the bot connected, starting it if need be; return the reason if it is not."""
        link = self._guest.link if self._guest is not None else None
        if link is not None and link.is_alive():
            return None
        await self.end()
        return await self._start()

    async def _start(self) -> Breach | None:
        lobby, program = self._lobby, self.program
        self.starts += 1
        token = new_token()
        self._guest = guest = lobby.expect(program.name, KnownToken.of(token))
        own = environment(self._address, token)
        self._printed_bytes, self._process = self.printed_bytes, None
        try:
            launch = self._confiner.launch(program, own, self._address)
            launch = replace(launch, pieces=self._pieces, is_shown=True)
            self._process = process = await self._warden.start(launch)
        except CannotStart as error:
            lobby.forget(guest)
            return cannot_start(str(error))
        except BaseException:  # the machine is full, or we are cancelled
            lobby.forget(guest)
            raise
        how: Exit | None = None
        with trio.move_on_after(self._start_ms / 1000):
            how = await self._come_or_go(guest, process)
        if guest.link is not None:
            process.look_at_scratch()
            return None
        is_there = how is None and lobby.send_away(process.pid)
        absent = self._why_absent(guest, process, how)
        lobby.forget(guest)
        if is_there:  # `bye` is on its way to it, and its author may want it printed
            with trio.move_on_after(GRACE_MS / 1000):
                await process.exited()
        # A late hello would meet no match, and a process without a match only loads the machine.
        await self.end()
        return absent

    def _why_absent(self, guest: Guest, process: BotProcess, how: Exit | None) -> Breach:
        """Return the reason why the bot sent no good hello; the first that is known explains
        most."""
        lobby = self._lobby
        refused = guest.refused or lobby.refused(process.pid)
        if refused is not None:
            return refused
        if how is not None:
            return exited(str(how))
        if lobby.has_seen(process.pid):
            return no_hello(self._start_ms)
        return no_connection(self._start_ms)

    async def _come_or_go(self, guest: Guest, process: BotProcess) -> Exit | None:
        """Wait until the bot is connected, and return None, or until its process has ended, and
        return its exit."""
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
        """Return both ends of its output; None if it never ran."""
        return await self._process.tails() if self._process is not None else None

    async def plays(self, pieces: KeepPieces) -> None:
        """Note the place of its output in the next match."""
        self._pieces = pieces
        if self._process is not None:
            await self._process.plays(pieces.word)

    def has_played(self) -> None:
        """Have its output in the match written."""
        if self._process is not None:
            self._process.has_played()

    async def written(self) -> None:
        """Wait until its output in its last match is written."""
        if self._process is not None:
            await self._process.written()

    @property
    def printed_bytes(self) -> int:
        """The number of bytes that its processes have written; all of them once it has ended."""
        now = self._process.printed_bytes if self._process is not None else 0
        return self._printed_bytes + now

    @property
    def exit(self) -> Exit | None:
        """The exit of its process; None while it runs."""
        return self._process.exit if self._process is not None else None

    async def exited(self) -> None:
        """Wait until its process has ended, if there is one."""
        if self._process is not None:
            await self._process.exited()

    async def say_bye(self, reason: str, detail: str = "") -> None:
        """Send `bye`, give it GRACE_MS to leave by itself, then end it."""
        if self._guest is not None and self._guest.link is not None:
            self._guest.link.hang_up(reason, detail)
        if self._process is not None:
            with trio.move_on_after(GRACE_MS / 1000):
                await self._process.exited()
        await self.end()

    async def end(self) -> None:
        """Kill its process and every descendant, if there is one."""
        if self._guest is not None:
            self._lobby.forget(self._guest)
            self._guest.leave()
            self._guest = None
        if self._process is not None:
            await self._process.end()
            self._lobby.forget_session(self._process.pid)
