"""A bot as matches use it, wherever it runs: there when it is needed, with a link to play on."""

from __future__ import annotations

from typing import Protocol

from arena.referee.guests import Guest
from arena.referee.launch import Exit, Tails
from arena.referee.link import Link
from protocol.breach import Breach


class Player(Protocol):
    """One bot: a process that we start (`house`), or one that dials in (`dialling`)."""

    @property
    def name(self) -> str: ...
    @property
    def starts(self) -> int:
        """How often it has come so far; another number is another process."""

    @property
    def link(self) -> Link:
        """The connection to play on; only after `ready` has said that it is there."""

    @property
    def guest(self) -> Guest | None:
        """What it said of itself in its hello."""

    @property
    def exit(self) -> Exit | None:
        """How its process ended, if it has, and we can know."""

    async def ready(self) -> Breach | None:
        """Have it connected; a breach says why it is not."""

    async def exited(self) -> None:
        """Wait until its process has ended, if there is one and we can know."""

    async def tails(self) -> Tails | None:
        """The end of what it has printed, if we can know."""

    async def say_bye(self, reason: str, detail: str = "") -> None:
        """End it in peace: it is told, and leaves by itself."""
