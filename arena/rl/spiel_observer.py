"""Observations and information states as OpenSpiel asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

if TYPE_CHECKING:
    from arena.rl.spiel import ArenaGame, ArenaState


class Observer:
    """Writes what one player may know: numbers and a text, or with perfect recall a text alone.

    The numbers are those of `State.observe`; an information state is the key of
    `arena.games.Recall`, which has no numbers, because nothing of fixed size holds a whole match.
    """

    def __init__(self, game: ArenaGame, asked: Any, parameters: Mapping[str, Any] | None):
        if parameters:
            raise ValueError(f"observers have no parameters here; got {dict(parameters)}")
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not asked.public_info or asked.private_info != single:
            raise ValueError("an observer here sees public things and the player's own, not less")
        self._is_recall = asked.perfect_recall
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if self._is_recall:
            return
        described = game.rules.observation(game.seats, game.options)
        self.tensor = np.zeros(described.size, np.float32)
        for part in described.parts:
            self.dict[part.name] = self.tensor[described.slices[part.name]].reshape(part.shape)

    def __repr__(self) -> str:
        return f"<Observer with {'perfect recall' if self._is_recall else [*self.dict]}>"

    def set_from(self, state: ArenaState, player: int) -> None:
        """Write the numbers; all are 0 before the deal."""
        if self.tensor is None:
            raise ValueError("an information state has no numbers: ask for its string")
        if state.line is None:
            self.tensor.fill(0)
        else:
            state.line.state.observe(player, self.tensor)

    def string_from(self, state: ArenaState, player: int) -> str:
        if state.line is None:
            return ""
        if self._is_recall:
            return state.line.recall.key(player)
        return str(state.line.state.view(player))
