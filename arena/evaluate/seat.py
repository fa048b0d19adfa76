"""A policy as a match uses it: a player without a process, whose answers are there at once.

Its time is that of the processor, measured around each call. While it thinks, nothing else of this
process goes on; no other seat has a request open then, so that costs no bot anything, as long as
one match is played at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time_ns
from typing import Any

import msgspec

from arena.evaluate.interruptible import interruptible
from arena.policy.answer import PolicyMistake
from arena.policy.policy import Policy
from arena.referee.door.guests import Guest
from arena.referee.players.player import OutOfSight
from arena.referee.replies import Chose, Failed, Reply
from protocol.breach import Breach
from protocol.breaches import not_legal
from protocol.durations import told
from protocol.messages import Action, End, Fault, Start


def cpu_us() -> int:
    """Return the time that this process, with all its threads, and its children that have ended
    have had a processor, in microseconds.

    A child counts once it was waited for, and so does what it had waited for itself. No child of
    arena is waited for between two readings, because nothing else of this process goes on.
    """
    ended = getrusage(RUSAGE_CHILDREN)
    return process_time_ns() // 1000 + round((ended.ru_utime + ended.ru_stime) * 1e6)


class PolicySeat:
    """The seat of a policy, in one match after the other.

    `mistake`: the reason why it gave up, or None. `is_interrupted`: Ctrl-C came while the policy
    was called. After either it answers nothing more, and has called `stop`.
    """

    asides: Sequence[Breach] = ()
    last_id = 0
    was_late_before = False
    second_answers = 0

    def __init__(
        self,
        policy: Policy,
        stop: Callable[[], object],
        *,
        is_timed: bool = True,
        cpu_us: Callable[[], int] = cpu_us,
    ):
        """`stop`: ends the playing; called at most once. `is_timed`: an answer may be late."""
        self.mistake: PolicyMistake | None = None
        self.is_interrupted = False
        self._policy = policy
        self._stop = stop
        self._is_timed = is_timed
        self._cpu_us = cpu_us
        self._is_new = True  # no decision was asked in this match yet

    def __repr__(self) -> str:
        return f"<PolicySeat {self._policy.name}>"

    def join(self, go_on: Callable[[Reply], None]) -> None:
        """Begin a match: nothing is to be polled."""

    def leave(self) -> None:
        """End a match."""

    def begin(self, faults_to_forfeit: int) -> None:
        """Begin a match: the policy is reset at its first decision, by which it is charged."""
        self._is_new = True

    def hang_up(self, reason: str, detail: str = "") -> None:
        """Do nothing: there is no connection."""

    def take_asides(self) -> Sequence[Breach]:
        return ()

    def tell(self, message: Start | Fault | End) -> None:
        """Do nothing: the command tells of faults."""

    def ask(
        self,
        match: str,
        view: Mapping[str, Any],
        legal: Sequence[str],
        allowed_us: int,
        charged_us: int,
        hang_us: int,
    ) -> Reply | None:
        # As the wire has it: the same types that a bot gets, and nothing shared with the state.
        seen: dict[str, Any] = msgspec.msgpack.decode(msgspec.msgpack.encode(view))
        try:
            with interruptible():
                began = self._cpu_us()
                if self._is_new:
                    self._policy.reset()
                action = self._policy.choose(seen, legal)
                took = self._cpu_us() - began
        except PolicyMistake as mistake:
            self.mistake = mistake
            self._stop()
            return None
        except KeyboardInterrupt:
            self.is_interrupted = True
            self._stop()
            return None
        self._is_new = False
        if self._is_timed and took > allowed_us:
            return Failed(too_slow(took, allowed_us), took, b"")
        if action not in legal:
            return Failed(illegal(match, action, legal), took, b"")
        return Chose(action, took, "")


def illegal(match: str, action: str, legal: Sequence[str]) -> Breach:
    """An action of a policy that is not legal, with advice for a function of Python."""
    breach = not_legal(Action(match, 0, action, ""), legal)
    advice = (
        "Return a number that is in decision.legal, or its text; a place in that list is no action,"
        " decision.legal[place] is one."
    )
    return Breach(breach.code, breach.came, breach.expected, advice, breach.action)


def too_slow(took_us: int, allowed_us: int) -> Breach:
    """A decision of a policy that took more processor time than it had."""
    return Breach(
        "out-of-time",
        f"a decision that took {told(took_us)} of processor time",
        f"one within {told(allowed_us)}",
        "--decision-ms and --bank-ms give more, --no-clock any; OMP_NUM_THREADS=1 keeps numpy to"
        " one thread.",
    )


class PolicyPlayer(OutOfSight):
    """A policy as a pool has it: always there, and good for match after match. It has no process
    of its own, and what it prints is printed by this one."""

    starts = 1
    guest: Guest | None = None

    def __init__(self, name: str, link: PolicySeat):
        self.name = name
        self.link = link

    def __repr__(self) -> str:
        return f"<PolicyPlayer {self.name!r}>"

    async def ready(self) -> Breach | None:
        """Return None: it is there."""
        return None

    async def say_bye(self, reason: str, detail: str = "") -> None:
        """Do nothing: nobody listens."""
