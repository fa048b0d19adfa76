"""The addresses at which a door listens, and the referee that it hands bots to. Text only."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from arena.tcp_address import TCP_PATTERN, host_and_port

EXAMPLE = "wss:0.0.0.0:443"


class Way(StrEnum):
    """The protocol between a bot and the door."""

    TLS = "tls"  # frames in TLS
    WSS = "wss"  # WebSocket messages in TLS
    WS = "ws"  # WebSocket messages, behind a proxy that has taken the TLS off


IN_WORDS = "tls:HOST:PORT, wss:HOST:PORT or ws:HOST:PORT, an IPv6 host in square brackets"


@dataclass(frozen=True)
class ListenPlace:
    """An address at which a door listens; port 0 takes a free one."""

    way: Way
    host: str
    port: int

    @classmethod
    def of(cls, text: str) -> ListenPlace:
        """Read an address. Raises ValueError with an example."""
        way, _, rest = text.partition(":")
        if way not in [*Way] or not re.match(TCP_PATTERN, f"tcp:{rest}"):
            raise ValueError(f"{text!r} is not {IN_WORDS}. For instance: {EXAMPLE}")
        host, port = host_and_port(f"tcp:{rest}")
        return cls(Way(way), host, int(port))

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.way}:{host}:{self.port}"

    @property
    def is_encrypted(self) -> bool:
        """True if it needs a certificate."""
        return self.way is not Way.WS
