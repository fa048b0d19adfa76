"""The page of ratings so far: a chart of the first ten of each table, and the numbers of all.

From the numbers history.js draws any other bot. A hundred bots make some six thousand of them, so
they are put together here and not in a template.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from arena.league.table.standings import Moment, Standings
from arena.outputs.figures import fixed
from arena.outputs.pages.league.chart import Chart, chart
from arena.outputs.pages.league.page import Page
from arena.outputs.pages.words import MINUS, NONE, half, number
from arena.outputs.words import parts_of

# Lines that can be told apart; the chart of a larger table shows those of its first rows.
SHOWN_LINES = 10


def history_page(standings: Standings) -> Page:
    facts = standings.facts
    kinds = kinds_of(standings)
    return Page(
        "history.html",
        "history.html",
        {
            "root": "",
            "here": "history.html",
            "league": facts.name,
            "running": facts.state == "running",
            "parts": standings.parts,
            "columns": [(row.part, kinds[row.name], row.name) for row in standings.rows],
            "history": standings.history,
        },
        _drawn(standings),
    )


def _drawn(standings: Standings) -> Callable[[], Mapping[str, Any]]:
    names = [row.name for row in standings.rows]
    return lambda: {
        "charts": charts(standings),
        "moments": [
            (number(moment.sets), figures(moment, names)) for moment in reversed(standings.history)
        ],
    }


def kinds_of(standings: Standings) -> dict[str, int]:
    """Return a number for each bot, which fixes its colour: by its name, so at any rank."""
    return {name: kind for kind, name in enumerate(sorted(row.name for row in standings.rows))}


def charts(standings: Standings) -> list[Chart]:
    """Return a chart for each table, with the lines of its first rows."""
    if not standings.history:
        return []
    kinds = kinds_of(standings)
    return [
        chart(standings.history, [row.name for row in rows], [kinds[row.name] for row in rows])
        for rows in (part[:SHOWN_LINES] for part in parts_of(standings))
    ]


def figures(moment: Moment, names: Sequence[str]) -> Markup:
    """Return the cells of a row of numbers. End tags may be left out."""
    found = (moment.elo.get(name) for name in names)
    told = (f"{fixed(at[0], 0).replace('-', MINUS)} {half(at[1])}" if at else NONE for at in found)
    return Markup("".join(f"<td>{each}" for each in told))
