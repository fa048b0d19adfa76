"""The exceptions of both ends, by the side that caused them.

    ProtocolError
    ├── Misuse      our own program broke the protocol: it asked for a message not allowed now
    └── Breached    the other side broke it: carries the Breach

The server's end raises only Misuse: the breaches of a bot are returned as values.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from protocol.breach import Breach


class ProtocolError(Exception):
    """The root of both exceptions."""


class Misuse(ProtocolError):
    """Our own program broke the protocol; nothing was sent."""


class Breached(ProtocolError):
    """The other side broke the protocol, and this connection cannot go on."""

    def __init__(self, breach: Breach):
        self.breach = breach
        super().__init__(breach.text)
