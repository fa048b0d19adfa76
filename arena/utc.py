"""Times as everything kept or published has them: to the second, in UTC."""

from __future__ import annotations

from datetime import UTC, datetime

# "2026-01-31T12:00:00Z": of two such texts the greater is the later time.
TIME = "%Y-%m-%dT%H:%M:%SZ"


def now() -> str:
    """Return the time of this second."""
    return datetime.now(UTC).strftime(TIME)


def seconds(at: str) -> int:
    """Return a time in seconds since 1970. Raises ValueError if it is none."""
    return int(datetime.strptime(at, TIME).replace(tzinfo=UTC).timestamp())
