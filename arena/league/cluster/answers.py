"""Decoding of whatever a worker answers: each answer is decoded here, and a bad one is BadReply."""

from __future__ import annotations

from typing import Any

from arena.league.worker.messages import opened
from arena.league.worker.sealed import Sealed

# Far more than the matches of a set and what its bots printed: those of 24 matches, each with
# notes and faults, are some megabytes.
MOST_REPLY_BYTES = 67_108_864
# The text is shown to people, and quotes what a worker wrote.
MOST_WHY_CHARS = 500


class BadReply(Exception):
    """A worker brought something that it was not asked for; the text says what."""

    def __init__(self, why: str) -> None:
        super().__init__(why if len(why) <= MOST_WHY_CHARS else f"{why[:MOST_WHY_CHARS]}...")


def answer_in(answer: object, type_: Any) -> Any:
    """Decode an answer as a message of this type. Raises BadReply."""
    if not isinstance(answer, Sealed):
        raise BadReply(f"an answer of type {type(answer).__name__}")
    data = answer.open()
    if not isinstance(data, bytes):
        raise BadReply(f"an answer that seals a {type(data).__name__}")
    if len(data) > MOST_REPLY_BYTES:
        raise BadReply(f"an answer of {len(data):,} bytes, where {MOST_REPLY_BYTES:,} are the most")
    try:
        return opened(answer, type_)
    # Bytes of another machine: besides the errors of msgpack and of UTF-8, those of our own hooks
    # for types and too deep a nesting.
    except Exception as error:
        raise BadReply(f"an answer that cannot be read: {error}") from error
