"""The address that a bot's connection is counted by: of its machine, not of a proxy before us."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from ipaddress import ip_address

FORWARDED = b"x-forwarded-for"


def origin_of(peer: str, headers: Mapping[bytes, bytes], trusted: Collection[str]) -> str:
    """Return the address of the machine at the far end.

    `peer`: the address of the connection. `trusted`: proxies whose word is taken for the address
    before them. Each appends that to the list of X-Forwarded-For, so the last entry that no trusted
    proxy has is the farthest that somebody trusted has seen.
    """
    seen = plain_address(peer)
    hops = headers.get(FORWARDED, b"").decode("latin-1").split(",")
    while seen in trusted and hops:
        try:
            seen = plain_address(hops.pop().strip())
        except ValueError:  # no address; the proxy that wrote it is the last one known
            break
    return seen


def plain_address(host: str) -> str:
    """Return an address in its one written form. Raises ValueError."""
    address = ip_address(host.partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)
