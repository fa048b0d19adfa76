"""Remember refused connections by session, so that a bot's player learns why it did not come."""

from __future__ import annotations

from protocol.breach import Breach

# Sessions remembered. The player of a started bot asks within seconds, so few are needed.
MOST_REMEMBERED = 1024


class TurnedAway:
    """The last MOST_REMEMBERED sessions that were refused, and the reasons."""

    def __init__(self) -> None:
        self._why: dict[int, Breach | None] = {}  # None: it sent nothing

    def __len__(self) -> int:
        return len(self._why)

    def __contains__(self, session: int) -> bool:
        return session in self._why

    def why(self, session: int) -> Breach | None:
        """Return the reason, None if it sent nothing or is not known."""
        return self._why.get(session)

    def forget(self, session: int) -> None:
        """Forget a session that has ended: the kernel may give its number to another."""
        self._why.pop(session, None)

    def remember(self, session: int | None, refused: Breach | None) -> None:
        """Note that a process of this session was refused. A known reason is kept."""
        if session is None or (refused is None and session in self._why):
            return
        self._why[session] = refused
        while len(self._why) > MOST_REMEMBERED:
            del self._why[next(iter(self._why))]
