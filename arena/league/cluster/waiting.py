"""A league that waits for workers: what it says to people, and when it has waited long enough."""

from __future__ import annotations

from collections.abc import Callable, Collection

from arena.league.play.entering import LeagueStopped
from arena.text import listed, plain

# So long a league waits for its first slot, and for another when it has lost all.
FIRST_SLOT_SECONDS = 60.0
NO_SLOT_SECONDS = 600.0

# While a league waits, it repeats its line about that after so long.
AGAIN_SECONDS = 30.0
# A worker that has registered is asked about itself, and answers within so long.
MEET_SECONDS = 5.0


class SlotWait:
    """The wait for a slot. Times are in seconds of any clock that goes on.

    `advice`: how to start a worker. `tell`: takes lines for people.
    """

    def __init__(
        self, advice: str, tell: Callable[[str], None], first_seconds: float = 0.0
    ) -> None:
        """`first_seconds`: after so long it says for the first time that it waits."""
        self._first_seconds = first_seconds
        self._advice = advice
        self._tell = tell
        self._had_slots = False
        self._since: float | None = None  # when there was a slot last
        self._tell_at = 0.0

    def __repr__(self) -> str:
        return f"<SlotWait since {self._since}>"

    def look(self, now: float, *, slots: int, met: int, left_out: Collection[str]) -> None:
        """Say what is waited for, if there is no slot. Raises LeagueStopped when none comes.

        `met`: how many workers have registered. `left_out`: why some of them get no sets.
        """
        if slots:
            self._had_slots, self._since = True, None
            return
        if self._since is None:
            self._since = now
            # A worker that has just registered will have told about itself in a moment.
            self._tell_at = now + (MEET_SECONDS if met else self._first_seconds)
        waited = now - self._since
        patience = NO_SLOT_SECONDS if self._had_slots else FIRST_SLOT_SECONDS
        if waited >= patience:
            why = "".join(f"; a worker was left out: {plain(each)}" for each in {*left_out})
            raise LeagueStopped(
                f"no worker had a slot for this league in {patience:.0f} s{why}; {self._advice}"
            )
        if now >= self._tell_at:
            self._tell_at = max(now, self._since) + AGAIN_SECONDS
            self._tell(self._words(waited, patience, met, left_out))

    def _words(self, waited: float, patience: float, met: int, left_out: Collection[str]) -> str:
        so_far = f" for {waited:.0f} s now" if waited >= 1 else ""
        if left_out:
            found = f"those that have registered cannot be used ({plain(listed({*left_out}))})"
        elif met:
            found = "those that have registered have not answered yet"
        else:
            found = "none has registered with the scheduler"
        return f"waiting{so_far} for a worker, up to {patience:.0f} s: {found}; {self._advice}"


def advice_for(address: str | None, *, is_encrypted: bool) -> str:
    """Return how to start a worker for a scheduler; without an address those of this machine
    start by themselves."""
    if address is None:
        return "those of this machine start by themselves, and referee.log says what they lack"
    files = " --tls-ca ca.pem --tls-cert worker.pem --tls-key worker.key" if is_encrypted else ""
    return f"start one on each machine: `arena worker {address}{files}` (docs/cluster.md)"
