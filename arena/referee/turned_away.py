"""Strangers that have gone, by session: whoever has started a bot asks what became of it."""

from __future__ import annotations

from protocol.breach import Breach

# Turned away and remembered; whoever started a bot asks within seconds.
MOST_REMEMBERED = 1024


class TurnedAway:
    """The last so many."""

    def __init__(self) -> None:
        self._why: dict[int, Breach | None] = {}  # None: it said nothing

    def __len__(self) -> int:
        return len(self._why)

    def __contains__(self, session: int) -> bool:
        return session in self._why

    def why(self, session: int) -> Breach | None:
        """None also where nothing is known."""
        return self._why.get(session)

    def forget(self, session: int) -> None:
        """Its number may be another's one day."""
        self._why.pop(session, None)

    def remember(self, session: int | None, refused: Breach | None) -> None:
        """Somebody of this session is turned away; a reason once known is kept."""
        if session is None or (refused is None and session in self._why):
            return
        self._why[session] = refused
        while len(self._why) > MOST_REMEMBERED:
            del self._why[next(iter(self._why))]
