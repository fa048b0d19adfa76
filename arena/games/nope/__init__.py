"""The card game NOPE!."""

from arena.games.nope.game import NOPE as NOPE
from arena.games.nope.game import Nope as Nope
from arena.games.nope.state import State as State

__all__ = ["NOPE", "Nope", "State"]
