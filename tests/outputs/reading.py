"""Web pages read back: their words, tables, links and elements."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

VOID = {"meta", "link", "input", "img", "br"}
# By element whose end tag may be left out: the elements whose beginning ends it.
LEFT_OUT = {
    "td": {"td", "th", "tr", "tbody"},
    "th": {"td", "th", "tr", "tbody"},
    "tr": {"tr", "tbody"},
    "thead": {"tbody"},
    "tbody": {"tbody"},
}


@dataclass
class Read(HTMLParser):
    """A page taken apart. Every element must be closed, each where it should be; those of tables
    may be left open where HTML says so."""

    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)  # of all tables, cell by cell
    text: str = ""
    scripts: list[str] = field(default_factory=list)  # what stands inside script elements

    def __post_init__(self) -> None:
        HTMLParser.__init__(self)
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        while self._open and tag in LEFT_OUT.get(self._open[-1], ()):
            self._open.pop()
        if tag not in VOID:
            self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        while tag in ("thead", "tbody", "table") and tag != self._open[-1] in LEFT_OUT:
            self._open.pop()
        assert self._open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "script":
            self.scripts[-1] += data
            return
        self.text += data
        if {"td", "th"} & set(self._open):
            self.rows[-1][-1] += data.rstrip("\n")

    def close(self) -> None:
        super().close()
        assert not self._open, f"left open: {self._open}"

    def links(self) -> list[str]:
        return [attrs["href"] for tag, attrs in self.tags if tag == "a" and "href" in attrs]

    def row_of(self, name: str) -> list[str]:
        """The first row of a table that begins with this name, behind a rank perhaps."""
        return next(row for row in self.rows if any(c.startswith(name) for c in row[:2]))

    def match(self) -> Any:
        """The data of a match."""
        return json.loads(next(script for script in self.scripts if script))


def read(page: Path | str) -> Read:
    found = Read()
    found.feed(page.read_text("utf-8") if isinstance(page, Path) else page)
    found.close()
    return found
