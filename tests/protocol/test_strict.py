from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.breach import Breach
from protocol.limits import MAX_BOT_DEPTH, MAX_BOT_VALUES
from protocol.strict import read_map, shown
from tests import strategies


@given(st.dictionaries(strategies.texts, strategies.numbers | strategies.texts | st.booleans()))
def test_a_map_of_plain_values_is_read_as_msgpack_reads_it(message: dict[str, Any]) -> None:
    body = msgpack.packb(message)
    got = read_map(body)
    assert got == msgpack.unpackb(body) == message


@given(strategies.views)
def test_nested_maps_are_read_or_refused_for_their_size_alone(view: dict[str, Any]) -> None:
    got = read_map(msgpack.packb(view))
    if isinstance(got, Breach):
        assert got.code in ("too-deep", "too-many-values")
    else:
        assert got == view


def test_as_many_values_and_as_deep_as_may_be_are_read() -> None:
    wide = {"a": [0] * (MAX_BOT_VALUES - 3)}
    assert read_map(msgpack.packb(wide)) == wide
    deep: dict[str, Any] = {}
    for _ in range(MAX_BOT_DEPTH - 1):
        deep = {"a": deep}
    assert read_map(msgpack.packb(deep)) == deep


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nil"),
        (True, "true"),
        (False, "false"),
        (7, "the number 7"),
        ("it's", '"it\'s"'),
        ('say "hi"', '"say \\"hi\\""'),
        ("狐", '"\\u72d0"'),
        ("a" * 61, '"' + "a" * 60 + '" ... (61 characters)'),
        ([1, 2], "a list of 2"),
        ({"a": 1}, "a map of 1"),
        (1.5, "a float"),
    ],
)
def test_values_are_quoted_short_in_ascii_on_one_line(value: object, words: str) -> None:
    assert shown(value) == words


@pytest.mark.parametrize("body", [b'{"type":"hello","protocol":1}', b'["hello"]', b"{}"])
def test_json_is_recognised(body: bytes) -> None:
    breach = read_map(body)
    assert isinstance(breach, Breach)
    assert breach.code == "trailing-bytes"
    assert "that is JSON, not msgpack" in breach.came
    assert breach.advice == "Pack one map with a msgpack library and send its length first."


def test_the_first_sixteen_bytes_of_json_are_shown() -> None:
    breach = read_map(b'{"type":"hello","protocol":1}')
    assert isinstance(breach, Breach)
    assert breach.came == ('the body begins "{\\"type\\":\\"hello\\",": that is JSON, not msgpack')


def test_a_byte_too_many_is_told_in_the_singular() -> None:
    breach = read_map(b"\x80\x00")
    assert isinstance(breach, Breach)
    assert breach.came == "1 more byte after byte 0"
