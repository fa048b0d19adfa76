"""A policy: a Python function from a decision to an action, evaluated here or entered as a bot."""

from arena.policy.bot import as_bot
from arena.policy.decision import PolicyDecision

__all__ = ["PolicyDecision", "as_bot"]
