"""The formats that a league can be played in.

A planner is imported when a league of its format is met: a reader of tables needs only one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import cast

from arena.league.model.terms import LeagueTerms
from arena.league.plan.format import Format

MODULES: Mapping[str, tuple[str, str]] = {
    "round-robin": ("round_robin", "RoundRobin"),
    "gauntlet": ("round_robin", "Gauntlet"),
    "swiss": ("swiss", "Swiss"),
    "knockout": ("knockout", "Knockout"),
    "ladder": ("ladder", "OpenLadder"),
}
"""By the name that `format` has in league.toml: a module beside this one, and its planner."""


class NoLineUp(ValueError):
    """No table can be filled; the text gives the reason and the remedy."""


class Formats(Mapping[str, type[Format]]):
    """The planners by name, each imported when it is asked for."""

    def __repr__(self) -> str:
        return f"<Formats {', '.join(MODULES)}>"

    def __getitem__(self, name: str) -> type[Format]:
        module, planner = MODULES[name]
        return cast("type[Format]", getattr(import_module(f"arena.league.plan.{module}"), planner))

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)


FORMATS: Mapping[str, type[Format]] = Formats()


def format_of(terms: LeagueTerms) -> Format:
    """Return the planner of a league with these terms."""
    return FORMATS[terms.format](terms)
