"""The address of a bot: its own, or what proxies that are trusted say of it."""

from __future__ import annotations

import pytest

from arena.door.origin import origin_of

TRUSTED = {"127.0.0.1", "10.0.0.2"}


@pytest.mark.parametrize(
    ("peer", "forwarded", "origin"),
    [
        ("198.51.100.7", b"", "198.51.100.7"),
        ("198.51.100.7", b"203.0.113.9", "198.51.100.7"),  # anybody can say that
        ("127.0.0.1", b"", "127.0.0.1"),
        ("127.0.0.1", b"203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", b"192.0.2.1, 203.0.113.9", "203.0.113.9"),  # the first is the bot's word
        ("127.0.0.1", b"192.0.2.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("127.0.0.1", b"10.0.0.2", "10.0.0.2"),
        ("127.0.0.1", b"2001:db8::0:1", "2001:db8::1"),
        ("::ffff:127.0.0.1", b"203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", b"unknown", "127.0.0.1"),
        ("127.0.0.1", b"\xff, ", "127.0.0.1"),
        ("fe80::1%eth0", b"", "fe80::1"),
    ],
)
def test_the_origin_is_the_farthest_address_that_somebody_trusted_has_seen(
    peer: str, forwarded: bytes, origin: str
) -> None:
    assert origin_of(peer, {b"x-forwarded-for": forwarded}, TRUSTED) == origin
