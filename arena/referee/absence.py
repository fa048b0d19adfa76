"""A match that never began, written down: it counts against those absent only (SPEC 7.1)."""

from __future__ import annotations

from arena.record import FORMAT, VERSION, FaultEntry, Record
from arena.referee.match import Evidence, Played
from arena.referee.penalties import places_with_forfeits
from arena.referee.sitting import NotBegun

NOT_BEGUN = "not-begun"
"""The ending of such a match; no bot is ever told it."""


def written_down(came: NotBegun) -> Played:
    """No moves and no scores; those absent have forfeited."""
    plan, absent = came.plan, came.absent
    faults = tuple(
        FaultEntry(seat, 0, breach.kind, breach.code, breach.text, forfeit=True)
        for seat, breach in absent.items()
    )
    record = Record(
        format=FORMAT,
        version=VERSION,
        game=plan.game,
        seats=plan.seats,
        options=plan.options,
        seed=plan.seed.hex(),
        names=plan.names,
        moves=(),
        scores=(),
        places=places_with_forfeits((1,) * plan.seats, list(absent)),
        ending=NOT_BEGUN,
        faults=faults,
        forfeits=tuple(absent),
    )
    evidence = tuple(
        Evidence(
            entry=fault,
            came=absent[fault.seat].came,
            expected=absent[fault.seat].expected,
            request=b"",
            reply=b"",
            legal=(),
            played=None,
            allowed_us=0,
            took_us=0,
        )
        for fault in faults
    )
    return Played(record, evidence, None)
