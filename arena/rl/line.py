"""A line of play: a match, and the views of each seat from the deal on."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from arena.games import Recall, State


class PlayLine:
    """A state that remembers. It is copied as fast as a state and pickles as its first state and
    the actions since, so that a long match stays small."""

    __slots__ = ("_moves", "_start", "_together", "recall", "state")

    def __init__(self, start: State, recall: Recall | None = None, together: tuple[int, ...] = ()):
        """`recall`: the views of the seats before; none at the deal. `together`: the seats that
        have chosen in secret since a view of another seat last changed."""
        self.state = start
        self.recall = recall or Recall(start)
        self._start = start.copy(), recall, together
        self._moves: tuple[Any, ...] = ()  # the last move, and all before it in the same form
        self._together = together

    def __repr__(self) -> str:
        return f"<PlayLine {self.state!r}>"

    def apply(self, seat: int, action: int) -> None:
        """Play an action, as `State.apply` does."""
        state = self.state
        is_secret = len(state.to_act()) > 1 or bool(self._together)
        before = state.view(None) if is_secret else None
        state.apply(seat, action)
        if is_secret and state.view(None) == before:
            self._together = (*self._together, seat)
        else:
            self._together = ()
        self.recall = self.recall.then(state)
        self._moves = (seat, action, self._moves)

    def imagined(self, seat: int, rng: random.Random) -> PlayLine:
        """Return a line in a random world that this seat cannot tell from this one.

        The key of this seat goes on from the one it has; those of the others begin anew, because
        an imagined world has no earlier rounds. Where others have chosen in secret, they have
        chosen at random there.
        """
        world = self.state.game.imagine(self.state.view(seat), rng)
        for other in self._together:
            if other != seat:
                world.apply(other, rng.choice(list(world.legal(other))))
        return PlayLine(world, self.recall.imagined(world, seat), self._together)

    def copy(self) -> PlayLine:
        twin = PlayLine.__new__(PlayLine)
        twin.state = self.state.copy()
        twin.recall = self.recall
        twin._start = self._start
        twin._moves = self._moves
        twin._together = self._together
        return twin

    def __deepcopy__(self, memo: object) -> PlayLine:
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., PlayLine], tuple[object, ...]]:
        moves = []
        rest = self._moves
        while rest:
            seat, action, rest = rest
            moves.append((seat, action))
        return replayed, (moves[::-1], *self._start)


def replayed(moves: list[tuple[int, int]], *start: Any) -> PlayLine:
    """Return the line that starts with these arguments and goes on with these moves."""
    line = PlayLine(*start)
    for seat, action in moves:
        line.apply(seat, action)
    return line
