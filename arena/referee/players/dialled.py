"""A player that its author runs and that dials in (SPEC 2.5): awaited, never started here."""

from __future__ import annotations

import math
from collections.abc import Callable

import trio

from arena.referee.door.guests import Guest
from arena.referee.door.lobby import Lobby
from arena.referee.players.player import OutOfSight
from arena.referee.wire.link import Link
from arena.tokens import KnownToken
from protocol.breach import Breach
from protocol.breaches import no_connection


class DialledPlayer(OutOfSight):
    """A bot that dials in. Its token is good for one connection at a time while the lobby is open.

    The first match waits for it until `first_seconds` from now, because its author must start
    it by hand; each later match, or one after that time, waits `again_ms`. Without a token it is
    waited for in vain, unless the lobby gets one later (`Lobby.change_token`).
    """

    def __init__(
        self,
        lobby: Lobby,
        name: str,
        token: KnownToken | None,
        *,
        first_seconds: float,
        again_ms: int,
        on_wait: Callable[[], None] = lambda: None,
    ):
        self.name = name
        self.starts = 0
        self._lobby = lobby
        self._guest = lobby.expect(name, token, dials_in=True)
        self._first_until = trio.current_time() + first_seconds
        self._again_ms = again_ms
        self._on_wait = on_wait
        self._known: Link | None = None

    def __repr__(self) -> str:
        return f"<DialledPlayer {self._guest!r}, came {self.starts} times>"

    @property
    def link(self) -> Link:
        assert self._guest.link is not None
        return self._guest.link

    @property
    def guest(self) -> Guest:
        return self._guest

    async def ready(self) -> Breach | None:
        """Wait for the bot if it is not connected; return the reason if it does not come."""
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
        """Send `bye` and forget the bot's token. Its process ends by itself."""
        if self._guest.link is not None:
            self._guest.link.hang_up(reason, detail)
        self._lobby.forget(self._guest)
        self._guest.leave()
