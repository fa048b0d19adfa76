"""A match as it was played: enough to replay and audit it. The hinge of playing and publishing."""

from arena.record.errors import BadRecord, DoesNotFit, RecordError
from arena.record.files import dump, from_json, load, to_json
from arena.record.record import FORMAT, VERSION, FaultEntry, Move, Note, Record
from arena.record.replay import Step, replay
from arena.record.transcript import Audience, transcript

__all__ = [
    "FORMAT",
    "VERSION",
    "Audience",
    "BadRecord",
    "DoesNotFit",
    "FaultEntry",
    "Move",
    "Note",
    "Record",
    "RecordError",
    "Step",
    "dump",
    "from_json",
    "load",
    "replay",
    "to_json",
    "transcript",
]
