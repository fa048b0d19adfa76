"""The evidence of a fault, for the author of the bot: in words, and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from arena.cli.tap import decoded
from arena.league.played import Evidence, Played
from arena.record.transcript import plain
from protocol import limits


def told_evidence(one: Evidence, played: Played, folder: Path) -> Iterator[str]:
    """Everything the author of the bot may need."""
    name = plain(played.record.names[one.seat])
    yield f"seat {one.seat} {name}, move {one.move}: {one.kind} ({one.code})"
    yield f"  {plain(one.text)}"
    yield f"  came:     {plain(one.came)}"
    yield f"  expected: {plain(one.expected)}"
    if one.request:
        yield f"  request:  {decoded(one.request[limits.HEADER_BYTES :])}"
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
            yield f"  its {stream} ended:"
            yield from (f"    | {plain(printed)}" for printed in tail.splitlines())
    again = shlex.quote(f"{folder.with_suffix('')}:{played.place}")
    yield f"  again:    arena match --like {again}"


def evidence_as_json_value(one: Evidence) -> Mapping[str, Any]:
    return {
        "seat": one.seat,
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
