"""What is raised, and by whom it was caused.

    ProtocolError
    ├── Misuse      you broke it: this end was asked to send what may not be sent
    └── Breached    they broke it: carries the Breach

The server's end raises only Misuse: what a bot does comes back as a value.
"""

from __future__ import annotations

from protocol.breach import Breach


class ProtocolError(Exception):
    """The root of both."""


class Misuse(ProtocolError):
    """You broke it; nothing was sent."""


class Breached(ProtocolError):
    """They broke it, and this connection cannot go on."""

    def __init__(self, breach: Breach):
        self.breach = breach
        super().__init__(breach.text)
