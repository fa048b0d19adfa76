"""Records as bytes and back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgpack
import pytest
from msgspec import Struct
from msgspec.structs import replace

from arena.record import BadRecord, FaultEntry, Move, Note, Record, dump, from_json, load, to_json
from arena.record.timing import BotClock
from tests.play import random_record

RECORD = replace(
    random_record("nyet", 4),
    match="m-1",
    notes=(Note(3, "hm"),),
    faults=(FaultEntry(2, 5, "late", "out-of-time", "too late", True),),
    forfeits=(2,),
    nonce="00ff",
    clocks=(None, BotClock(5000, 60_000, 9000), None, None),
)


def test_a_record_survives_msgpack_and_json() -> None:
    assert load(dump(RECORD)) == RECORD
    assert from_json(to_json(RECORD)) == RECORD
    assert from_json(to_json(RECORD).encode()) == RECORD


def test_a_record_tells_the_clock_of_each_seat_that_had_one_of_its_own() -> None:
    assert RECORD.clock_of(1) == BotClock(5000, 60_000, 9000)
    assert RECORD.clock_of(0) is None
    assert replace(RECORD, clocks=()).clock_of(1) is None


def test_a_record_without_a_place_for_the_clock_of_each_seat_is_refused() -> None:
    with pytest.raises(BadRecord, match="2 clocks for 4 seats"):
        load(dump(replace(RECORD, clocks=(None, None))))


def test_a_record_is_arrays_and_not_maps() -> None:
    """So that a match of 80 moves is about a kilobyte."""
    unpacked = msgpack.unpackb(dump(RECORD))
    assert unpacked[:4] == ["arena-record", 1, "nyet", 4]
    assert unpacked[7][0] == [RECORD.moves[0].seat, RECORD.moves[0].action, RECORD.moves[0].time_us]
    assert len(dump(RECORD)) < 14 * len(RECORD.moves)


def test_fields_that_an_older_record_lacks_have_their_defaults() -> None:
    older = json.loads(to_json(RECORD))[:11]
    assert from_json(json.dumps(older)) == replace(
        RECORD,
        match="",
        notes=(),
        faults=(),
        forfeits=(),
        nonce="",
        annulled=None,
        confinement="",
        clocks=(),
    )


def test_a_move_without_a_time_took_none() -> None:
    told = json.loads(to_json(RECORD))
    told[7] = [[seat, action] for seat, action, _ in told[7]]
    untimed = tuple(replace(move, time_us=0) for move in RECORD.moves)
    assert from_json(json.dumps(told)).moves == untimed


def test_a_record_of_another_version_says_what_reads_it() -> None:
    with pytest.raises(BadRecord, match="of version 2, and this program reads version 1"):
        load(dump(replace(RECORD, version=2)))


@pytest.mark.parametrize(
    "data", [b"", b"\xc1", b"\x80", b"\x93\x01\x02\x03", dump(RECORD)[:-1], b"\xff" * 40]
)
def test_bytes_that_are_no_record_are_refused(data: bytes) -> None:
    with pytest.raises(BadRecord, match="no record"):
        load(data)
    with pytest.raises(BadRecord, match="no record"):
        from_json(data)


def test_something_else_of_the_same_shape_is_refused() -> None:
    with pytest.raises(BadRecord, match="begins with 'another'"):
        load(dump(replace(RECORD, format="another")))
    with pytest.raises(BadRecord, match="not hexadecimal"):
        load(dump(replace(RECORD, seed="xyz")))


def test_json_nested_too_deep_is_no_record() -> None:
    with pytest.raises(BadRecord, match="no record"):
        from_json("[" * 100_000)


DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "records.md"


@pytest.mark.parametrize(
    ("chapter", "struct"),
    [("The record", Record), ("A move", Move), ("A note", Note), ("A fault", FaultEntry)],
)
def test_every_item_is_documented_in_its_order(chapter: str, struct: type[Struct]) -> None:
    text = DOCUMENT.read_text().split(f"## {chapter}\n")[1].split("\n## ")[0]
    assert tuple(re.findall(r"^\| `(\w+)`", text, re.MULTILINE)) == struct.__struct_fields__
