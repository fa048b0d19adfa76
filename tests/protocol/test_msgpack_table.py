"""SPEC 3.4: the table of first bytes is enough to read every value, and says what msgpack says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgpack
import pytest

from tests import spec, spec_games

ROWS = [*spec_games.replayed(spec.SPEC.read_text(), "msgpack")]
# For each way in which a row says what follows, the bytes that hold a number or a length.
WIDTHS = {"1 byte": 1, "2 bytes": 2, "4 bytes": 4, "8 bytes": 8}


def row_of() -> Mapping[int, dict[str, str]]:
    """By first byte, its row; no byte has two."""
    found: dict[int, dict[str, str]] = {}
    for row in ROWS:
        ends = [int(byte, 16) for byte in row["first byte"].split(" to ")]
        for byte in range(ends[0], ends[-1] + 1):
            assert byte not in found
            found[byte] = row
    return found


BY_BYTE = row_of()


class Reader:
    """Reads a value by what the table says and by nothing else."""

    def __init__(self, data: bytes):
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def value(self) -> Any:
        (first,) = self.take(1)
        row = BY_BYTE[first]
        kind, come = row["value"].split(":")[0].split(",")[0], row["then come"]
        low = re.search(r"the low (four|five) bits", row["value"])
        width = next((WIDTHS[each] for each in WIDTHS if each in come), 0)
        if low is not None:
            size = first & {"four": 0x0F, "five": 0x1F}[low[1]]
        else:
            size = int.from_bytes(self.take(width), "big", signed=come.endswith(", signed"))
        if kind.startswith("a number"):
            signed = "signed" in row["value"]
            return size if width else int.from_bytes(bytes([first]), "big", signed=signed)
        if kind.startswith("a text"):
            return self.take(size).decode()
        if kind.startswith("a list"):
            return [self.value() for _ in range(size)]
        if kind.startswith("a map"):
            return {self.value(): self.value() for _ in range(size)}
        return {"nil": None, "false": False, "true": True}[kind]


NUMBERS = [
    *(0, 1, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**53 - 1),
    *(-1, -32, -33, -128, -129, -32768, -32769, -(2**31), -(2**31) - 1, -(2**53) + 1),
]
VALUES = [
    *NUMBERS,
    *("x" * size for size in (0, 31, 32, 255, 256, 65536)),
    "é€",
    *([7] * size for size in (0, 15, 16, 65536)),
    *({str(number): number for number in range(size)} for size in (0, 15, 16, 65536)),
    {"a": [None, True, False, {"b": ["c", -5]}]},
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:20])
def test_the_table_is_enough_to_read_what_msgpack_writes(value: object) -> None:
    reader = Reader(msgpack.packb(value))
    assert reader.value() == value
    assert reader.at == len(reader.data)


@pytest.mark.parametrize(
    ("longer", "value"),
    [("cc07", 7), ("cf0000000000000007", 7), ("d3fffffffffffffff9", -7), ("da000161", "a")],
)
def test_the_table_is_enough_to_read_longer_forms(longer: str, value: object) -> None:
    data = bytes.fromhex(longer)
    assert Reader(data).value() == value == msgpack.unpackb(data)


def test_the_bytes_without_a_row_are_those_that_may_not_come() -> None:
    text = spec.SPEC.read_text().partition("Of the bytes that are left, ")[2].partition("\n")[0]
    named: set[int] = set()
    for part in text.replace(" and `", ", `").split(","):
        ends = [int(byte, 16) for byte in re.findall("`(..)`", part)]
        if ends:
            named |= {*range(ends[0], ends[-1] + 1)}
    assert named == {*range(256)} - {*BY_BYTE}
