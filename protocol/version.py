"""The number of the protocol spoken here, and which numbers are understood.

It goes up when a bot that did everything right would no longer do so (SPEC 9). New messages
and new fields of the server's do not raise it: bots ignore what they do not know.
"""

from __future__ import annotations

VERSION = 1

# Every number a hello may give.
SPOKEN = (1,)
