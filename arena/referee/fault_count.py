"""Counts the faults of one seat in one match, until they forfeit it (SPEC 7)."""

from __future__ import annotations

from arena.record.penalties import PENALTIES
from protocol.breach import Breach


class FaultCount:
    """One seat's faults in one match."""

    def __init__(self, faults_to_forfeit: int):
        self._faults_to_forfeit = faults_to_forfeit
        self.count = 0
        self.codes: list[str] = []
        self.is_forfeited = False

    def __repr__(self) -> str:
        state = "forfeited" if self.is_forfeited else f"{self.count} faults"
        return f"<FaultCount {state}>"

    def enter(self, breach: Breach, *, again: bool = False) -> None:
        """Count a fault. `again`: a further miss, part of a `late` counted before (SPEC 6.4)."""
        if not again:
            self.count += 1
            self.codes.append(breach.code)
        if PENALTIES[breach.kind].forfeits or self.count >= self._faults_to_forfeit:
            self.is_forfeited = True
