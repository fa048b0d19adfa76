"""The first page: the table, the last sets, the upsets among them, and the settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arena.games import GAMES
from arena.league.table.standings import Standings
from arena.outputs.pages.league.bars import Scale
from arena.outputs.pages.league.movement import movement
from arena.outputs.pages.league.page import MANY, HasPage, Page
from arena.outputs.pages.league.recent import Recent
from arena.outputs.pages.league.sparks import sparks
from arena.outputs.words import outside_mean, parts_of


def index_page(standings: Standings, anchor_elo: float, recent: Recent, has_page: HasPage) -> Page:
    facts = standings.facts
    latest, upsets = recent.latest(), recent.upsets(standings)
    shown = {*(one.number for one in latest), *(upset.set for upset in upsets)}
    return Page(
        "index.html",
        "index.html",
        {
            "root": "",
            "here": "index.html",
            "league": facts.name,
            "running": facts.state == "running",
            "facts": facts,
            "is_told": bool(GAMES[facts.game].drawing.in_short),
            "painted_once": len(standings.rows) > MANY,
            "rows": standings.rows,
            "clocked": [row for row in standings.rows if row.clock is not None],
            "benched": standings.benched,
            "outside_mean": outside_mean(standings),
            "waiting": [name for name in standings.waiting if name not in standings.retired],
            "retired": standings.retired,
            "presence": {each.name: each for each in standings.presence},
            "seat_edges": standings.seat_edges,
            "course": standings.course,
            # In order: that of a set is another one in each process, and so were the stamp.
            "known": sorted(
                [*(row.name for row in standings.rows), *(row.name for row in standings.benched)]
            ),
            "zero": anchor_elo,
            "movement": movement(standings),
            "sparks": sparks(standings.history, [row.name for row in standings.rows]),
            "latest": latest,
            "upsets": upsets,
            "looked_through": len(recent.sets),
            "linked": sorted(filter(has_page, shown)),
        },
        _tables(standings),
    )


def _tables(standings: Standings) -> Callable[[], Mapping[str, Any]]:
    def tables() -> Mapping[str, Any]:
        parts = parts_of(standings)
        return {
            "parts": parts or [()],
            "scales": [Scale.over(rows) for rows in parts] or [None],
        }

    return tables
