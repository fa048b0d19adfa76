"""Everything that is wrong with a league's file, in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, time

from arena.league.file.keys import KEYS
from arena.text import did_you_mean

_LONGEST_VALUE = 80


class BadLeague(ValueError):
    """The problems of one file, a line each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class Problems:
    """The problems found so far: all are shown at once."""

    def __init__(self) -> None:
        self.all: list[str] = []

    def __bool__(self) -> bool:
        return bool(self.all)

    def __repr__(self) -> str:
        return f"<Problems {self.all}>"

    def say(self, problem: str) -> None:
        """Add a sentence, without the name of the file."""
        self.all.append(problem)

    def must(self, name: str, table: str, of: str, came: object) -> None:
        """Add that the value of a key cannot be taken.

        `table` is where `KEYS` has the key, and `of` names that table in words, such as
        " of [clock]".
        """
        key = KEYS[table][name]
        self.say(
            f"`{name}`{of} is {shown(came)}; it must be {key.must}. For instance: {key.example}"
        )


def shown(value: object) -> str:
    """Return a value as the file has it, cut short if it is long."""
    text = _in_toml(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


def _in_toml(value: object) -> str:
    """Return a value as a file might have it."""
    match value:
        case bool():
            return "true" if value else "false"
        case list():
            return f"[{', '.join(map(_in_toml, value))}]"
        case dict():
            inside = ", ".join(f"{name} = {_in_toml(each)}" for name, each in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case date() | time():
            return value.isoformat()
    return repr(value)


def unknown(name: str, names: Iterable[str]) -> str:
    """Return the sentence about a name that no bot has."""
    known = list(names)
    hint = did_you_mean(name, known)
    return f"no bot here is called {name!r}; there are {', '.join(known)}.{hint}"
