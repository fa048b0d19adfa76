"""Damage done to a league's file, as a disk, a person or a bug might do it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from arena.league.store.folder import DATABASE
from arena.record import Record, dump, load


class Damaged:
    """A league whose rows are changed behind its back."""

    def __init__(self, folder: Path, name: str = DATABASE):
        self.file = folder / name

    def execute(self, statement: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(self.file, isolation_level=None)) as db:
            found = db.execute(statement, values).fetchall()
            # The file itself is whole, whatever is in it.
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return found

    def flip(self, table: str, column: str, at: int = 40, **where: int) -> None:
        """One byte of one value."""
        rows = " AND ".join(f"{name} = {number}" for name, number in where.items())
        ((value,),) = self.execute(f"SELECT {column} FROM {table} WHERE {rows} LIMIT 1")
        data = bytearray(value)
        data[at] ^= 0xFF
        self.execute(f"UPDATE {table} SET {column} = ? WHERE {rows}", bytes(data))

    def record(self, number: int, turn: int, change: Callable[[Record], dict[str, Any]]) -> None:
        """Another record in the place of one."""
        where = "WHERE number = ? AND turn = ?"
        ((data,),) = self.execute(f"SELECT record FROM matches {where}", number, turn)
        record = load(data)
        changed = dump(msgspec.structs.replace(record, **change(record)))
        assert changed != data
        self.execute(f"UPDATE matches SET record = ? {where}", changed, number, turn)

    def event(self, what: str, change: dict[str, object], **where: object) -> int:
        """Another event in the place of the first such; its number."""
        for number, body in self.execute("SELECT number, body FROM events ORDER BY number"):
            event = json.loads(body)
            wanted = {"event": what, **where}
            if all(event.get(name) == value for name, value in wanted.items()):
                told = json.dumps({**event, **change})
                self.execute("UPDATE events SET body = ? WHERE number = ?", told, number)
                return int(number)
        raise AssertionError(f"no event {where}")

    def settings(self, **changes: object) -> None:
        ((settings,),) = self.execute("SELECT value FROM facts WHERE name = 'settings'")
        changed = json.dumps({**json.loads(settings), **changes})
        self.execute("UPDATE facts SET value = ? WHERE name = 'settings'", changed)
