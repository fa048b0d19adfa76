"""A bot that somebody else runs, and that dials in (SPEC 2.5): waited for, never started."""

from __future__ import annotations

import math
from collections.abc import Callable

import trio

from arena.referee.guests import Guest
from arena.referee.launch import Exit, Tails
from arena.referee.link import Link
from arena.referee.lobby import Lobby
from protocol.breach import Breach
from protocol.breaches import no_connection


class DialledPlayer:
    """Its token is good for one connection at a time, for as long as the lobby is open.

    Somebody must start it by hand: until `first_seconds` from now it is waited for. Whoever was
    there once, or has let that time pass, is given `again_ms` before each match.
    """

    def __init__(
        self,
        lobby: Lobby,
        name: str,
        token: str | None,
        *,
        first_seconds: float,
        again_ms: int,
        on_wait: Callable[[], None] = lambda: None,
    ):
        self.name = name
        self.starts = 0
        self._lobby = lobby
        self._guest = lobby.expect(name, token=token, dials_in=True)
        self._first_until = trio.current_time() + first_seconds
        self._again_ms = again_ms
        self._on_wait = on_wait
        self._known: Link | None = None

    def __repr__(self) -> str:
        return f"<DialledPlayer {self._guest!r}, came {self.starts} times>"

    @property
    def token(self) -> str:
        return self._guest.token

    @property
    def link(self) -> Link:
        assert self._guest.link is not None
        return self._guest.link

    @property
    def guest(self) -> Guest:
        return self._guest

    @property
    def exit(self) -> Exit | None:
        """Not ours to see."""
        return None

    async def exited(self) -> None:
        """Not ours to see."""

    async def tails(self) -> Tails | None:
        """Not ours to see."""
        return None

    async def ready(self) -> Breach | None:
        """Wait for it, if it is not there."""
        guest = self._guest
        if guest.link is not None and not guest.link.is_alive():
            guest.leave()
        if guest.link is None:
            self._on_wait()
            until = trio.current_time() + self._again_ms / 1000
            if not self.starts:
                until = max(until, self._first_until)
            began = trio.current_time()
            with trio.move_on_at(until):
                await guest.has_come.wait()
            if guest.link is None:
                waited = math.ceil((trio.current_time() - began) * 1000)
                return guest.refused or no_connection(waited)
        if guest.link is not self._known:
            self._known = guest.link
            self.starts += 1
        return None

    async def say_bye(self, reason: str, detail: str = "") -> None:
        """It ends by itself; its token is nobody's any more."""
        if self._guest.link is not None:
            self._guest.link.hang_up(reason, detail)
        self._lobby.forget(self._guest)
        self._guest.leave()
