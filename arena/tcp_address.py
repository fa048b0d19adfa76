"""The written form of a TCP address, here and in ARENA_CONNECT (SPEC 2.2). Text only."""

from __future__ import annotations

# A port is a number from 1 to 65535; a host in square brackets has colons of its own.
_PORT = "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
TCP_PATTERN = rf"^tcp:([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):{_PORT}\Z"
TCP_IN_WORDS = "tcp:HOST:PORT, an IPv6 host in square brackets"
TCP_EXAMPLE = "tcp:127.0.0.1:4000"
# These mean every address of the machine: a server can listen there, but nobody can dial them.
EVERYWHERE = ("0.0.0.0", "::")


def host_and_port(address: str) -> tuple[str, str]:
    """Return the host, without square brackets, and the port of an address of this form."""
    host, _, port = address.removeprefix("tcp:").rpartition(":")
    return host.removeprefix("[").removesuffix("]"), port
