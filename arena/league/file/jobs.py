"""Warnings about the number of jobs of a league."""

from __future__ import annotations

from arena.bots.program import MAY_REMEMBER
from arena.league.model.config import League
from arena.text import listed


def warnings(league: League, cores: int) -> list[str]:
    """Return warnings about a league that this many cores can play, but not judge well."""
    found = []
    at_once = (league.jobs or 1) * (league.at_once or 1)
    if at_once > cores:
        given = {"jobs": league.jobs, "at_once": league.at_once}
        keys = " with ".join(f"{key} = {value}" for key, value in given.items() if value)
        found.append(
            f"{keys} lets {at_once} bots think at once, and there are {cores} cores: they wait for "
            "each other on their own clocks, and sets become void; fewer bots at once play as many "
            "matches"
        )
    if league.callers and league.duplicate:
        found.append(
            f"{listed(league.callers)} {MAY_REMEMBER}; without `duplicate` each deal is played once"
        )
        several = [each.name for each in league.entrants if each.connections > 1]
        if several:
            found.append(
                f"`connections` of {listed(several)} does not change that: no connection plays two"
                " matches of a set, but the program behind them may play them all"
            )
    return found
