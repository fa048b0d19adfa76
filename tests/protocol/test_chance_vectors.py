"""The games' chance against the vectors, and the vectors against the words of SPEC 13.1."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import pytest

from arena.games import chance
from tests.vectors import ChanceVector, load

each = pytest.mark.parametrize("vector", load(ChanceVector), ids=lambda vector: vector.name)


@each
def test_the_games_draw_as_the_vectors_say(vector: ChanceVector) -> None:
    seed = bytes.fromhex(vector.seed)
    stream = chance.stream(seed, vector.label, vector.counter)
    expected = bytes.fromhex(vector.stream)
    assert bytes(next(stream) for _ in expected) == expected
    draws = chance.stream(seed, vector.label, vector.counter)
    assert [chance.below(n, draws) for n in vector.below] == vector.numbers
    things = range(len(vector.shuffled))
    assert list(chance.shuffle(things, seed, vector.label, vector.counter)) == vector.shuffled


def bytes_of(vector: ChanceVector) -> Iterator[int]:
    """SPEC 13.1, step 1, word by word."""
    for block in range(2**32):
        yield from sha256(
            vector.label.encode("ascii")
            + b"\0"
            + vector.counter.to_bytes(4, "big")
            + block.to_bytes(4, "big")
            + bytes.fromhex(vector.seed)
        ).digest()


def below(n: int, stream: Iterator[int]) -> int:
    """Step 2."""
    if n == 1:
        return 0
    while (byte := next(stream)) >= 256 // n * n:
        pass
    return byte % n


@each
def test_the_vectors_are_what_the_spec_says(vector: ChanceVector) -> None:
    """[13.1-1]"""
    stream = bytes_of(vector)
    assert bytes(next(stream) for _ in range(len(vector.stream) // 2)).hex() == vector.stream
    stream = bytes_of(vector)
    assert [below(n, stream) for n in vector.below] == vector.numbers
    stream = bytes_of(vector)
    things = list(range(len(vector.shuffled)))
    for i in range(len(things) - 1, 0, -1):
        j = below(i + 1, stream)
        things[i], things[j] = things[j], things[i]
    assert things == vector.shuffled
