"""Evidence of faults, told at the door to the authors of bots that dial in (SPEC 2.7).

A hello with the offer `evidence` takes no seat: it is answered with evidence and a `bye`, within
the time that a hello has, and its connection is closed. A source outside the referee knows what
may be told; here it is asked at most once a second for each token.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from arena.record.evidence import Evidence
from protocol.limits import EVIDENCE_OFFER, HEADER_BYTES
from protocol.messages import FaultEvidence, Hello

# Between two askings with one token.
PAUSE_SECONDS = 1.0
# Messages for one asking: some 100 KB, which costs the referee a millisecond or two.
MOST_TOLD = 16
# A reply has at most 4,096 bytes and a view 4,096, so that a message stays below the limit of
# 16,384 whatever the texts are: of a reply half is told, and a longer request not at all.
MOST_REPLY_BYTES = 2_048
MOST_REQUEST_BYTES = 8_192


class KeptFault(Struct, frozen=True):
    """The evidence of a fault of a league, and the place where it stands."""

    at: str  # among all evidence of the league; for the offer `evidence:AT`
    match: str  # by its place in the league, such as 17.4
    evidence: Evidence


class EvidencePage(Struct, frozen=True):
    """Some evidence of one bot, in its order. `more`: there is some after it."""

    kept: tuple[KeptFault, ...]
    more: bool = False


EvidenceSource: TypeAlias = Callable[[str, str], Awaitable[EvidencePage]]
"""Called with the name of a bot and the place after which evidence is wanted ("": from the first).
Raises ValueError if there is no such place."""


async def no_evidence(name: str, after: str) -> EvidencePage:
    """Tell of no fault: nothing is kept, as in a match outside a league."""
    return EvidencePage(())


def asked_after(hello: Hello) -> str | None:
    """Return the place after which evidence is asked for, "" for all; None if none is asked for."""
    for offer in hello.offers:
        name, _, after = offer.partition(":")
        if name == EVIDENCE_OFFER:
            return after
    return None


def told_fault_evidence(kept: KeptFault, *, more: bool) -> FaultEvidence:
    """Return the message for one fault. `more`: there is evidence after it."""
    one = kept.evidence
    return FaultEvidence(
        at=kept.at,
        match=kept.match,
        seat=one.seat,
        move=one.move,
        kind=one.kind,
        code=one.code,
        came=one.came,
        expected=one.expected,
        text=one.text,
        request=request_in(one),
        reply=one.reply[:MOST_REPLY_BYTES].hex(),
        reply_bytes=len(one.reply),
        played=one.played or None,
        allowed_us=one.allowed_us,
        took_us=one.took_us,
        more=more,
    )


def request_in(one: Evidence) -> dict[str, Any] | None:
    """Return the request as the bot was sent it; None if there was none, or it is too long."""
    body = one.request[HEADER_BYTES:]
    if not body or len(body) > MOST_REQUEST_BYTES:
        return None
    request: dict[str, Any] = msgspec.msgpack.decode(body)
    return request
