"""The times in events and records: UTC, to the second, such as "2026-01-31T12:00:00Z"."""

from __future__ import annotations

from datetime import UTC, datetime

from arena.utc import TIME as TIME
from arena.utc import now as now


def seconds(at: str) -> int:
    """Return a time in seconds since 1970. Raises ValueError if it is none."""
    return int(datetime.strptime(at, TIME).replace(tzinfo=UTC).timestamp())
