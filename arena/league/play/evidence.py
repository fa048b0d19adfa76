"""Evidence for bots that ask for it at the door, read from the league."""

from __future__ import annotations

from functools import partial
from itertools import islice
from pathlib import Path

import trio

from arena.league.model.evidence import BEFORE_ALL, EvidencePlace
from arena.league.store.reader import Reader
from arena.referee.door.evidence import MOST_TOLD, EvidencePage, KeptFault


async def evidence_for(path: Path, name: str, after: str) -> EvidencePage:
    """Return the evidence of one bot in complete sets after a place, as an EvidenceSource.

    `path`: of `league.db`, which is read in a thread of its own, so that entering matches never
    waits for it. Raises StoreError if it cannot be read.
    """
    return await trio.to_thread.run_sync(
        partial(read_evidence, path, name, after), abandon_on_cancel=True
    )


def read_evidence(path: Path, name: str, after: str) -> EvidencePage:
    """Return the evidence of one bot after a place; ValueError if there is no such place."""
    place = EvidencePlace.parse(after) if after else BEFORE_ALL
    if place is None:
        raise ValueError(f"No evidence stands at {after!r}")
    with Reader.read(path) as reader:
        found = [*islice(reader.evidence_of(name, place), MOST_TOLD + 1)]
    kept = tuple(
        KeptFault(str(one.place), str(one.match), one.evidence) for one in found[:MOST_TOLD]
    )
    return EvidencePage(kept, more=len(found) > MOST_TOLD)
