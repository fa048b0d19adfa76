"""The clocks of one match worked out again: who was late, and who was not.

By the times of its record alone. A time that is exactly what was allowed fits either ruling, as an
answer is measured when it arrives, and a ruling when it is made.
"""

from __future__ import annotations

from collections.abc import Iterator

from arena.record import FaultEntry, Record
from arena.record.penalties import PENALTIES
from arena.record.timing import Timing


class _Clock:
    """What is left of a seat's time, in microseconds (SPEC 6.2)."""

    def __init__(self, timing: Timing):
        self._free = timing.decision_ms * 1000
        self._bank = timing.bank_ms * 1000

    @property
    def allowed(self) -> int:
        return self._free + self._bank

    def charge(self, took: int) -> None:
        self._bank = max(0, self._bank - max(0, took - self._free))

    def empty(self) -> None:
        self._bank = 0


def of_lateness(record: Record, timing: Timing) -> Iterator[str]:
    """Yield decisions that were late and not ruled so, or ruled late in time.

    `timing`: of the league; a seat may have a clock of its own.
    """
    if not was_in_time(record, timing):
        yield from wrong_rulings(record, timing)


def was_in_time(record: Record, timing: Timing) -> bool:
    """Return True if the match has no faults, and `wrong_rulings` finds nothing in it.

    Without a ruling a seat is late in the first decision with which all that it took beyond its
    free times, added up, is more than its bank: so the sum over the whole match tells.
    """
    if record.faults:
        return False
    timings = [timing.of_bot(record.clock_of(seat)) for seat in range(record.seats)]
    free = [each.decision_ms * 1000 for each in timings]
    beyond = [0] * record.seats
    for move in record.moves:
        if (over := move.time_us - free[move.seat]) > 0:
            beyond[move.seat] += over
    return all(took <= each.bank_ms * 1000 for took, each in zip(beyond, timings, strict=True))


def wrong_rulings(record: Record, timing: Timing) -> Iterator[str]:
    """Go through the match decision by decision, and yield each ruling that its times refute."""
    clocks = [_Clock(timing.of_bot(record.clock_of(seat))) for seat in range(record.seats)]
    faults: dict[tuple[int, int], list[FaultEntry]] = {}
    for fault in record.faults:
        faults.setdefault((fault.move, fault.seat), []).append(fault)
    forfeited: set[int] = set()
    for number, move in enumerate(record.moves):
        for each in faults.get((number, move.seat), ()):
            if each.forfeit:
                forfeited.add(move.seat)
        if move.seat in forfeited:
            continue
        clock = clocks[move.seat]
        allowed = clock.allowed
        kinds = {each.kind for each in faults.get((number, move.seat), ())}
        if "late" in kinds:
            is_wrong, ruling = move.time_us < allowed, "ruled late"
            clock.empty()
        else:
            # An answer that is not legal may come after its time and before it is ruled late.
            is_excused = any(PENALTIES[kind].settles for kind in kinds)
            is_wrong, ruling = move.time_us > allowed and not is_excused, "not ruled late"
            clock.charge(move.time_us)
        if is_wrong:
            yield (
                f"move {number} of seat {move.seat} took {move.time_us} of {allowed} us, and was"
                f" {ruling}"
            )
