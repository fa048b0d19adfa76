"""Information states with perfect recall: all that a seat has seen since the deal, as one key.

A state keeps the facts that the rules need, and its view those that a player needs to choose well;
neither tells apart all lines of play that a seat could. Algorithms such as counterfactual regret
minimisation need exactly that, so a `Recall` follows a match from outside, and matches pay nothing
for it.
"""

from __future__ import annotations

from hashlib import blake2b

from arena.games.interface import State, View

KEY_BYTES = 16


class Recall:
    """The match up to one moment, for all seats. It does not change: `then` gives the next.

        recall = Recall(state)
        state.apply(seat, action)
        recall = recall.then(state)

    Two moments of matches with the same arguments have the same `key(seat)` exactly when the seat
    has had the same views in the same order, as nearly as 128 bits of a hash can tell. A moment at
    which a view stays as it was adds nothing: hidden choices of others are not counted.
    """

    __slots__ = ("_before", "_known", "_state")

    def __init__(self, state: State, before: Recall | None = None):
        self._state = state.copy()  # keys are worked out when they are asked for
        self._before = before
        self._known: dict[int, tuple[str, View]] = {}  # by seat: its key and its last view

    def then(self, state: State) -> Recall:
        """The next moment, after an action that led to this state."""
        return Recall(state, self)

    def imagined(self, world: State, seat: int) -> Recall:
        """The same moment in a world that this seat imagines: it has seen the same there as here.
        The others begin to see there, because a world has no past of its own."""
        recall = Recall(world)
        recall._known[seat] = self._seen(seat)
        return recall

    def key(self, seat: int) -> str:
        """The information state of this seat, as a short text."""
        return self._seen(seat)[0]

    def _seen(self, seat: int) -> tuple[str, View]:
        unknown = []
        moment: Recall | None = self
        while moment is not None and seat not in moment._known:
            unknown.append(moment)
            moment = moment._before
        seen = None if moment is None else moment._known[seat]
        for moment in reversed(unknown):
            view = moment._state.view(seat)
            if seen is None or view != seen[1]:
                told = "" if seen is None else seen[0]
                digest = blake2b(f"{told} {view!r}".encode(), digest_size=KEY_BYTES)
                seen = f"seat {seat} {digest.hexdigest()}", view
            moment._known[seat] = seen
        assert seen is not None
        return seen
