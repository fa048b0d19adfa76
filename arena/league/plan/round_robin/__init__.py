"""Round robin and gauntlet: everyone against everyone, or some bots against all others."""

from arena.league.plan.round_robin.planner import Gauntlet, RoundRobin

__all__ = ["Gauntlet", "RoundRobin"]
