"""A match of a trick-taking game in progress: a position, and all that programs ask of it.

The rules are at work in `Position`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.derived import SavedState
from arena.games.interface import Outcome, View
from arena.games.nyet.observe import kept_board, observed
from arena.games.nyet.past import leaders, tricks_and_loot
from arena.games.nyet.phases import OVER
from arena.games.nyet.position import Position
from arena.games.nyet.refusals import broken_rule
from arena.games.nyet.saved import saved
from arena.games.nyet.scoring import places
from arena.games.nyet.views import view_of
from arena.games.observation import Writable, write

if TYPE_CHECKING:
    from arena.games.nyet.game import TrickGame


class TrickState(Position, SavedState):
    """See `arena.games.interface.State`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return (
            f"<{self.match.tables.rules.name} round {self.past.number} {self.phase.value}, "
            f"to act {list(self.to_act())}, {len(self.log)} actions>"
        )

    @property
    def game(self) -> TrickGame:
        return self.match.game

    @property
    def seats(self) -> int:
        return self.match.seats

    def refusal(self, seat: int, action: int) -> str | None:
        return broken_rule(self, seat, action)

    def copy(self) -> TrickState:
        twin = TrickState.__new__(TrickState)
        self.copy_to(twin)
        return twin

    def view(self, seat: int | None) -> View:
        return view_of(self, seat)

    def observe(self, seat: int, out: Writable) -> None:
        # Straight from the state: by way of a view it takes four times as long.
        seat = self.seat_number(seat)
        write(observed(self, seat, kept_board(self, seat)), out)

    def stage(self) -> tuple[int, str]:
        return self.past.number, self.phase.word

    def saved(self) -> tuple[object, ...]:
        return saved(self)

    def outcome(self) -> Outcome | None:
        if self.phase is not OVER:
            return None
        scores = self.past.scores
        return Outcome(scores, places(scores), self.ending(scores) or "rounds")

    # For the layout of observations, which reads a view under the same names (`SeenRound`).

    @property
    def first(self) -> int | None:
        """The first player, once all rows are settled."""
        return None if self.terms is None else self.terms.first

    @property
    def tokens(self) -> bytes:
        """The boxes covered, first to last."""
        return self.log[: self.match.table.tokens]

    def tricks(self) -> tuple[bytes, bytes, list[int], list[int]]:
        """In the phases PLAY and OVER: the cards played and the seats that led, first to last; by
        seat, the tricks taken and the loot captured."""
        match, takes = self.match, self.takes
        led_by = leaders(self.terms.first, takes)  # type: ignore[union-attr]  # settled
        if self.phase is OVER:
            led_by = led_by[:-1]  # after the last trick nobody leads
        return self.log[match.table.before_cards :], led_by, *tricks_and_loot(takes, match.seats)
