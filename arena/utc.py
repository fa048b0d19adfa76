"""Times as everything kept or published has them: to the second, in UTC."""

from __future__ import annotations

from datetime import UTC, datetime

# "2026-01-31T12:00:00Z": of two such texts the greater is the later time.
TIME = "%Y-%m-%dT%H:%M:%SZ"


def now() -> str:
    """Return the time of this second."""
    return datetime.now(UTC).strftime(TIME)
