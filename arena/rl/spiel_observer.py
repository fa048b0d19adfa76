"""Observations and information states as OpenSpiel asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from arena.games import RecallLayout
from arena.rl.extra import of_the_extra_rl

with of_the_extra_rl():
    import pyspiel

if TYPE_CHECKING:
    from arena.rl.spiel import ArenaGame, ArenaState

MOMENTS = "moments"  # the name of the numbers of an information state, row by row


class Observer:
    """Writes what one player may know, as numbers and as a text.

    The numbers are those of `State.observe`, with perfect recall those of `RecallLayout`, which
    long matches do not have; the text of an information state is the key of `Recall`.
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
        self._layout: RecallLayout | None = None
        if self._is_recall:
            self._describe_recall(game)
            return
        described = game.rules.observation(game.seats, game.options)
        self.tensor = np.zeros(described.size, np.float32)
        for part in described.parts:
            self.dict[part.name] = self.tensor[described.slices[part.name]].reshape(part.shape)

    def _describe_recall(self, game: ArenaGame) -> None:
        self._layout = game.recall_layout
        if self._layout is not None:
            self.tensor = np.zeros(self._layout.size, np.float32)
            self.dict[MOMENTS] = self.tensor.reshape(self._layout.shape)

    def __repr__(self) -> str:
        return f"<Observer with {'perfect recall' if self._is_recall else [*self.dict]}>"

    def set_from(self, state: ArenaState, player: int) -> None:
        """Write the numbers; all are 0 before the deal."""
        if self.tensor is None:
            raise ValueError(
                "an information state of so long a match has no numbers: ask for its string, or"
                " load the game with rounds=1, or fewer turns (docs/observations.md)"
            )
        if state.line is None:
            self.tensor.fill(0)
        elif self._layout is not None:
            self._layout.write(state.line.recall, player, self.tensor)
        else:
            state.line.state.observe(player, self.tensor)

    def string_from(self, state: ArenaState, player: int) -> str:
        if state.line is None:
            return ""
        if self._is_recall:
            return state.line.recall.key(player)
        return str(state.line.state.view(player))
