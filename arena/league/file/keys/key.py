"""One key of league.toml, and the kinds of values that several keys have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec

from arena.bots.botfile import NAME_PATTERN

MOST_SETS = 1_000_000  # the whole schedule is planned, stored and kept in memory
MOST_AT_ONCE = 10_000

NAME = Annotated[str, msgspec.Meta(pattern=NAME_PATTERN)]
TEXT = Annotated[str, msgspec.Meta(pattern=r"^[^\0]+\Z")]
ELO = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]


@dataclass(frozen=True)
class Key:
    """One key of the file."""

    type: object
    """A type for msgspec. A union of text and map must not have bounds in it, because msgspec
    0.22.0 corrupts memory then: its bounds are checked by the code that reads the key."""
    must: str
    default: str | None  # in words; "": there is none; None: the key cannot be left out
    example: str
    why: str


def number(least: int, most: int, default: str, example: str, why: str) -> Key:
    """Return the key of a whole number in this range."""
    kind = Annotated[int, msgspec.Meta(ge=least, le=most)]
    return Key(kind, f"a whole number from {least} to {most}", default, example, why)


def flag(default: bool, example: str, why: str) -> Key:
    """Return the key of something that is so or not."""
    return Key(bool, "true or false", "true" if default else "false", example, why)
