"""The address that the authors of bots are told, and whether it may lead nowhere."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import ip_address
from threading import Thread

from arena.league.model.config import League
from arena.tcp_address import EVERYWHERE, host_and_port
from arena.text import listed

# The longest wait for the addresses of this machine's name: a league may be held up meanwhile, and
# where no name server answers, the system would try for half a minute.
LOOKUP_SECONDS = 2.0


def to_dial(league: League) -> str:
    """Return the address at which bots dial in to a league that listens.

    That is its `address`, or else `listen`; there a wildcard becomes the name of this machine, as
    this machine knows it.
    """
    assert league.listen is not None  # checked with the file
    host, port = host_and_port(league.listen)
    at_home = f"tcp:{socket.gethostname()}:{port}" if host in EVERYWHERE else league.listen
    return league.address or at_home


def addresses_of(host: str) -> Sequence[str]:
    """Return the IP addresses of a host; none if no answer comes in time."""
    found: list[str] = []

    def look_up() -> None:
        with suppress(OSError, UnicodeError):
            found.extend(str(each[4][0]) for each in socket.getaddrinfo(host, None))

    thread = Thread(target=look_up, daemon=True)  # nothing can cut a lookup short
    thread.start()
    thread.join(LOOKUP_SECONDS)
    return [*dict.fromkeys(found)]


def doubt(
    league: League, addresses: Callable[[str], Sequence[str]] = addresses_of
) -> Sequence[str]:
    """Return a line for the operator if bots on other machines cannot use the address that is
    told; none if nothing is known against it.

    Only a name that arena chose itself is looked at. `addresses`: returns those of a host.
    """
    assert league.listen is not None  # checked with the file
    host, port = host_and_port(league.listen)
    if league.address is not None or host not in EVERYWHERE:
        return ()
    name = socket.gethostname()
    found = addresses(name)
    if not all(ip_address(each).is_loopback for each in found):
        return ()
    why = f"is {listed(found)} here, which is this machine alone" if found else "has no address"
    return (
        f"warning: bots on other machines may not reach {to_dial(league)}: the name {name} {why};"
        f' write address = "tcp:HOST:{port}" into the league\'s file, with a HOST that they can'
        " reach",
    )
