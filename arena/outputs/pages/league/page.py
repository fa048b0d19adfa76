"""A page as a value: its template and its content, compared before anything is rendered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeAlias

from arena.outputs.pages.render import edition, render

HasPage: TypeAlias = Callable[[int], bool]
"""Tells by its number whether the matches of a set have pages."""

MANY = 24
"""A table of more bots is painted once, when its scripts have run."""


@dataclass(frozen=True)
class Page:
    """A page that may have to be made.

    `shows` has all that the page depends on, each value with a complete repr. Further values of the
    template are worked out by `more`, from `shows` alone, when the page is made.
    """

    file: str
    template: str
    shows: Mapping[str, Any]
    more: Callable[[], Mapping[str, Any]] = dict

    def stamp(self) -> str:
        """Return a short text for the head of the page that differs whenever the page would."""
        shown = repr([self.file, self.template, *self.shows.items()])
        return f"{edition()} {sha256(shown.encode('utf-8', 'replace')).hexdigest()[:16]}"

    def text(self, stamp: str, *, served: bool = False, play_at: str = "") -> str:
        """Return the whole page. `served`: for `arena serve`, which keeps it up to date; `play_at`:
        the address where visitors play, "" for none."""
        how = {"served": served, "play_at": play_at}
        return render(self.template, stamp=stamp, **how, **self.shows, **self.more())
