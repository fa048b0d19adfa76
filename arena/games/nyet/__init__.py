"""The trick-taking family: one engine, and three rule sets as data."""

from arena.games.nyet.game import TrickGame
from arena.games.nyet.rulesets import NYET_SMALL, RULE_SETS

TRICK_GAMES = tuple(TrickGame(rules) for rules in RULE_SETS)
TRICK_GAME_SMALL = TrickGame(NYET_SMALL)

__all__ = ["TRICK_GAMES", "TRICK_GAME_SMALL", "TrickGame"]
