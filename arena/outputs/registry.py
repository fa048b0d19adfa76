"""The outputs by name: each makes a whole file of the standings.

A further one is a module and an entry here; `arena publish` then writes standings.NAME too, and
`arena table` has a flag for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from arena.league.table.standings import Standings
from arena.outputs.csv_ import csv_text
from arena.outputs.json_ import json_text
from arena.outputs.markdown import markdown


@dataclass(frozen=True)
class StandingsFile:
    """One output: how its file is made, and the help of its flag."""

    text: Callable[[Standings], str]
    help: str


OUTPUTS: Mapping[str, StandingsFile] = {
    "json": StandingsFile(json_text, "As docs/standings.md describes it."),
    "csv": StandingsFile(csv_text, "For a spreadsheet, one line a bot."),
    "md": StandingsFile(markdown, "As Markdown."),
}
