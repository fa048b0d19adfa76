"""Hypothesis strategies shared by tests."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from protocol.limits import MAX_NUMBER

numbers = st.integers(-MAX_NUMBER, MAX_NUMBER)

# Text the protocol takes: no control characters, no direction marks, no surrogates.
texts = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), max_size=20)

values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)

views = st.dictionaries(texts, values, max_size=6)

# Whatever msgpack can say, most of it refused by the protocol.
anything: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.binary(max_size=8)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=4) | st.integers(0, 9), inner, max_size=4)
    ),
    max_leaves=20,
)

actions = st.fixed_dictionaries(
    {
        "type": st.just("action"),
        "match": texts,
        "id": st.integers(0, MAX_NUMBER),
        "action": texts,
    },
    optional={"note": texts},
)


def cuts(data: bytes) -> st.SearchStrategy[list[bytes]]:
    """The same bytes in pieces."""
    places = st.lists(st.integers(0, len(data)), max_size=8).map(sorted)
    return places.map(
        lambda at: [data[a:b] for a, b in zip([0, *at], [*at, len(data)], strict=True)]
    )


def mutated(frame: bytes, rng: random.Random) -> bytes:
    """A frame with a few bytes changed, lost, doubled or made up; deterministic."""
    data = bytearray(frame)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(5):
            case 0 if at < len(data):
                data[at] = rng.randrange(256)
            case 1 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case 2:
                del data[at : at + rng.randrange(1, 5)]
            case 3:
                data[at:at] = rng.randbytes(rng.randrange(1, 5))
            case _:
                data[at:at] = data[at : at + rng.randrange(1, 20)]
    return bytes(data)
