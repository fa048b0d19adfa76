"""All tables for people in one process: the right to open one, and the pages that come to them."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress

import msgspec
import trio

from arena.bots.botfile import Bot
from arena.bots.program import Program
from arena.games import GAMES
from arena.people.allowance import TableAllowance
from arena.people.options import MOST_OF_ONE, REJOIN_SECONDS
from arena.people.table import PeoplesTable, SeatPage
from arena.people.talk import (
    Choose,
    LeaveTable,
    NotSeated,
    NotUnderstood,
    OpenTable,
    TakeSeat,
    read,
    shown_name,
    written,
)
from arena.referee.house import House
from arena.text import listed

log = logging.getLogger(__name__)

# Between two messages of one page: nobody chooses quicker.
PAUSE_SECONDS = 0.02
# For the first message of a page.
FIRST_SECONDS = 30
# A line of a page, or the first line of the web server: longer ones end the connection.
LONGEST_LINE = 4_096
READ_BYTES = 4_096


class Hall:
    """The tables that are open, by the secret of their seat."""

    def __init__(
        self, house: House, bots: Mapping[str, Bot], programs: Sequence[Program], most: int
    ):
        """`bots`: by name, those that may be chosen. `programs`: theirs. `most`: tables at once."""
        self._house = house
        self._bots = bots
        self._programs = {each.name: each for each in programs}
        self._most = most
        self._tables: dict[str, PeoplesTable] = {}
        self._by: dict[str, str] = {}  # by seat, the network that opened the table
        self._allowance = TableAllowance()

    def __repr__(self) -> str:
        return f"<Hall of {len(self._tables)} tables>"

    async def serve(self, stream: trio.SocketStream, nursery: trio.Nursery) -> None:
        """Talk to one page, through the web server, until it goes.

        The first line is the web server's: the network that the page is asked from.
        """
        lines = _Lines(stream)
        async with stream:
            try:
                by = json.loads(await lines.next())["by"]
                await self._talk(lines, stream, str(by), nursery)
            except _Ended:
                pass
            except (NotUnderstood, NotSeated) as error:
                with suppress(trio.BrokenResourceError):
                    await stream.send_all(written({"type": "refused", "text": str(error)}))
            except Exception:  # one page's bug must not end the tables of others
                log.exception("a page")

    async def _talk(
        self, lines: _Lines, stream: trio.SocketStream, by: str, nursery: trio.Nursery
    ) -> None:
        with trio.move_on_after(FIRST_SECONDS) as waiting:
            first = await lines.next()
        if waiting.cancelled_caught:
            raise NotSeated("Nothing was asked for.")
        match read(first):
            case OpenTable() as asked:
                table = self._open(asked, by, nursery)
            case TakeSeat(seat):
                found = self._tables.get(seat)
                if found is None:
                    raise NotSeated("This match is over, or its seat was given up.")
                table = found
            case _:
                raise NotSeated("Open a table first.")
        page = table.come()
        wrong = None
        try:
            async with trio.open_nursery() as both:
                both.start_soon(_write, page, stream, both.cancel_scope)
                wrong = await self._hear(lines, table)
                both.cancel_scope.cancel()
        finally:
            table.go(page)
        if wrong is not None:
            raise wrong

    async def _hear(self, lines: _Lines, table: PeoplesTable) -> NotUnderstood | None:
        """Obey the messages of the page until it goes; return the first that breaks the rules."""
        while True:
            await trio.sleep(PAUSE_SECONDS)
            try:
                message = read(await lines.next())
            except _Ended:
                return None
            except NotUnderstood as error:
                return error
            match message:
                case Choose():
                    await table.choose(message)
                case LeaveTable():
                    await table.leave()
                case _:
                    return NotUnderstood("a page that has a seat chooses, or leaves")

    def _open(self, asked: OpenTable, by: str, nursery: trio.Nursery) -> PeoplesTable:
        """Open a table, if there is room; raises NotSeated."""
        if len(self._by) >= self._most:
            raise NotSeated("All tables are taken: come again in some minutes.")
        if list(self._by.values()).count(by) >= MOST_OF_ONE:
            raise NotSeated(
                f"{MOST_OF_ONE} matches are played from your network already: end one of them, or"
                f" wait {REJOIN_SECONDS:.0f} s for one that nobody looks at."
            )
        programs = self._chosen(asked)
        if wait := self._allowance.seconds_until(by, trio.current_time()):
            raise NotSeated(
                f"Your network has opened many tables in a row: come again in {math.ceil(wait)} s."
            )
        self._allowance.spend(by, trio.current_time())
        taken = {each.name for each in programs}
        name = shown_name(asked.name)
        table = PeoplesTable(asked.game, f"{name} (guest)" if name in taken else name, programs)
        self._tables[table.seat], self._by[table.seat] = table, by
        nursery.start_soon(self._play, table)
        return table

    def _chosen(self, asked: OpenTable) -> list[Program]:
        """Return the programs of the bots that were chosen, each under a name of its own."""
        if asked.game not in GAMES:
            raise NotSeated(f"There is no game of the name {asked.game!r}.")
        seats = len(asked.bots) + 1
        sizes = GAMES[asked.game].seats
        if seats not in sizes:
            raise NotSeated(f"{asked.game} is played by {listed(sizes)}, not by {seats}.")
        programs: list[Program] = []
        for number, name in enumerate(asked.bots):
            bot = self._bots.get(name)
            if bot is None or asked.game not in bot.games or seats not in bot.sizes(asked.game):
                raise NotSeated(f"{name!r} does not play {asked.game} with {seats} seats here.")
            before = asked.bots[:number].count(name)
            own = name if not before else f"{name}-{before + 1}"
            programs.append(msgspec.structs.replace(self._programs[name], name=own))
        return programs

    async def _play(self, table: PeoplesTable) -> None:
        try:
            await table.play(self._house)
        except Exception:  # a bug of ours must not end the tables of others
            log.exception("a table")
            table.failed()
        finally:
            del self._by[table.seat]
        await trio.sleep(REJOIN_SECONDS)  # a page that comes late is told the end
        del self._tables[table.seat]
        table.close()


async def _write(page: SeatPage, stream: trio.SocketStream, both: trio.CancelScope) -> None:
    """Write messages to a page, until its seat is taken by another page or it is too slow."""
    with suppress(trio.BrokenResourceError):
        async for message in page.messages:
            await stream.send_all(written(message))
        await stream.send_all(written({"type": "replaced"}))
    both.cancel()


class _Ended(Exception):
    """The page is gone."""


class _Lines:
    """The lines that come on a connection."""

    def __init__(self, stream: trio.SocketStream):
        self._stream = stream
        self._buffer = bytearray()

    async def next(self) -> bytes:
        """Return the next line; raises _Ended at the end, or at a line that is too long."""
        while b"\n" not in self._buffer:
            if len(self._buffer) > LONGEST_LINE:
                raise _Ended
            try:
                data = await self._stream.receive_some(READ_BYTES)
            except trio.BrokenResourceError:
                raise _Ended from None
            if not data:
                raise _Ended
            self._buffer += data
        line, _, rest = bytes(self._buffer).partition(b"\n")
        self._buffer = bytearray(rest)
        return line
