"""The actions that are played in the place of bots: drawn from the match's seed (SPEC 13.1)."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.chance import draw


class Substitute:
    """Draws the actions of one match, so that anybody with its seed can draw them again."""

    def __init__(self, seed: bytes):
        self._seed = seed
        self._played = 0

    def __repr__(self) -> str:
        return f"<Substitute, {self._played} actions drawn>"

    def pick(self, legal: Sequence[str]) -> str:
        """Draw the next action of the match, out of those that are legal now."""
        action = legal[draw(len(legal), self._seed, "penalty", self._played)]
        self._played += 1
        return action
