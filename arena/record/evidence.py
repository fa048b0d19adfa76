"""The evidence of one fault: everything that the author of the bot needs to find its cause.

Kept for the author and the operator; published pages show the kind, the texts and the request.
On disk it is an array, so new fields are added at the end, with a default.
"""

from __future__ import annotations

from msgspec import Struct


class Evidence(Struct, frozen=True, array_like=True):
    """One fault of one seat, the exchange it came from, and the output of its process."""

    seat: int
    move: int  # the number of moves played before the fault
    kind: str
    code: str
    text: str  # for people
    came: str
    expected: str
    request: bytes  # the frame of the request; empty if there was none
    reply: bytes  # the body of the reply; empty if none came
    legal: tuple[str, ...]
    played: str  # the action that the referee played in its place, or ""
    allowed_us: int
    took_us: int
    stdout: str = ""  # the kept parts of its output
    stderr: str = ""
    exit: str = ""  # the end of its process in words, or ""
