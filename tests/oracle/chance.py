"""Chance, written from SPEC's description of it alone: bytes, numbers, lots and shuffles."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TypeVar

T = TypeVar("T")


def block(seed: bytes, label: str, counter: int, number: int) -> bytes:
    """One block of the stream that belongs to a label and a counter."""
    text = label.encode("ascii") + b"\0"
    text += counter.to_bytes(4, "big")
    text += number.to_bytes(4, "big")
    text += seed
    return hashlib.sha256(text).digest()


def stream(seed: bytes, label: str, counter: int) -> Iterator[int]:
    """Blocks 0, 1, 2, ... one after the other, byte by byte, without end."""
    number = 0
    while True:
        yield from block(seed, label, counter, number)
        number += 1


def below(stream_of_bytes: Iterator[int], n: int) -> int:
    """A number from 0 to n - 1, each equally likely."""
    if n == 1:
        return 0
    largest_multiple = 256
    while largest_multiple % n != 0:
        largest_multiple -= 1
    byte = next(stream_of_bytes)
    while byte >= largest_multiple:
        byte = next(stream_of_bytes)
    return byte % n


def shuffled(seed: bytes, label: str, counter: int, things: list[T]) -> list[T]:
    """A new list of the same things, in chance order."""
    stream_of_bytes = stream(seed, label, counter)
    mixed = list(things)
    for i in range(len(mixed) - 1, 0, -1):
        j = below(stream_of_bytes, i + 1)
        mixed[i], mixed[j] = mixed[j], mixed[i]
    return mixed


def dealer_by_lot(seed: bytes, seats: int) -> int:
    """The seat that deals first when nobody has said which."""
    return below(stream(seed, "dealer", 0), seats)
