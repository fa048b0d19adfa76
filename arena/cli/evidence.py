"""The evidence of a fault, for the author of the bot: in words, and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.cli.tap import decoded, told_request
from arena.json_formats import JsonKey
from arena.league.model.played import LeagueMatch
from arena.record.evidence import Evidence
from arena.text import plain
from protocol import limits


def told_evidence(one: Evidence, played: LeagueMatch, folder: Path) -> Iterator[str]:
    """Yield everything about a fault that helps the author of the bot, a line at a time.

    `folder`: of the league, for the command that plays the match again.
    """
    name = plain(played.record.names[one.seat])
    yield f"seat {one.seat} {name}, move {one.move}: {one.kind} ({one.code})"
    yield f"  {plain(one.text)}"
    if one.request:
        yield from told_request(decoded(one.request[limits.HEADER_BYTES :]))
    if one.reply:
        yield f"  reply:    {decoded(one.reply)}"
        yield f"  as hex:   {one.reply.hex(' ')}"
    if one.legal:
        yield f"  legal:    {' '.join(one.legal)}"
        yield f"  clock:    {one.took_us / 1000:.3f} of {one.allowed_us / 1000:.3f} ms"
    if one.played:
        yield f"  played:   {one.played}, in its place"
    if one.exit:
        yield f"  process:  {plain(one.exit)}"
    for stream, tail in (("stdout", one.stdout), ("stderr", one.stderr)):
        if tail:
            yield f"  its {stream}:"
            yield from (f"    | {plain(printed)}" for printed in tail.splitlines())
    again = shlex.quote(f"{folder.with_suffix('')}:{played.place}")
    yield f"  again:    arena match --like {again}"


EVIDENCE_KEYS: Mapping[str, JsonKey] = {
    "seat": JsonKey("whole number", "of the bot"),
    "bot": JsonKey("text", "its name"),
    "move": JsonKey("whole number", "moves played before the fault"),
    "kind": JsonKey("text", "one of the six kinds (SPEC 7.1)"),
    "code": JsonKey("text", "what it was more exactly (SPEC 7.2)"),
    "text": JsonKey("text", "all of it in a sentence, for people"),
    "came": JsonKey("text", "the thing that came, in words"),
    "expected": JsonKey("text", "the thing that was expected, in words"),
    "request": JsonKey(
        "text", "the frame of the request, in hexadecimal digits; empty: there was none"
    ),
    "request_decoded": JsonKey(
        "text", "its body as JSON, or what is wrong with it; empty likewise"
    ),
    "reply": JsonKey("text", "the body of the reply, in hexadecimal digits; empty: none came"),
    "reply_decoded": JsonKey("text", "it as JSON, or what is wrong with it; empty likewise"),
    "legal": JsonKey("list of text", "the actions that could be chosen; empty without a request"),
    "played": JsonKey("text", "the action played in its place; empty: none was"),
    "allowed_us": JsonKey("whole number", "the time it had, bank included"),
    "took_us": JsonKey("whole number", "the time it took"),
    "stdout": JsonKey("text", "the kept parts of its standard output; empty if it dials in"),
    "stderr": JsonKey("text", "the same of its standard error"),
    "exit": JsonKey("text", "the end of its process, in words; empty: it went on, or dials in"),
}


def evidence_as_json_value(names: Sequence[str], one: Evidence) -> Mapping[str, Any]:
    """Return the evidence with the keys of EVIDENCE_KEYS. `names`: of the bots, by seat."""
    return {
        "seat": one.seat,
        "bot": names[one.seat],
        "move": one.move,
        "kind": one.kind,
        "code": one.code,
        "text": one.text,
        "came": one.came,
        "expected": one.expected,
        "request": one.request.hex(),
        "request_decoded": decoded(one.request[limits.HEADER_BYTES :]) if one.request else "",
        "reply": one.reply.hex(),
        "reply_decoded": decoded(one.reply) if one.reply else "",
        "legal": list(one.legal),
        "played": one.played,
        "allowed_us": one.allowed_us,
        "took_us": one.took_us,
        "stdout": one.stdout,
        "stderr": one.stderr,
        "exit": one.exit,
    }
