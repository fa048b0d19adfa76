"""A bot as matches use it, wherever it runs: connected when a match begins, with a link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from arena.bots.launch import Exit, KeepPieces, Tails
from arena.referee.door.guests import Guest
from arena.referee.match import Seat
from arena.referee.replies import Reply
from protocol.breach import Breach


class SeatAtTable(Seat, Protocol):
    """A seat as a table uses it: a link to a bot, or one whose answers are there at once."""

    def join(self, go_on: Callable[[Reply], None]) -> None:
        """Begin a match; `go_on` is called with each reply that `ask` did not return."""

    def leave(self) -> None:
        """End it."""


class Player(Protocol):
    """One bot: a process that we start (`started`), one that dials in (`dialled`), or a recorded
    seat (`repeated`)."""

    @property
    def name(self) -> str: ...
    @property
    def starts(self) -> int:
        """The number of its connections so far; another number is another process."""

    @property
    def link(self) -> SeatAtTable:
        """The connection to play on; only after `ready` has said that it is there."""

    @property
    def guest(self) -> Guest | None:
        """Its place at the door, with its hello; None before the first start."""

    @property
    def exit(self) -> Exit | None:
        """The exit of its process; None while it runs, and of a bot that dials in."""

    async def ready(self) -> Breach | None:
        """Have the bot connected; return the reason if it is not."""

    async def exited(self) -> None:
        """Wait until its process has ended; return at once for a bot that dials in."""

    async def tails(self) -> Tails | None:
        """Return both ends of its output; None for a bot that dials in."""

    async def plays(self, pieces: KeepPieces) -> None:
        """Note the place of its output in the next match, unless it dials in."""

    def has_played(self) -> None:
        """Have its output in the match written."""

    async def written(self) -> None:
        """Wait until that is done."""

    @property
    def printed_bytes(self) -> int:
        """The number of bytes that it has printed in our sight; all of them once it has ended."""

    async def say_bye(self, reason: str, detail: str = "") -> None:
        """Send `bye`, so that it leaves by itself. `detail`: for its author."""


class OutOfSight:
    """The part of a player whose program runs elsewhere: of its process nothing is seen."""

    @property
    def exit(self) -> Exit | None:
        """Return None: its process is on another machine, or started by another hand."""
        return None

    async def exited(self) -> None:
        """Return at once: the end of its process cannot be seen from here."""

    async def tails(self) -> Tails | None:
        """Return None: its output cannot be seen from here."""
        return None

    async def plays(self, pieces: KeepPieces) -> None:
        """Do nothing: its output cannot be seen from here."""

    def has_played(self) -> None:
        """Do nothing: its output cannot be seen from here."""

    async def written(self) -> None:
        """Return at once: its output cannot be seen from here."""

    @property
    def printed_bytes(self) -> int:
        """Return 0: its output cannot be seen from here."""
        return 0
