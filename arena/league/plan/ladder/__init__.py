"""The ladder: a league that never ends, planned one table at a time."""

from arena.league.plan.ladder.planner import OpenLadder

__all__ = ["OpenLadder"]
