"""A match as it was played: enough to replay and audit it.

Playing ends in a record and publishing begins with one. The names here are its values, its bytes
and its errors, and load no rules of games; `replay`, `decisions`, `transcript`
and `substitute` do.
"""

from arena.record.errors import BadRecord, DoesNotFit, NoSuchMove, RecordError
from arena.record.files import dump, from_json, load, to_json
from arena.record.record import FORMAT, VERSION, FaultEntry, Move, Note, Record

__all__ = [
    "FORMAT",
    "VERSION",
    "BadRecord",
    "DoesNotFit",
    "FaultEntry",
    "Move",
    "NoSuchMove",
    "Note",
    "Record",
    "RecordError",
    "dump",
    "from_json",
    "load",
    "to_json",
]
