"""What can come of asking a seat: ordinary values, because bad bots are ordinary."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from protocol.breach import Breach


class Chose(Struct, frozen=True):
    """A legal action, in time."""

    action: str
    took_us: int
    note: str


class Failed(Struct, frozen=True):
    """No action: `breach` says why, its kind what it is (late, unreadable, illegal, gone)."""

    breach: Breach
    took_us: int
    reply: bytes  # the body that came, if one did


class Lagged(Struct, frozen=True):
    """It would have been late, but this machine was slow meanwhile: nobody can say (SPEC 6.5)."""

    took_us: int
    lag_us: int


Reply: TypeAlias = Chose | Failed | Lagged
