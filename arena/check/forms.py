"""Other forms of the same message: SPEC allows them, and a hasty reader trips over them.

A form is a function from a message to the map that is sent; a packer turns that into bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgpack

from protocol import limits
from protocol.frames import frame

Map: TypeAlias = dict[str, Any]
Form: TypeAlias = Callable[[Map], Map]
Packer: TypeAlias = Callable[[Map], bytes]

UNKNOWN = "of_a_later_version"
# Every type of value that SPEC 3.3 has.
_ANYTHING: Map = {
    "text": "J\u00fcrgen \u2660 \U0001f0cf",
    "number": limits.MAX_NUMBER,
    "less": -limits.MAX_NUMBER,
    "yes": True,
    "nothing": None,
    "list": [1, [2, {"three": 3}], []],
    "map": {},
}


def pack(message: Map) -> bytes:
    """Pack a map in the shortest forms."""
    packed: bytes = msgpack.packb(message)
    return packed


def framed(message: Map, packer: Packer = pack) -> bytes:
    """Return a frame of any map."""
    return frame(packer(message), limits.MAX_SERVER_BODY_BYTES)


def unframed(data: bytes) -> Map:
    """Return the map in a frame of our own encoder."""
    message = msgpack.unpackb(data[limits.HEADER_BYTES :])
    assert isinstance(message, dict)
    return message


def with_unknown_fields(message: Map) -> Map:
    """Add new fields before, between and after the known ones (SPEC 9)."""
    known = iter(message.items())
    first, value = next(known)
    return {UNKNOWN: _ANYTHING, first: value, "note": "hi", **dict(known), "zz": None}


def with_unknown_view(message: Map) -> Map:
    """Add new fields to the message and to its view."""
    return with_unknown_fields(message | {"view": with_unknown_fields(message["view"])})


def with_unknown_options(message: Map) -> Map:
    """Add new fields, an option of the game, and a field of the clock."""
    return with_unknown_fields(
        message
        | {
            "options": {**message["options"], UNKNOWN: _ANYTHING},
            "clock": {**message["clock"], "weekly_ms": 7},
        }
    )


def with_unknown_limits(message: Map) -> Map:
    """Add new fields and a limit."""
    return with_unknown_fields(message | {"limits": {"max_of_all": 1, **message["limits"]}})


def as_long_as_allowed(message: Map) -> Map:
    """Add a new field that fills the body to the last byte it may have."""
    filled = message | {"filler": ""}
    # The header of a text of this length is two bytes longer than that of an empty text.
    room = limits.MAX_SERVER_BODY_BYTES - len(pack(filled)) - 2
    return message | {"filler": "x" * room}


def as_deep_as_allowed(message: Map) -> Map:
    """Add a new field that nests as deep as a message of ours may."""
    deep: Any = "here"
    for level in range(limits.MAX_SERVER_DEPTH - 1):
        deep = {"in": deep} if level % 2 else [deep]
    return {"deep": deep, **message}


def in_long_forms(message: Map) -> bytes:
    """Pack numbers in nine bytes and lengths in four: msgpack allows it, and so does SPEC 3.3."""
    out = bytearray()
    _long(message, out)
    return bytes(out)


def _long(value: object, out: bytearray) -> None:
    match value:
        case None | bool():
            out += pack_one(value)
        case int():
            out += b"\xcf" if value >= 0 else b"\xd3"
            out += value.to_bytes(8, "big", signed=value < 0)
        case str():
            data = value.encode()
            out += b"\xdb" + len(data).to_bytes(4, "big") + data
        case Mapping():
            out += b"\xdf" + len(value).to_bytes(4, "big")
            for key, each in value.items():
                _long(key, out)
                _long(each, out)
        case list() | tuple():
            out += b"\xdd" + len(value).to_bytes(4, "big")
            for each in value:
                _long(each, out)
        case _:
            raise TypeError(value)


def pack_one(value: object) -> bytes:
    packed: bytes = msgpack.packb(value)
    return packed
