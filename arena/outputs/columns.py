"""The columns of the table in a terminal and in Markdown, and the order in which a narrow terminal
drops them.

The table on the web has its own, in `pages/templates/index.html`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arena.league.table.standings import Facts, Standing
from arena.outputs import figures
from arena.outputs.words import NOT_SEPARATED, PROVISIONAL

BOT = "bot"


@dataclass(frozen=True)
class Column:
    """A column. `expendable`: a narrow table drops the highest first; 0 is never dropped."""

    head: str
    cell: Callable[[Standing], str]
    expendable: int


def columns(facts: Facts) -> tuple[Column, ...]:
    """Return the columns in the order in which they are shown."""
    return (
        Column("rank", rank, 0),
        Column("ranks", ranks, 4),
        Column(BOT, lambda row: row.name, 0),
        Column("Elo", lambda row: figures.elo(row.rating.elo, row.rating.half_width), 0),
        Column("LOS", los, 1),
        Column("sets", lambda row: f"{row.rating.sets:,}", 2),
        Column("matches", lambda row: f"{row.rating.games:,}", 9),
        Column("ahead", lambda row: figures.percent(row.rating.ahead), 3),
        Column("ties", lambda row: figures.percent(row.rating.ties), 13),
        Column("place", lambda row: figures.mean(row.rating.place), 7),
        Column("win", lambda row: figures.percent(row.rating.wins), 8),
        Column(f"points/{facts.points_of}", lambda row: figures.mean(row.points), 6),
        Column("ms", lambda row: figures.milliseconds(row.think_ms), 10),
        Column("slowest", lambda row: figures.milliseconds(row.slowest_ms), 14),
        Column("faults", lambda row: f"{sum(row.faults.values()):,}", 5),
        Column("forfeits", lambda row: f"{row.forfeits:,}", 12),
        Column("gain", lambda row: figures.percent(row.rating.gain, signed=True), 11),
    )


def rank(row: Standing) -> str:
    return f"{row.rating.rank}{PROVISIONAL if row.rating.lacks else ' '}"


def ranks(row: Standing) -> str:
    return figures.ranks(row.rating.rank_interval, to="-") or "?"


def los(row: Standing) -> str:
    """Return the likelihood to be better than the next row, with a mark where it is too small."""
    if row.rating.is_separated is None:
        return ""
    told = "?" if row.rating.los_to_next is None else figures.likelihood(row.rating.los_to_next)
    return f"{told} {' ' if row.rating.is_separated else NOT_SEPARATED}"
