"""Small games for exact solving: whole rules, so few cards that every line of play can be counted.

They are in no list of rule sets: leagues, checks and bots do not know them.
"""

from __future__ import annotations

from arena.games.nope.game import NOPE_SMALL
from arena.games.nyet import TRICK_GAME_SMALL
from arena.games.registry import Registry

RESEARCH = Registry({game.name: game for game in (TRICK_GAME_SMALL, NOPE_SMALL)})
