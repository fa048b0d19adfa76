"""A ledger packed for the checkpoint of its league, and made again from it.

It holds the sums over all sets that count, and the results of their matches, from which ratings
and bars are worked out; nothing of any other set. A process that opens the league then reads only
the sets that came after it. `arena verify` counts anew, and compares (`arena.audit.checkpoint`).
"""

from __future__ import annotations

import struct
from contextlib import suppress
from zlib import crc32

import msgspec

from arena.league.store.derived.checkpoint import Checkpoint
from arena.league.store.reader import Reader
from arena.league.table.ledger import Ledger, LedgerState
from arena.league.table.ratings import Columns

VERSION = 1
"""Of everything in a checkpoint. One of any other version is ignored, and made anew: raise it with
each change of `LedgerState`, of the rows of results, or of what a set counts for."""

EVERY_MATCHES = 500
"""The matches that count, after which a further checkpoint is kept: reading so many again takes a
third of a second."""

_HEAD = struct.Struct("<HI")  # the version, and the CRC-32 of what follows


class CannotUse(ValueError):
    """The checkpoint is damaged, or of another version."""


class OtherVersion(CannotUse):
    """The checkpoint is of another version."""


def packed(ledger: Ledger) -> bytes:
    """Return the sums of a ledger as the state of a checkpoint."""
    body = msgspec.msgpack.encode(ledger.state())
    return _HEAD.pack(VERSION, crc32(body)) + body


def unpacked(kept: Checkpoint) -> LedgerState:
    """Return the sums in a checkpoint. Raises CannotUse."""
    head, body = kept.state[: _HEAD.size], kept.state[_HEAD.size :]
    if len(head) < _HEAD.size:
        raise CannotUse("it is too short")
    version, crc = _HEAD.unpack(head)
    if version != VERSION:
        raise OtherVersion(f"it is of version {version}, and this arena writes {VERSION}")
    try:
        if crc32(body) != crc:
            raise CannotUse("its sums are damaged")
        return msgspec.msgpack.decode(body, type=LedgerState)
    except msgspec.MsgspecError as error:
        raise CannotUse(str(error)) from error


def results_of(kept: Checkpoint, state: LedgerState) -> Columns:
    """Return the results that a checkpoint has counted. Raises CannotUse."""
    found, rows = Columns(), b"".join(kept.results)
    try:
        found.add_rows(state.seats, rows)
    except ValueError as error:
        raise CannotUse(str(error)) from error
    if (len(found), crc32(rows)) != (state.matches, state.crc):
        raise CannotUse("its results are not those that it counted")
    return found


def take_up(ledger: Ledger, kept: Checkpoint) -> bool:
    """Put the counts of a checkpoint into a ledger that has counted nothing; return False, and
    leave it as it is, if it cannot be used."""
    try:
        state = unpacked(kept)
        results = results_of(kept, state)
    except CannotUse:
        return False
    return ledger.take_up(state, results)


def is_due(ledger: Ledger) -> bool:
    """Tell whether so much was counted since the last checkpoint that another one is to be kept."""
    return ledger.fresh_matches >= EVERY_MATCHES


def unread_sets(reader: Reader) -> int:
    """Return the number of complete sets that an opening of this league has to read."""
    kept = reader.checkpoint()
    last_number = 0
    if kept is not None:
        with suppress(CannotUse):
            last_number = unpacked(kept).last_number
    return sum(number > last_number for number in reader.complete_numbers())
