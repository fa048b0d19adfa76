"""The number of the protocol spoken here, and the numbers that the server accepts.

It goes up when a correct bot would no longer be correct (SPEC 9). New messages from the server
and new fields in them do not raise it: bots ignore those that they do not know.
"""

from __future__ import annotations

VERSION = 1

# Every number that a hello may name.
SPOKEN = (1,)
