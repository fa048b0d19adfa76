"""The card game NOPE!."""

from arena.games.nope.game import NOPE as NOPE
from arena.games.nope.game import Nope as Nope
from arena.games.nope.state import NopeState as NopeState

__all__ = ["NOPE", "Nope", "NopeState"]
