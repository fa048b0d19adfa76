"""Evidence that was fetched: in words, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from arena.cli.tap import decoded, told_request
from arena.json_formats import DOCUMENT, EVIDENCE, JsonKey, Sections
from arena.text import plain
from protocol.messages import FaultEvidence

SECTIONS: Sections = {
    DOCUMENT: {
        "evidence": JsonKey("list of evidence", "by the order in which sets were completed"),
        "next": JsonKey(
            "text or null",
            "for `--after`: where the last of them stands, else what `--after` named; null: none",
        ),
    },
    "evidence": {
        "at": JsonKey("text", "where it stands, for `--after`"),
        "match": JsonKey("text", "its place in the league: `17.4` is the fourth match of set 17"),
        "seat": JsonKey("whole number", "of the bot"),
        "move": JsonKey("whole number", "moves played before the fault"),
        "kind": JsonKey("text", "one of the six kinds (SPEC 7.1)"),
        "code": JsonKey("text", "what it was more exactly (SPEC 7.2)"),
        "came": JsonKey("text", "the thing that came, in words"),
        "expected": JsonKey("text", "the thing that was expected, in words"),
        "text": JsonKey("text", "all of it in a sentence, for people"),
        "request": JsonKey("map or null", "the request as it was sent; null: none, or too long"),
        "reply": JsonKey("text", "the body that came, its first 2048 bytes, in hexadecimal digits"),
        "reply_bytes": JsonKey("whole number", "how many it had"),
        "played": JsonKey("text or null", "the action played in its place; null: none was"),
        "allowed_us": JsonKey("whole number", "the time it had, bank included"),
        "took_us": JsonKey("whole number", "the time it took"),
    },
}


def document(found: Sequence[FaultEvidence], last: str) -> str:
    """Return all that was fetched as one document. `last`: where to go on from, or ""."""
    keys = SECTIONS["evidence"]
    return EVIDENCE.text(
        {
            "evidence": [{key: getattr(one, key) for key in keys} for one in found],
            "next": last or None,
        }
    )


def lines(one: FaultEvidence) -> Iterator[str]:
    """Yield one piece of evidence for its author, a line at a time."""
    yield plain(f"match {one.match}, seat {one.seat}, move {one.move}: {one.kind} ({one.code})")
    yield f"  {plain(one.text)}"
    if one.request is not None:
        request = json.dumps(one.request, ensure_ascii=False, separators=(",", ":"))
        yield from told_request(plain(request))
    if one.reply:
        reply = bytes.fromhex(one.reply)
        if len(reply) == one.reply_bytes:
            yield f"  reply:    {decoded(reply)}"
            yield f"  as hex:   {reply.hex(' ')}"
        else:
            yield f"  as hex:   {reply.hex(' ')} ... ({one.reply_bytes} bytes)"
    if one.request is not None:
        allowed, took = one.allowed_us / 1000, one.took_us / 1000
        yield f"  clock:    {took:.3f} of {allowed:.3f} ms"
    if one.played:
        yield f"  played:   {plain(one.played)}, in its place"
