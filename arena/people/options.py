"""The terms of tables for people: which bots sit there, how many tables, the clock of a person."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from arena.record.timing import BotClock

# A person reads the table before they choose. A choice may take a minute, and some may take longer
# until five minutes more are used up; after that a silence of two minutes leaves the table.
PERSONS_CLOCK = BotClock(decision_ms=60_000, bank_ms=300_000, hang_ms=120_000)
# Tables at once: the bots of each are processes of their own.
MOST_TABLES = 8
# Of one visitor's network.
MOST_OF_ONE = 2
# A seat is kept for so long while no page is connected to it.
REJOIN_SECONDS = 120.0
LONGEST_NAME = 24
# A line of the process: it takes visitors from now on.
READY = "ready"
# The socket in its private folder.
SOCKET = "tables"


@dataclass(frozen=True)
class TablesOptions:
    """All that the process of the tables is told by the server that starts it."""

    bots: tuple[str, ...]  # folders of the bots that the operator lets play
    most_tables: int = MOST_TABLES
    confine: str = "auto"  # how bots are confined, as in league.toml

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> TablesOptions:
        values = json.loads(text)
        return cls(**{**values, "bots": tuple(values["bots"])})
