"""A player without a bot: a recorded seat that repeats its actions (`arena.record.repeat`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.bots.launch import Exit, KeepPieces, Tails
from arena.record.repeat import Repeated
from arena.referee.door.guests import Guest
from arena.referee.replies import Chose, Reply
from protocol.breach import Breach
from protocol.messages import End, Fault, Start


class RepeatedSeat:
    """A seat of a match whose answers are there at once, and that has no faults."""

    asides: Sequence[Breach] = ()
    last_id = 0
    was_late_before = False
    second_answers = 0

    def __init__(self, chooses: Repeated):
        self._chooses = chooses

    def __repr__(self) -> str:
        return f"<RepeatedSeat {self._chooses!r}>"

    def join(self, go_on: Callable[[Reply], None]) -> None:
        """Begin a match: nothing is to be polled."""

    def leave(self) -> None:
        """End a match."""

    def begin(self, faults_to_forfeit: int) -> None:
        """Begin a match: it will have no faults."""

    def hang_up(self, reason: str, detail: str = "") -> None:
        """Do nothing: there is no connection."""

    def take_asides(self) -> Sequence[Breach]:
        return ()

    def tell(self, message: Start | Fault | End) -> None:
        """Do nothing: nobody listens."""

    def ask(
        self,
        match: str,
        view: Mapping[str, Any],
        legal: Sequence[str],
        allowed_us: int,
        charged_us: int,
        hang_us: int,
    ) -> Reply | None:
        return Chose(self._chooses.pick(view, legal), 0, "")


class RepeatedPlayer:
    """A recorded seat as a match uses it; it is always there, and good for one match."""

    starts = 1
    printed_bytes = 0
    guest: Guest | None = None
    exit: Exit | None = None

    def __init__(self, name: str, chooses: Repeated):
        self.name = name
        self.link = RepeatedSeat(chooses)

    def __repr__(self) -> str:
        return f"<RepeatedPlayer {self.name!r}>"

    async def ready(self) -> Breach | None:
        """Return None: it is there."""
        return None

    async def exited(self) -> None:
        """Return at once: it has no process."""

    async def tails(self) -> Tails | None:
        """Return None: it prints nothing."""
        return None

    async def plays(self, pieces: KeepPieces) -> None:
        """Do nothing: it prints nothing."""

    def has_played(self) -> None:
        """Do nothing: it prints nothing."""

    async def written(self) -> None:
        """Return at once: it prints nothing."""

    async def say_bye(self, reason: str, detail: str = "") -> None:
        """Do nothing: nobody listens."""
