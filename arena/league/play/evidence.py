"""Evidence for bots that ask for it at the door, read from the league by the runner."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from arena.league.model.evidence import BEFORE_ALL, EvidencePlace
from arena.league.play.orders import EvidenceAsked, EvidenceGiven
from arena.league.store.database import StoreError
from arena.league.store.reader import Reader
from arena.referee.door.evidence import MOST_TOLD, EvidencePage, KeptFault


def evidence_for(path: Path, asked: EvidenceAsked) -> EvidenceGiven:
    """Return the evidence of one bot in complete sets after a place.

    `path`: of `league.db`, which is opened anew: this runs in a thread of its own, so that entering
    matches never waits for it.
    """
    after = EvidencePlace.parse(asked.after) if asked.after else BEFORE_ALL
    if after is None:
        return EvidenceGiven(asked.ticket, None)
    try:
        with Reader.read(path) as reader:
            found = [*islice(reader.evidence_of(asked.name, after), MOST_TOLD + 1)]
    except StoreError as error:
        return EvidenceGiven(asked.ticket, None, str(error))
    kept = tuple(
        KeptFault(str(one.place), str(one.match), one.evidence) for one in found[:MOST_TOLD]
    )
    return EvidenceGiven(asked.ticket, EvidencePage(kept, more=len(found) > MOST_TOLD))
