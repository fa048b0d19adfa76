"""The patience of a client that fetches evidence."""

from __future__ import annotations

from arena.cli.fetched import door
from arena.record.timing import START_MS
from arena.referee.door import evidence


def test_a_client_waits_longer_than_the_server_wants_or_takes() -> None:
    """A server has a pause between two askings, and closes after the time for a hello."""
    assert door.PAUSE_SECONDS > evidence.PAUSE_SECONDS
    assert door.PATIENCE_SECONDS > START_MS / 1000
