"""What faults cost (SPEC 7): counted, answered with an action drawn from the seed, forfeits.

Pure. The table of kinds is the whole policy; `Ledger` keeps one seat's account of a match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.games.chance import draw
from protocol.breach import Breach


@dataclass(frozen=True)
class Penalty:
    """What a kind of fault leads to."""

    settles: bool  # the open request is over, and an action is played for the bot
    forfeits: bool = False  # the seat at once, whatever its count


PENALTIES: Mapping[str, Penalty] = {
    "late": Penalty(settles=True),
    "unreadable": Penalty(settles=True),
    "illegal": Penalty(settles=True),
    "out-of-turn": Penalty(settles=False),
    "gone": Penalty(settles=True, forfeits=True),
    "never-started": Penalty(settles=False, forfeits=True),
}


class Ledger:
    """One seat's faults in one match."""

    def __init__(self, faults_to_forfeit: int):
        self._faults_to_forfeit = faults_to_forfeit
        self.count = 0
        self.codes: list[str] = []
        self.is_forfeited = False

    def __repr__(self) -> str:
        state = "forfeited" if self.is_forfeited else f"{self.count} faults"
        return f"<Ledger {state}>"

    def enter(self, breach: Breach, *, again: bool = False) -> None:
        """A fault; `again`: a further miss that belongs to a `late` counted before (SPEC 6.4)."""
        if not again:
            self.count += 1
            self.codes.append(breach.code)
        if PENALTIES[breach.kind].forfeits or self.count >= self._faults_to_forfeit:
            self.is_forfeited = True


class Substitute:
    """Plays for bots that did not: legal actions drawn from the match's seed (SPEC 13.1)."""

    def __init__(self, seed: bytes):
        self._seed = seed
        self._played = 0

    def pick(self, legal: Sequence[str]) -> str:
        """The next of the penalties of this match."""
        action = legal[draw(len(legal), self._seed, "penalty", self._played)]
        self._played += 1
        return action


def places_with_forfeits(places: Sequence[int], forfeits: Sequence[int]) -> tuple[int, ...]:
    """The others keep the order they played out; who forfeited shares the last place."""
    kept = [place for seat, place in enumerate(places) if seat not in forfeits]
    return tuple(
        len(kept) + 1 if seat in forfeits else 1 + sum(other < place for other in kept)
        for seat, place in enumerate(places)
    )
