"""Tokens, what is kept of them, and odd ones."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest

from arena.tokens import DRAWN, EARLIER, KnownToken, digest_of, id_of, new_token
from protocol.limits import MAX_TOKEN_CHARS

DRAWN_ONE = "0123456789ab." + "aB-_" * 10 + "xyz"
ODD = ("", "x", ".", "a.b", "\x00", "\udcff", "\u00fc\u20ac", " t\n", "x" * MAX_TOKEN_CHARS)


def test_a_drawn_token_is_an_id_and_a_secret_of_256_bits() -> None:
    one, other = new_token(), new_token()
    assert re.fullmatch(DRAWN, one)
    assert one != other
    id_, secret = one.split(".")
    assert id_of(one) == id_ != id_of(other)
    assert len(secret) * 6 >= 256
    assert len(one) <= MAX_TOKEN_CHARS


def test_nothing_of_the_secret_is_kept() -> None:
    token = new_token()
    kept = KnownToken.of(token, "2026-01-31T12:00:00Z")
    assert kept == KnownToken(
        token[:12], sha256(token.encode()).digest(), "2026-01-31T12:00:00Z", None
    )
    assert token.partition(".")[2] not in repr(kept)


def test_only_the_whole_token_is_it() -> None:
    token = new_token()
    kept = KnownToken.of(token)
    assert kept.is_of(digest_of(token))
    for other in (token[:-1], token + "x", token[:13], token.swapcase(), "", token[13:]):
        assert not kept.is_of(digest_of(other))


@pytest.mark.parametrize("token", [*ODD, "a" * 32, f"{DRAWN_ONE}\n", DRAWN_ONE.upper()])
def test_a_token_without_an_id_is_looked_up_by_part_of_a_hash(token: str) -> None:
    """Not by a part of its own: two that somebody wrote by hand may begin alike."""
    assert re.fullmatch(r"[0-9a-f]{12}", id_of(token))
    assert not token.startswith(id_of(token))
    assert not digest_of(token).hex().startswith(id_of(token))
    assert id_of(token) != id_of(token + "x")


@pytest.mark.parametrize(
    ("token", "by_hand"), [("a" * 32, None), ("a" * 31, 31), ("", 0), ("\u20ac", 3)]
)
def test_the_length_of_a_token_that_arena_did_not_draw_is_kept(
    token: str, by_hand: int | None
) -> None:
    assert KnownToken.of(token).by_hand == by_hand
    assert bool(re.fullmatch(EARLIER, token)) is (by_hand is None)


def test_a_token_is_valid_until_the_second_in_which_it_expires() -> None:
    token = KnownToken.of("t", "2026-01-31T12:00:00Z")
    assert not token.has_expired("2026-01-31T11:59:59Z")
    assert token.has_expired("2026-01-31T12:00:00Z")
    assert not KnownToken.of("t").has_expired("9999-12-31T23:59:59Z")
