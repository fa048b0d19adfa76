"""A second implementation of every game, written from the rules alone.

It shares nothing with `arena.games`: no table, no code, and its author had not seen the
engines. It is slow and plain on purpose, one function per sentence of the rules, so that it
can be read beside the booklets; `tests/games/test_against_oracle.py` plays both at once.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.oracle import nope, trick
from tests.oracle.nope import NopeMatch
from tests.oracle.trick import TrickMatch

__all__ = ["NopeMatch", "TrickMatch", "actions", "deal"]


def actions(name: str) -> list[str]:
    """Every action of a game, in the fixed order."""
    return nope.all_actions() if name == "nope" else trick.all_actions(trick.BOOKLETS[name])


def deal(
    name: str, seats: int, seed: bytes, options: Mapping[str, object] | None = None
) -> TrickMatch | NopeMatch:
    """The first state of a match."""
    if name == "nope":
        return NopeMatch(seats, seed, options or {})
    return TrickMatch(trick.BOOKLETS[name], seats, seed, options or {})
