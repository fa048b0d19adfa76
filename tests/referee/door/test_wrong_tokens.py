"""Waits and counts of wrong tokens, by address."""

from __future__ import annotations

import socket
from itertools import count

import pytest

from arena.referee.door.wrong_tokens import (
    FIRST_SECONDS,
    GONE,
    MOST_ADDRESSES,
    MOST_NAMED,
    MOST_SECONDS,
    QUIET_SECONDS,
    WrongTokens,
    WrongTokensCount,
    address_of,
)


class Clock:
    """A clock that a test sets, in seconds."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def test_each_reply_waits_twice_as_long_as_the_one_before_up_to_a_bound() -> None:
    wrong = WrongTokens(Clock())
    waits = [wrong.add("10.0.0.7") for _ in range(8)]
    assert waits == [0.25, 0.5, 1, 2, 4, 5, 5, 5]
    assert waits[0] == FIRST_SECONDS
    assert waits[-1] == MOST_SECONDS


def test_one_address_does_not_make_another_wait() -> None:
    wrong = WrongTokens(Clock())
    for _ in range(8):
        wrong.add("10.0.0.7")
    assert wrong.add("10.0.0.8") == FIRST_SECONDS


@pytest.mark.parametrize(("quiet", "wait"), [(QUIET_SECONDS - 1, 0.5), (QUIET_SECONDS, 0.25)])
def test_an_address_that_was_quiet_begins_anew(quiet: float, wait: float) -> None:
    clock = Clock()
    wrong = WrongTokens(clock)
    wrong.add("10.0.0.7")
    clock.time += quiet
    assert wrong.add("10.0.0.7") == wait


def test_of_many_addresses_the_one_with_the_oldest_wrong_token_is_forgotten() -> None:
    wrong = WrongTokens(Clock())
    wrong.add("first")
    wrong.add("second")
    wrong.add("first")
    for number in range(MOST_ADDRESSES - 1):
        wrong.add(f"10.1.0.{number}")
    assert repr(wrong) == f"<WrongTokens from {MOST_ADDRESSES} addresses>"
    assert wrong.add("first") == 4 * FIRST_SECONDS
    assert wrong.add("second") == FIRST_SECONDS


def test_the_count_names_few_addresses_and_misses_no_connection() -> None:
    wrong = WrongTokens(Clock())
    assert wrong.take() is None
    for number in range(10 * MOST_ADDRESSES):
        wrong.add(f"address {number}")
    for times in range(1, MOST_NAMED + 1):
        for _ in range(times):
            wrong.add(f"address {times}")
    told = wrong.take()
    assert told is not None
    assert [number for _, number in told.addresses] == [6, 5, 4, 3, 2]
    named = sum(number for _, number in told.addresses)
    assert named + told.others == 10 * MOST_ADDRESSES + sum(range(1, MOST_NAMED + 1))
    assert wrong.take() is None
    assert len(wrong._untold) == 0


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (WrongTokensCount((("10.0.0.7", 1),), 0), "1 connection from 10.0.0.7 with a wrong token"),
        (
            WrongTokensCount((("10.0.0.7", 12),), 0),
            "12 connections from 10.0.0.7 with a wrong token",
        ),
        (
            WrongTokensCount((("10.0.0.7", 1_200), ("2001:db8::/64", 1)), 40),
            "1,200 connections from 10.0.0.7, 1 from 2001:db8::/64 and 40 from other addresses"
            " with a wrong token",
        ),
    ],
)
def test_the_operator_is_told_in_one_line(count: WrongTokensCount, words: str) -> None:
    assert str(count) == words


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("10.0.0.7", "10.0.0.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::ffff:10.0.0.7", "10.0.0.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::1"),
    ],
)
def test_of_ipv6_a_network_is_one_address(host: str, address: str) -> None:
    assert address_of(socket.AF_INET6, lambda: (host, 4000)) == address


def test_a_unix_socket_has_no_address_and_a_connection_that_was_reset_has_none_any_more() -> None:
    def reset() -> tuple[object, ...]:
        raise OSError

    assert address_of(socket.AF_UNIX, reset) is None
    assert address_of(socket.AF_INET, reset) == GONE


def test_a_long_attack_from_one_address_takes_no_memory() -> None:
    clock = Clock()
    wrong = WrongTokens(clock)
    for number in count():
        clock.time += 1
        wrong.add("10.0.0.7")
        if number == 10_000:
            break
    assert (len(wrong._last), len(wrong._untold)) == (1, 1)
