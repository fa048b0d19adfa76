"""Records as bytes, and back: msgpack in the store, where they are many, and JSON for people."""

from __future__ import annotations

import msgspec

from arena.record.errors import BadRecord
from arena.record.record import FORMAT, VERSION, Record

_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(Record).decode
_to_json = msgspec.json.Encoder().encode
_from_json = msgspec.json.Decoder(Record).decode


def dump(record: Record) -> bytes:
    """Return the record as msgpack."""
    return _pack(record)


def load(data: bytes) -> Record:
    """Read a record from msgpack; raise BadRecord if it is none."""
    try:
        return checked(_unpack(data))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _no_record(error) from error


def to_json(record: Record) -> str:
    """Return the record as a line of JSON."""
    return _to_json(record).decode()


def from_json(text: str | bytes) -> Record:
    """Read a record from JSON; raise BadRecord if it is none."""
    try:
        return checked(_from_json(text))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _no_record(error) from error


def checked(record: Record) -> Record:
    """Return a record that this program can read; raise BadRecord for any other."""
    if record.format != FORMAT:
        raise BadRecord(f"this is no record: it begins with {record.format!r}, not {FORMAT!r}")
    if record.version != VERSION:
        raise BadRecord(
            f"this record is of version {record.version}, and this program reads version "
            f"{VERSION}: replay it with the arena that wrote it, or a newer one"
        )
    try:
        bytes.fromhex(record.seed)
        bytes.fromhex(record.nonce)
    except ValueError:
        raise BadRecord("this record's seed or nonce is not hexadecimal") from None
    if len(record.clocks) not in (0, record.seats):
        raise BadRecord(f"this record has {len(record.clocks)} clocks for {record.seats} seats")
    return record


def _no_record(error: Exception) -> BadRecord:
    return BadRecord(f"this is no record: {error}")
