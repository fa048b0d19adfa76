"""Options of a game: typed, with a default, bounds, and words for people.

An option reads a value as it came (from a file, a command line, the wire) and gives it back
in one form, or refuses it with a sentence that names the allowed values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Protocol, TypeAlias

from arena.games.errors import BadOption
from arena.text import did_you_mean

Value: TypeAlias = int | str | bool | list[int] | None

# Far more rounds or turns than anyone will play, and it fits every language's integer.
LARGEST = 2**31 - 1


class OptionKind(Protocol):
    """The values an option takes."""

    def allowed(self, seats: int) -> str:
        """The values in words, for this table size."""

    def read(self, value: object, seats: int) -> Value:
        """The value in its one form; raises ValueError if this option cannot have it."""


def whole(value: object) -> int:
    """The plain int of a whole number of any type; raises ValueError for anything else, truth
    values too."""
    if isinstance(value, bool):
        raise ValueError(value)
    try:
        return index(value)  # type: ignore[arg-type]  # is what is tried
    except TypeError:
        raise ValueError(value) from None


@dataclass(frozen=True)
class WholeNumber:
    """A whole number from `least` to `most`; with `off`, also nil."""

    least: int = 1
    most: int = LARGEST
    off: bool = False

    def allowed(self, seats: int) -> str:
        bounds = f"a whole number from {self.least} to {self.most}"
        return bounds + " or nil" if self.off else bounds

    def read(self, value: object, seats: int) -> Value:
        if value is None and self.off:
            return None
        number = whole(value)
        if not self.least <= number <= self.most:
            raise ValueError(value)
        return number


@dataclass(frozen=True)
class OneOf:
    """One of a few words."""

    words: tuple[str, ...]

    def allowed(self, seats: int) -> str:
        return " or ".join(f'"{word}"' for word in self.words)

    def read(self, value: object, seats: int) -> Value:
        if isinstance(value, str) and value in self.words:
            return value
        raise ValueError(value)


@dataclass(frozen=True)
class Flag:
    """A truth value."""

    def allowed(self, seats: int) -> str:
        return "true or false"

    def read(self, value: object, seats: int) -> Value:
        if isinstance(value, bool):
            return value
        raise ValueError(value)


@dataclass(frozen=True)
class SeatOrLot:
    """A seat of the table, or nil: then it is drawn by lot."""

    def allowed(self, seats: int) -> str:
        return f"a seat from 0 to {seats - 1}, or nil for a lot"

    def read(self, value: object, seats: int) -> Value:
        if value is None:
            return None
        seat = whole(value)
        if not 0 <= seat < seats:
            raise ValueError(value)
        return seat


@dataclass(frozen=True)
class Option:
    """One thing about a game that a league may set."""

    name: str
    kind: OptionKind
    default: Value
    default_in_words: str
    meaning: str


def in_words(value: object) -> str:
    """A value as people type it, and as SPEC.md calls it."""
    if value is None:
        return "nil"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def read_options(
    game: str, options: Sequence[Option], given: Mapping[str, object], seats: int, where: str
) -> dict[str, Value]:
    """Every option of the game with its value: the one given, or its default.

    BadOption names the first wrong option, its value and the values that would do.
    """
    known = {option.name: option for option in options}
    if not isinstance(given, Mapping):
        raise BadOption(
            f"the options of {game} are a map of names and values; got {given!r}",
            came=given,
            allowed=known,
            where=where,
        )
    for name in given:
        if name not in known:
            raise BadOption(
                f"{game} has no option {name!r}; its options are: {', '.join(known)}."
                + did_you_mean(name, known),
                came=name,
                allowed=known,
                where=where,
            )
    values = {}
    for name, option in known.items():
        value = given.get(name, option.default)
        try:
            values[name] = option.default if name not in given else option.kind.read(value, seats)
        except ValueError:
            allowed = option.kind.allowed(seats)
            raise BadOption(
                f"option {name!r} of {game} with {seats} seats is {allowed}; got {in_words(value)}",
                came=value,
                allowed=(allowed,),
                where=where,
            ) from None
    return values
