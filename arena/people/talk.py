"""The messages between a page and a table, as JSON: those of SPEC, and a few about the table.

A page opens a table or takes its seat again; then it gets the messages that a bot gets (SPEC 4),
and answers each `request` with an `action`. Beside them it is told each move as it is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from arena.people.options import LONGEST_NAME

_Text = Annotated[str, Meta(max_length=100)]


class OpenTable(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="open"):
    """Open a table: the page's first message, unless a seat is taken again."""

    game: _Text
    bots: Annotated[tuple[_Text, ...], Meta(min_length=1, max_length=8)]
    name: _Text = ""


class TakeSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="rejoin"):
    """Take the seat of a page that was closed or lost its connection."""

    seat: _Text  # the secret of `seated`


class Choose(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="action"):
    """Answer the open request, as a bot does (SPEC 4.2)."""

    match: _Text
    id: int
    action: _Text


class LeaveTable(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="leave"):
    """Leave the match; it is played on without this seat."""


FromPage: TypeAlias = OpenTable | TakeSeat | Choose | LeaveTable
_DECODE = msgspec.json.Decoder(FromPage).decode


class NotUnderstood(Exception):
    """A message from a page that is none of these; the text says why."""


class NotSeated(Exception):
    """A table cannot be opened, or a seat not be taken; the text says why, for the visitor."""


def read(line: bytes | str) -> FromPage:
    """Read a message of a page; raises NotUnderstood."""
    try:
        message: FromPage = _DECODE(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise NotUnderstood(str(error)) from None
    return message


def written(message: Mapping[str, Any]) -> bytes:
    """Return a message to a page as a line."""
    return msgspec.json.encode(message) + b"\n"


def shown_name(name: str) -> str:
    """Return a visitor's name as it may be shown: as texts of bots are filtered, and short."""
    kept = "".join(each for each in " ".join(name.split()) if each.isprintable())
    return kept[:LONGEST_NAME].strip() or "visitor"
