"""Tokens of bots that dial in, struck out of what is entered.

A hello that comes in the middle of a match is a fault, and its bytes are the evidence; they hold
the token that proves who the bot is. A bot may also write it into a note, or name it as its author,
which everybody reads. Only hashes of tokens are known, so all that has the form of a token is
hashed and looked up.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256
from typing import Any, TypeVar

import msgspec

from arena.tokens import DRAWN, EARLIER, KnownToken

# One for each byte of a token, so that lengths told beside texts and bytes stay right.
IN_ITS_PLACE = b"*"
# A look ahead finds every place where a token may begin, also inside a longer word.
_FORMS = tuple(re.compile(rf"(?=({form}))".encode()) for form in (DRAWN, EARLIER))

T = TypeVar("T", bound=msgspec.Struct)


def without_tokens(told: T, tokens: Collection[KnownToken]) -> T:
    """Return it with asterisks in the place of each of these tokens."""
    if not tokens:
        return told
    packed = msgspec.msgpack.encode(told)
    found = {*_found_in(packed, tokens)}
    if not found:
        return told
    # Only values are changed: a token that somebody wrote by hand may be the name of a field.
    hidden = _without(msgspec.msgpack.decode(packed), found)
    return msgspec.msgpack.decode(msgspec.msgpack.encode(hidden), type=type(told))


def _found_in(packed: bytes, tokens: Collection[KnownToken]) -> Iterator[bytes]:
    hashes = {token.hash for token in tokens}
    lengths = {token.by_hand for token in tokens if token.by_hand}
    any_bytes = (re.compile(rb"(?=(.{%d}))" % length, re.DOTALL) for length in lengths)
    for form in (*_FORMS, *any_bytes):
        for match in form.finditer(packed):
            if sha256(match[1]).digest() in hashes:
                yield match[1]


def _without(value: Any, tokens: Iterable[bytes]) -> Any:
    """Return a copy of a value of msgpack without these tokens in its texts and bytes."""
    match value:
        case dict():
            return {key: _without(each, tokens) for key, each in value.items()}
        case list():
            return [_without(each, tokens) for each in value]
        case str():
            hidden: bytes = _without(value.encode(), tokens)
            return hidden.decode()
        case bytes():
            for token in tokens:
                value = value.replace(token, IN_ITS_PLACE * len(token))
            return value
        case _:
            return value
