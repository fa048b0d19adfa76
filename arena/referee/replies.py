"""What can come of asking a seat: ordinary values, because bad bots are ordinary."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from protocol.breach import Breach


# One is made for each decision, of atoms: the collector has nothing to look for in it.
class Chose(Struct, frozen=True, gc=False):
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
    ruling: Failed  # what it is where no match may be void any more


class Broken(Struct, frozen=True):
    """We failed, by a bug of ours, met at one connection (SPEC 4.8, `server-error`)."""

    error: Exception


Reply: TypeAlias = Chose | Failed | Lagged | Broken
