"""The view and the legal actions of a seat, as arrays of numpy and spaces of Gymnasium."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.games import Game, Options, State
from arena.rl.extra import of_the_extra_rl

with of_the_extra_rl():
    from gymnasium.spaces import Box, Dict, Discrete

Seen: TypeAlias = dict[str, NDArray[Any]]
"""`observation`: what the seat may know; `action_mask`: 1 for each action it may choose now."""


class SeatArrays:
    """Makes the observations of one kind of match. Numbers are float32, as networks take them."""

    def __init__(self, game: Game, seats: int, options: Options):
        described = game.observation(seats, options)
        self.size = described.size
        self.actions = len(game.actions)
        low = np.empty(self.size, np.float32)
        high = np.empty(self.size, np.float32)
        for part in described.parts:
            place = described.slices[part.name]
            low[place], high[place] = part.low, part.high
        self._box = low, high

    def __repr__(self) -> str:
        return f"<SeatArrays of {self.size} numbers, {self.actions} actions>"

    def space(self) -> Dict:
        """Return a new space for the values of `see`."""
        low, high = self._box
        return Dict(
            {
                "observation": Box(low, high, dtype=np.float32),
                "action_mask": Box(0, 1, (self.actions,), np.int8),
            }
        )

    def action_space(self) -> Discrete:
        """Return a new space of the numbers of actions."""
        return Discrete(self.actions)

    def see(self, state: State, seat: int) -> Seen:
        """Return the view of this seat now, in arrays of its own."""
        numbers = np.empty(self.size, np.float32)
        state.observe(seat, numbers)
        mask = np.empty(self.actions, np.int8)
        state.mask(seat, mask)
        return {"observation": numbers, "action_mask": mask}
