"""Bodies as they are shown to people."""

from __future__ import annotations

import msgpack
import pytest

from arena.check.opponent import shown_body


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (msgpack.packb({"type": "action", "id": 3}), '{"type":"action","id":3}'),
        (msgpack.packb({1: [True, None, "\u00e9"]}), '{"1":[true,null,"\\u00e9"]}'),
        (msgpack.packb([1, 2]), "[1,2]"),
        (b"", ""),
        (b"\xc1", "c1"),
        (msgpack.packb(b"raw"), "c4 03 72 61 77"),
        (b"\x81\x01", "81 01"),
        (b"\x01\x02", "01 02"),
        (msgpack.packb("x" * 398), '"' + "x" * 398 + '"'),
        (msgpack.packb("x" * 399), '"' + "x" * 399 + " ..."),
        (b"\xc1" * 134, ("c1 " * 134)[:400] + " ..."),
    ],
)
def test_a_body_is_shown_as_json_or_as_bytes_and_cut_after_400_characters(
    body: bytes, shown: str
) -> None:
    assert shown_body(body) == shown
