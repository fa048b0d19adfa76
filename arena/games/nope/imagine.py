from __future__ import annotations
import random
from arena.games.interface import View
from arena.games.nope.state import State
def imagine(view: View, rng: random.Random) -> State:
    raise NotImplementedError
