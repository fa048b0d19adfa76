"""The replies to a request: ordinary values, not exceptions, because bad bots are ordinary."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from protocol.breach import Breach


# One is made for each decision and holds no references, so the garbage collector skips it.
class Chose(Struct, frozen=True, gc=False):
    """A legal action, in time."""

    action: str
    took_us: int
    note: str


class Failed(Struct, frozen=True):
    """No action; `breach` holds the kind (late, unreadable, illegal, gone) and the reason."""

    breach: Breach
    took_us: int
    reply: bytes  # the body that came, if one did


class Lagged(Struct, frozen=True):
    """Late, but this machine was slow meanwhile, so the lateness may be ours (SPEC 6.5); or gone,
    because a door of ours has ended."""

    took_us: int
    lag_us: int
    ruling: Failed  # the ruling that stands where the match may not be void any more


class Broken(Struct, frozen=True):
    """A bug of ours, met at one connection (SPEC 4.8, `server-error`)."""

    error: Exception


Reply: TypeAlias = Chose | Failed | Lagged | Broken
