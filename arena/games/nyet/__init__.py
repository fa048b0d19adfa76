"""The trick-taking family: one engine, and three rule sets as data."""

from arena.games.nyet.game import TrickGame
from arena.games.nyet.rulesets import RULE_SETS

TRICK_GAMES = tuple(TrickGame(rules) for rules in RULE_SETS)

__all__ = ["TRICK_GAMES", "TrickGame"]
