"""The columns of a table for people, and which of them go where there is little room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arena.league.standings import Facts, Standing
from arena.outputs import figures
from arena.outputs.words import NOT_SEPARATED, PROVISIONAL

BOT = "bot"


@dataclass(frozen=True)
class Column:
    """`expendable`: the highest goes first where there is little room; 0 always stays."""

    head: str
    cell: Callable[[Standing], str]
    expendable: int


def columns(facts: Facts) -> tuple[Column, ...]:
    """In the order in which they are shown."""
    return (
        Column("rank", rank, 0),
        Column("ranks", ranks, 4),
        Column(BOT, lambda row: row.name, 0),
        Column("Elo", lambda row: figures.elo(row.elo, row.half_width), 0),
        Column("LOS", los, 1),
        Column("sets", lambda row: f"{row.sets:,}", 2),
        Column("matches", lambda row: f"{row.matches:,}", 9),
        Column("ahead", lambda row: figures.percent(row.ahead), 3),
        Column("ties", lambda row: figures.percent(row.ties), 13),
        Column("place", lambda row: figures.mean(row.place), 7),
        Column("win", lambda row: figures.percent(row.wins), 8),
        Column(f"points/{facts.points_of}", lambda row: figures.mean(row.points), 6),
        Column("ms", lambda row: figures.milliseconds(row.think_ms), 10),
        Column("slowest", lambda row: figures.milliseconds(row.slowest_ms), 14),
        Column("faults", lambda row: f"{sum(row.faults.values()):,}", 5),
        Column("forfeits", lambda row: f"{row.forfeits:,}", 12),
        Column("gain", lambda row: figures.percent(row.gain, signed=True), 11),
    )


def rank(row: Standing) -> str:
    return f"{row.rank}{PROVISIONAL if row.lacks else ' '}"


def ranks(row: Standing) -> str:
    return figures.ranks(row.rank_interval, to="-") or "?"


def los(row: Standing) -> str:
    """To the next row, and whether that is enough to tell them apart."""
    if row.is_separated is None:
        return ""
    told = "?" if row.los_to_next is None else figures.likelihood(row.los_to_next)
    return f"{told} {' ' if row.is_separated else NOT_SEPARATED}"
