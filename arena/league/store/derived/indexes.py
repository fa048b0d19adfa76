"""Indexes of events by what they tell, so that a few are found among many without reading all.

A long league has five events for each set, and hardly any others; an opening needs these others.
An index is no truth and no part of the schema: SQLite keeps it in step, and a file without it is
read as well, only slower. It goes by the text of an event as this program writes it, and not by
JSON, which may be damaged: SQLite would refuse to write such a row at all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

# An event begins {"at": "2026-01-31T12:00:00Z", "event": "match", and what is written otherwise
# counts as neither: then it is looked at more closely than it need be.
_KIND = """substr(body, 29, {length}) {is_} '", "event": "{kind}"'"""
FREQUENT = ("match", "set")
"""The kinds of events of which there is one for each match or set."""

_PREFIX = len('", "event": ""')


def _is(kind: str, is_: str) -> str:
    return _KIND.format(length=_PREFIX + len(kind), is_=is_, kind=kind)


IS_RARE = " AND ".join(_is(kind, "<>") for kind in FREQUENT)
IS_SET = _is("set", "=")

_INDEXES = (
    f"CREATE INDEX IF NOT EXISTS rare_events ON events (number) WHERE {IS_RARE}",
    f"CREATE INDEX IF NOT EXISTS set_events ON events (number) WHERE {IS_SET}",
)


def make_indexes(db: sqlite3.Connection) -> None:
    """Make the indexes that are not there, inside the caller's transaction."""
    for statement in _INDEXES:
        db.execute(statement)


def where_of(kinds: Collection[str]) -> str:
    """Return a condition that leaves out events of none of these kinds, as far as an index tells;
    what it leaves in is still to be looked at."""
    return "1" if any(kind in FREQUENT for kind in kinds) else IS_RARE
