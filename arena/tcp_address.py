"""The written form of the addresses at which bots dial in, here and in ARENA_CONNECT (SPEC 2.2).

Text only."""

from __future__ import annotations

import re

# A port is a number from 1 to 65535; a host in square brackets has colons of its own.
_PORT = "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
_HOST = r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])"
TCP_PATTERN = rf"^tcp:{_HOST}:{_PORT}\Z"
TCP_IN_WORDS = "tcp:HOST:PORT, an IPv6 host in square brackets"
SCHEDULER_PATTERN = rf"^(tcp|tls)://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):{_PORT}\Z"
SCHEDULER_IN_WORDS = "tls://HOST:PORT, or tcp://HOST:PORT in a network of one's own"
TCP_EXAMPLE = "tcp:127.0.0.1:4000"
# Addresses for authors; a path has nothing in it that a shell would take for its own.
DIAL_PATTERN = rf"^((tcp|tls):{_HOST}:{_PORT}|wss://{_HOST}(:{_PORT})?(/[A-Za-z0-9._~/-]*)?)\Z"
DIAL_IN_WORDS = "tcp:HOST:PORT, tls:HOST:PORT or wss://HOST/PATH, an IPv6 host in square brackets"
# These mean every address of the machine: a server can listen there, but nobody can dial them.
EVERYWHERE = ("0.0.0.0", "::")


def host_of(address: str) -> str:
    """Return the host, without square brackets, of an address that may be told to authors."""
    if address.startswith("wss://"):
        place = address.removeprefix("wss://").partition("/")[0]
        has_port = not place.endswith("]") and ":" in place
        address = f"tcp:{place if has_port else f'{place}:443'}"
    return host_and_port(address.replace("tls:", "tcp:", 1))[0]


def is_scheduler(address: str) -> bool:
    """Tell whether a text is an address of a scheduler."""
    return re.match(SCHEDULER_PATTERN, address) is not None


def host_and_port(address: str) -> tuple[str, str]:
    """Return the host, without square brackets, and the port of an address of this form."""
    host, _, port = address.removeprefix("tcp:").rpartition(":")
    return host.removeprefix("[").removesuffix("]"), port
