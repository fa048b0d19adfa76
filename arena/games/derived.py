"""What programs that use the rules as a library ask of every state, worked out from what the
state of each game has."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from arena.games.errors import no_such_seat
from arena.games.observation import Observed, Writable, marked, write

if TYPE_CHECKING:
    from arena.games.interface import Game


class DerivedState:
    """The part of `arena.games.interface.State` that a state need not write itself."""

    __slots__ = ()

    @property
    @abstractmethod
    def game(self) -> Game:
        """The rule set that this is a match of."""

    @property
    @abstractmethod
    def seats(self) -> int:
        """How many sit at the table."""

    @abstractmethod
    def legal(self, seat: int) -> Sequence[int]: ...

    @abstractmethod
    def observed(self, seat: int) -> Observed:
        """The numbers of the observation of a seat at the table."""

    def observe(self, seat: int, out: Writable) -> None:
        write(self.observed(self.seat_number(seat)), out)

    def mask(self, seat: int, out: Writable) -> None:
        legal = self.legal(self.seat_number(seat))
        write((marked(legal, len(self.game.actions)),), out)

    def legal_actions(self, seat: int) -> list[int]:
        return [*self.legal(self.seat_number(seat))]

    def seat_number(self, seat: object) -> int:
        """The seat as a plain int, from a whole number of any type."""
        if type(seat) is int and 0 <= seat < self.seats:
            return seat
        try:
            number = index(seat)  # type: ignore[arg-type]  # is what is tried
        except TypeError:
            number = -1
        if type(seat) is bool or not 0 <= number < self.seats:
            raise no_such_seat(seat, self.seats, "10.3")
        return number
