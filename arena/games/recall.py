"""Information states with perfect recall: all that a seat has seen since the deal, as one key, or
as one array where a match is short enough for one.

A state keeps the facts that the rules need, and its view those that a player needs to choose well;
neither tells apart all lines of play that a seat could. Algorithms such as counterfactual regret
minimisation need exactly that, so a `Recall` follows a match from outside, and matches pay nothing
for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from arena.games.description import DEFAULTS, Options
from arena.games.errors import WrongState
from arena.games.interface import Game, State, View
from arena.games.observation import Observation, Writable, write

KEY_BYTES = 16

# The most numbers of an array: 400 KB of float32, which holds a round of every trick game. A match
# of eight rounds would take six times as much, one of `nope` with its 1,000 turns fifty times.
MOST_NUMBERS = 100_000
# Changes whenever the form of rows does; what is in a row is the observation's, with its version.
LAYOUT_VERSION = 1

_FILLED = (1,)  # the first number of a row that is used


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
        self._known: dict[int, _Seen] = {}  # by seat

    def __copy__(self) -> Recall:
        return self

    def __deepcopy__(self, _: object) -> Recall:
        """The same object: a Recall does not change, and a match has hundreds of moments."""
        return self

    def __reduce__(self) -> tuple[Callable[..., Recall], tuple[object, ...]]:
        """Pickle the moments as a flat list: one inside the other, they would be too deep for
        Python after some 300."""
        states = []
        moment = self
        while moment._before is not None:
            states.append(moment._state)
            moment = moment._before
        # Only the first moment may have a past of its own, that of a seat which imagines it.
        pasts = {
            seat: seen.states()
            for seat, seen in moment._known.items()
            if seen.before is not None or seen.state is not moment._state
        }
        return _recall_of, ([moment._state, *reversed(states)], pasts)

    def then(self, state: State) -> Recall:
        """The next moment, after an action that led to this state.

        WrongState if it is of another game or table size.
        """
        here = self._state
        if state.game is not here.game or state.seats != here.seats:
            raise WrongState(
                f"this is a match of {here.game.name} with {here.seats} seats, and the state is of"
                f" {state.game.name} with {state.seats}",
                came=state,
                allowed=(),
                where="10.1",
            )
        return Recall(state, self)

    def imagined(self, world: State, seat: int) -> Recall:
        """The same moment in a world that this seat imagines: it has seen the same there as here.
        The others begin to see there, because a world has no past of its own."""
        recall = Recall(world)
        recall._known[seat] = self._seen(seat)
        return recall

    def key(self, seat: int) -> str:
        """The information state of this seat, as a short text."""
        return self._seen(seat).key

    def observations(self, seat: int) -> list[list[int]]:
        """The observation of this seat at each moment that changed its view, the oldest first.

        The lists are not to be changed: later moments share them.
        """
        rows = []
        seen: _Seen | None = self._seen(seat)
        while seen is not None:
            rows.append(seen.observation(seat))
            seen = seen.before
        return rows[::-1]

    def _seen(self, seat: int) -> _Seen:
        unknown = []
        moment: Recall | None = self
        while moment is not None and seat not in moment._known:
            unknown.append(moment)
            moment = moment._before
        seen = None if moment is None else moment._known[seat]
        for moment in reversed(unknown):
            seen = moment._known[seat] = _next_seen(seat, moment._state, seen)
        assert seen is not None
        return seen


class _Seen:
    """A moment that changed the view of one seat: its key, that view, the state, and the moment
    before it."""

    __slots__ = ("_observation", "before", "key", "state", "view")

    def __init__(self, key: str, view: View, state: State, before: _Seen | None):
        self.key = key
        self.view = view
        self.before = before
        self.state = state
        self._observation: list[int] | None = None  # written when it is first asked for

    def observation(self, seat: int) -> list[int]:
        if self._observation is None:
            options: Options = self.view["options"]
            described = self.state.game.observation(self.state.seats, options)
            self._observation = [0] * described.size
            self.state.observe(seat, self._observation)
        return self._observation

    def states(self) -> list[State]:
        """Return the states at this moment and at those before it, the oldest first."""
        states = []
        seen: _Seen | None = self
        while seen is not None:
            states.append(seen.state)
            seen = seen.before
        return states[::-1]


def _next_seen(seat: int, state: State, before: _Seen | None) -> _Seen:
    """Return the moment of this state if it changed the view of the seat, else the one before."""
    view = state.view(seat)
    if before is not None and view == before.view:
        return before
    told = "" if before is None else before.key
    digest = blake2b(f"{told} {view!r}".encode(), digest_size=KEY_BYTES)
    return _Seen(f"seat {seat} {digest.hexdigest()}", view, state, before)


def _recall_of(states: Sequence[State], pasts: Mapping[int, Sequence[State]]) -> Recall:
    """Return the Recall of a pickle: its moments, and by seat the states that it had seen before
    the first of them."""
    first, *later = states
    recall = Recall(first)
    for seat, past in pasts.items():
        seen: _Seen | None = None
        for state in past:
            seen = _next_seen(seat, state, seen)
        assert seen is not None
        recall._known[seat] = seen
    for state in later:
        recall = Recall(state, recall)
    return recall


class NoRecallArray(ValueError):
    """Information states of such a match have no array, in words."""


@dataclass(frozen=True)
class RecallLayout:
    """The array of an information state: a row for each moment that changed the seat's view.

    The oldest moment is the first row. A row begins with 1, and goes on with the observation of
    that moment; rows that are not needed yet are 0. `moments`: the number of rows, one more than
    the most decisions of a match. `version` is that of this form; `observation` has its own.

        layout = RecallLayout.of(game, 2, {"rounds": 1})
        out = np.zeros(layout.size, np.float32)
        layout.write(recall, seat, out)
    """

    observation: Observation
    moments: int
    version: int = LAYOUT_VERSION

    @classmethod
    def of(cls, game: Game, seats: int, options: Options = DEFAULTS) -> RecallLayout:
        """Return the array of such matches.

        Raises NoRecallArray for matches of several rounds: the last card of a round is in no
        observation, because the next round is dealt at once. So it does where the array would have
        more than MOST_NUMBERS numbers.
        """
        has_rounds = any(field.name == "round" for field in game.fields)
        if has_rounds and game.rounds(seats, options) != 1:
            raise NoRecallArray(
                f"information states of {game.name} are arrays in matches of one round, with"
                " rounds=1; the key of `Recall` is there for all matches"
            )
        layout = cls(game.observation(seats, options), game.bound(seats, options) + 1)
        if layout.size > MOST_NUMBERS:
            raise NoRecallArray(
                f"an information state of {game.name} with {seats} seats and these options would"
                f" be an array of {layout.size:,} numbers, and {MOST_NUMBERS:,} are the most:"
                f" {layout.moments:,} moments of {layout.observation.size + 1} each. A shorter"
                " match has fewer; the key of `Recall` is there for all matches"
            )
        return layout

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows, and of numbers in each."""
        return self.moments, self.observation.size + 1

    @property
    def size(self) -> int:
        """The count of all numbers."""
        return self.moments * (self.observation.size + 1)

    def write(self, recall: Recall, seat: int, out: Writable) -> None:
        """Write the information state of a seat to an array of `size` numbers."""
        rows = recall.observations(seat)
        used = len(rows) * (self.observation.size + 1)
        if used > self.size or any(len(row) != self.observation.size for row in rows):
            raise ValueError("this is a moment of another match than the layout is for")
        pieces: list[Sequence[int]] = [piece for row in rows for piece in (_FILLED, row)]
        write([*pieces, bytearray(self.size - used)], out)
