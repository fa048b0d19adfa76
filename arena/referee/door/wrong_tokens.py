"""Wrong tokens, counted by address; the reply to each waits longer than the one before it.

A program that tries again and again, with a token that is mistyped, expired or revoked, costs
less that way. It is no defence against guessing, which the length of a token is. Right tokens
never come here: whoever has one is admitted at once, at any address.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import IPv6Address, IPv6Network, ip_address

from msgspec import Struct

# The wait for the first reply to an address, doubled for each one after it, and the longest wait.
FIRST_SECONDS, MOST_SECONDS = 0.25, 5.0
# After so long without a wrong token an address begins anew.
QUIET_SECONDS = 60.0
# Addresses remembered; one more, and that with the oldest wrong token is forgotten. Somebody with
# more addresses than that waits less, and costs a lookup for each connection as before.
MOST_ADDRESSES = 256
# The addresses that the operator is told by name, those with most connections.
MOST_NAMED = 5
# Of a network that one subscriber has.
IPV6_PREFIX = 64
GONE = "an address that is gone"


class WrongTokensCount(Struct, frozen=True):
    """Connections with a wrong token since the last count."""

    addresses: tuple[tuple[str, int], ...]  # those with most connections, with their numbers
    others: int  # connections from all other addresses

    def __str__(self) -> str:
        parts = [
            f"{number:,}{_connections(number) if place == 0 else ''} from {address}"
            for place, (address, number) in enumerate(self.addresses)
        ]
        if self.others:
            parts.append(f"{self.others:,} from other addresses")
        words = ", ".join(parts[:-1])
        return f"{f'{words} and ' if words else ''}{parts[-1]} with a wrong token"


def _connections(number: int) -> str:
    return " connection" if number == 1 else " connections"


class WrongTokens:
    """The latest addresses with wrong tokens. `now` returns seconds of a clock that never goes
    back."""

    def __init__(self, now: Callable[[], float]):
        self._now = now
        # By address the last wait and the time of the last wrong token, the oldest first.
        self._last: dict[str, tuple[float, float]] = {}
        self._untold: dict[str, int] = {}
        self._untold_others = 0

    def __repr__(self) -> str:
        return f"<WrongTokens from {len(self._last)} addresses>"

    def add(self, address: str) -> float:
        """Count a wrong token, and return the seconds that its reply has to wait."""
        now = self._now()
        waited, at = self._last.pop(address, (0.0, now))
        seconds = FIRST_SECONDS
        if waited and now - at < QUIET_SECONDS:
            seconds = min(2 * waited, MOST_SECONDS)
        self._last[address] = (seconds, now)
        if len(self._last) > MOST_ADDRESSES:
            del self._last[next(iter(self._last))]
        if address in self._untold or len(self._untold) < MOST_ADDRESSES:
            self._untold[address] = self._untold.get(address, 0) + 1
        else:
            self._untold_others += 1
        return seconds

    def take(self) -> WrongTokensCount | None:
        """Return the count since the last call; None if there was no wrong token."""
        if not self._untold:
            return None
        most = sorted(self._untold.items(), key=lambda each: -each[1])
        others = self._untold_others + sum(number for _, number in most[MOST_NAMED:])
        self._untold, self._untold_others = {}, 0
        return WrongTokensCount(tuple(most[:MOST_NAMED]), others)


def address_of(family: int, peer: Callable[[], tuple[object, ...]]) -> str | None:
    """Return the address that wrong tokens are counted by; None for a Unix socket.

    `peer`: getpeername of the socket. Of IPv6 it is the network of one subscriber.
    """
    if family == socket.AF_UNIX:
        return None
    try:
        host = str(peer()[0])
    except OSError:  # reset by the other side
        return GONE
    return counted_address(host)


def counted_address(host: str) -> str:
    """Return the address that something of this host is counted by: of IPv6 that of its network."""
    address = ip_address(host.partition("%")[0])
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    if address.is_loopback:
        return str(address)
    return str(IPv6Network((address, IPV6_PREFIX), strict=False))
