"""The trick-taking family: one engine, and three rule sets as data."""

from arena.games.nyet.game import TrickGame
from arena.games.nyet.rulesets import NJET, NJET_IT, NYET

TRICK_GAMES = tuple(TrickGame(rules) for rules in (NYET, NJET, NJET_IT))

__all__ = ["TRICK_GAMES", "TrickGame"]
