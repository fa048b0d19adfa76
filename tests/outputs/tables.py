"""Standings to render: one of whole leagues, and small ones made by hand."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from arena.league.table.live import standings_of
from arena.league.table.ratings import Lack, Rating
from arena.league.table.standings import Facts, SeatEdge, Standing, Standings, Versus
from arena.record.penalties import PENALTIES
from arena.stats import Mean
from tests.league.leagues import NASTY, Simulated, simulate

HOSTILE = ("fox", "owl", "crow", "hare", "mole", NASTY)


def simulated(league: Simulated, played_sets: int | None = None) -> Standings:
    with (
        tempfile.TemporaryDirectory() as folder,
        simulate(Path(folder), league, played_sets) as store,
    ):
        return standings_of(store)


@cache
def hostile() -> Standings:
    """A league with a bot that calls itself what it should not, and a benched one."""
    return simulated(Simulated(bots=HOSTILE, sets=40, illegal=("hare",)))


FACTS = Facts(
    name="Sunday league",
    game="nyet",
    seats=4,
    options={"rounds": 1},
    format="round-robin",
    duplicate=True,
    clock={
        "decision_ms": 100,
        "bank_ms": 10_000,
        "hang_ms": 5_000,
        "faults_to_forfeit": 3,
        "start_ms": 10_000,
    },
    are_deals_predictable=False,
    anchor="fox is 1500",
    points_of="round",
    state="running",
    sets=40,
    sets_in_all=50,
    sets_planned=50,
    sets_left_out=0,
    matches=160,
    voids=2,
    annulled={"fox": 1},
    confinement="bubblewrap",
    stood=1,
    ended="",
    first="2026-01-31T12:00:00Z",
    last="2026-01-31T13:00:00Z",
)

ROW = Standing(
    rating=Rating(
        bot="fox",
        group=0,
        rank=1,
        rank_interval=(1, 2),
        elo=1512.4,
        half_width=23.4,
        plain_half_width=20.1,
        los_to_next=0.87,
        is_separated=False,
        sets=40,
        games=160,
        ahead=Mean(0.5523, 0.0344),
        ties=Mean(0.1, 0.02),
        wins=Mean(0.31, 0.03),
        place=Mean(2.3, 0.14),
        points=Mean(11.04, 0.52),
        gain=Mean(0.01, 0.02),
        lacks=(),
    ),
    owner="fox",
    version="1.0",
    author="somebody",
    language="Python",
    part=0,
    places=(50, 40, 40, 30),
    points=Mean(11.04, 0.52),
    think_ms=1.54,
    slowest_ms=99.9,
    faults=dict.fromkeys(PENALTIES, 0),
    forfeits=0,
)


def rated(row: Standing, **changes: Any) -> Standing:
    """The row with these values of its rating changed."""
    return replace(row, rating=replace(row.rating, **changes))


def by_hand(*rows: Standing, **changes: Any) -> Standings:
    """A table of these rows, or of two that are not separated."""
    last = rated(ROW, bot="owl", rank=2, elo=1487.6, los_to_next=None, is_separated=None)
    made = Standings(FACTS, rows or (ROW, last), (), (), {}, (), (), ())
    return replace(made, **changes)


PROVISIONAL = replace(
    rated(
        ROW,
        bot="hen",
        sets=12,
        half_width=66.2,
        lacks=(Lack.SETS, Lack.BAR, Lack.CONNECTION),
    ),
    faults={**ROW.faults, "late": 3, "gone": 1},
    forfeits=1,
)
EDGES = (SeatEdge(0, 12.4, 5.1), SeatEdge(1, -12.4, None))
MET = {("fox", "owl"): Versus(0.6, 100, 0.9), ("owl", "fox"): Versus(0.4, 100, 0.1)}
