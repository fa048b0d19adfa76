"""Other forms of the same message: what SPEC lets us send and a hasty reader trips on.

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
    """In the shortest forms."""
    packed: bytes = msgpack.packb(message)
    return packed


def framed(message: Map, packer: Packer = pack) -> bytes:
    """A frame of any map at all."""
    return frame(packer(message), limits.MAX_SERVER_BODY_BYTES)


def unframed(data: bytes) -> Map:
    """The map in a frame of our own encoder's."""
    message = msgpack.unpackb(data[limits.HEADER_BYTES :])
    assert isinstance(message, dict)
    return message


def with_unknown_fields(message: Map) -> Map:
    """New fields before, between and after those known (SPEC 9)."""
    known = iter(message.items())
    first, value = next(known)
    return {UNKNOWN: _ANYTHING, first: value, "note": "hi", **dict(known), "zz": None}


def with_unknown_view(message: Map) -> Map:
    """New fields in the view too."""
    return with_unknown_fields(message | {"view": with_unknown_fields(message["view"])})


def with_unknown_options(message: Map) -> Map:
    """A new option of the game, and something new about the clock."""
    return with_unknown_fields(
        message
        | {
            "options": {**message["options"], UNKNOWN: _ANYTHING},
            "clock": {**message["clock"], "weekly_ms": 7},
        }
    )


def with_unknown_limits(message: Map) -> Map:
    """A new limit."""
    return with_unknown_fields(message | {"limits": {"max_of_all": 1, **message["limits"]}})


def as_long_as_allowed(message: Map) -> Map:
    """Filled up with a new field to the last byte that a body may have."""
    filled = message | {"filler": ""}
    # A text of so many bytes has two more in its header than an empty one.
    room = limits.MAX_SERVER_BODY_BYTES - len(pack(filled)) - 2
    return message | {"filler": "x" * room}


def as_deep_as_allowed(message: Map) -> Map:
    """A new field that nests as deep as a message of ours may."""
    deep: Any = "here"
    for level in range(limits.MAX_SERVER_DEPTH - 1):
        deep = {"in": deep} if level % 2 else [deep]
    return {"deep": deep, **message}


def in_long_forms(message: Map) -> bytes:
    """Every number in nine bytes, every length in four: msgpack allows it, so SPEC 3.3 does."""
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
