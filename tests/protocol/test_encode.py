from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import given

from protocol.encode import encode, encode_request
from protocol.errors import Misuse
from protocol.limits import MAX_SERVER_BODY_BYTES
from protocol.messages import Bye, Request
from tests import strategies


@given(strategies.views)
def test_a_request_carries_any_view_unchanged(view: dict[str, Any]) -> None:
    data = encode_request("m", 5, view, ["a"], 7, 8)
    assert data == encode(Request("m", 5, view, ["a"], 7, 8))
    assert int.from_bytes(data[:4], "big") == len(data) - 4
    assert msgpack.unpackb(data[4:]) == {
        "type": "request",
        "match": "m",
        "id": 5,
        "view": view,
        "legal": ["a"],
        "time_us": 7,
        "charged_us": 8,
    }


def test_a_frame_once_made_does_not_change_with_the_next() -> None:
    first = encode(Bye("done", "a"))
    kept = bytes(first)
    encode(Bye("done", "b"))
    assert first == kept


def test_a_message_over_the_limit_is_our_own_mistake_and_says_so() -> None:
    with pytest.raises(Misuse, match=r"a Request of \d+ bytes; at most 16384 .* bug in arena"):
        encode_request("m", 1, {"a": "x" * MAX_SERVER_BODY_BYTES}, [], 0, 0)
    with pytest.raises(Misuse, match=r"a Bye of \d+ bytes; at most 16384 .* bug in arena"):
        encode(Bye("done", "x" * MAX_SERVER_BODY_BYTES))
