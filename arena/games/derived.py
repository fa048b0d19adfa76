"""Answers of every game and state for programs that use the rules as a library, worked out from the
parts each game has."""

from __future__ import annotations

import copyreg
import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from arena.games.description import DEFAULTS, Options
from arena.games.errors import BadView, WrongState, no_such_dealer, no_such_seat
from arena.games.observation import Observation, Observed, Writable, marked, write
from arena.games.options import whole

if TYPE_CHECKING:
    from arena.games.interface import Game, View

S = TypeVar("S", bound="DerivedState")

# What reading a map that is no view may raise: to the caller all of it is one mistake.
BAD_VALUES = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


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
        """The number of players at the table."""

    @abstractmethod
    def to_act(self) -> tuple[int, ...]: ...

    @abstractmethod
    def legal(self, seat: int) -> Sequence[int]: ...

    @abstractmethod
    def view(self, seat: int | None) -> View: ...

    @abstractmethod
    def copy(self) -> Self: ...

    def observe(self, seat: int, out: Writable) -> None:
        # A state that wants speed writes the same numbers without a view (`TrickState.observe`).
        self.game.observe(self.view(self.seat_number(seat)), out)

    def mask(self, seat: int, out: Writable) -> None:
        legal = self.legal(self.seat_number(seat))
        write((marked(legal, len(self.game.actions)),), out)

    def legal_actions(self, seat: int) -> list[int]:
        return [*self.legal(self.seat_number(seat))]

    def stage(self) -> tuple[int, str]:
        seen = self.view(None)
        return seen.get("round", 1), seen.get("phase", "play" if self.to_act() else "over")

    def seat_number(self, seat: object, where: str = "10.3") -> int:
        """The seat as a plain int, from a whole number of any type.

        BadSeats if nobody sits there, citing `where`, a section of SPEC.
        """
        if type(seat) is int and 0 <= seat < self.seats:
            return seat
        number = plain(seat)
        if number is None or not 0 <= number < self.seats:
            raise no_such_seat(seat, self.seats, where)
        return number

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()


class SavedState(DerivedState):
    """A state that is compared and pickled by the few plain values that it can be made from.

    Its game has `restored`, which takes them.
    """

    __slots__ = ()
    __hash__: ClassVar[None]  # type: ignore[assignment]  # states change

    @abstractmethod
    def saved(self) -> tuple[object, ...]:
        """All that the state is, without its game."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.game is other.game and self.saved() == other.saved()

    def __reduce__(self) -> tuple[object, ...]:
        return restored, (self.game, *self.saved())


def restored(game: Any, *saved: object) -> object:
    """A pickled state again. Its module and its name are in pickles, so they stay as they are."""
    return game.restored(*saved)


class DerivedGame:
    """The part of `arena.games.interface.Game` that a game need not write itself.

    A game is never changed, so a copy of it is the game; pickles have its name.
    """

    name: str

    @abstractmethod
    def observation(self, seats: int, options: Options = DEFAULTS) -> Observation: ...

    @abstractmethod
    def observed(self, view: View) -> Observed:
        """The numbers of an observation, from the view of a seat at the table.

        Of a map that is no view it may raise any of BAD_VALUES.
        """

    def observe(self, view: View, out: Writable) -> None:
        self.check_view(view, "10.3")
        room = len(out)
        try:
            pieces = self._checked(view, room)
        except BAD_VALUES as error:
            raise BadView(
                f"this is no view of a seat in {self.name}: {error}",
                came=view,
                allowed=(),
                where="10.3",
            ) from error
        write(pieces, out)

    def _checked(self, view: View, room: int) -> Observed:
        """The numbers of an observation, if they are whole numbers and as many as there must be.

        `room`: the length of the array. The right count is asked for only where they do not fill
        it, because working it out takes as long as writing them.
        """
        if view["seat"] is None:
            raise ValueError("a spectator has no observation")
        if plain(view["seat"]) not in range(view["seats"]):
            raise ValueError(f"nobody sits at {view['seat']!r}")
        pieces = self.observed(view)
        for piece in pieces:
            if not isinstance(piece, bytes | bytearray):
                for number in piece:
                    whole(number)
        size = sum(map(len, pieces))
        if size != room and size != self.observation(view["seats"]).size:
            raise ValueError(f"it makes {size} numbers")
        return pieces

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        # Late, because the registry imports all games.
        from arena.games.registry import GAMES
        from arena.games.research import RESEARCH

        for games in (GAMES, RESEARCH):
            if self.name in games and _same(games[self.name], self):
                return game_named, (self.name,)
        return copyreg.__newobj__, (type(self),), vars(self)  # type: ignore[attr-defined]

    def check_view(self, view: object, where: str) -> None:
        """Raise BadView if this is a view of another game. `where`: the SPEC section of views."""
        came = view.get("game") if isinstance(view, Mapping) else None
        if isinstance(came, str) and came != self.name:
            raise BadView(
                f"this is not a view of {self.name}, but of {came}",
                came=view,
                allowed=(),
                where=where,
            )

    def own(self, state: object, kind: type[S]) -> S:
        """The state, if it is one of this game; WrongState otherwise."""
        came = f"but {type(state).__name__}"
        if isinstance(state, DerivedState):
            if isinstance(state, kind) and _same(state.game, self):
                return state
            came = f"but of {state.game.name}"
        raise WrongState(
            f"this is no state of {self.name}, {came}",
            came=state,
            allowed=(),
            where="10.1",
        )


def _same(game: object, other: object) -> bool:
    return game is other


def game_named(name: str) -> Game:
    """A pickled game again, by its name."""
    from arena.games.registry import GAMES
    from arena.games.research import RESEARCH

    return RESEARCH[name] if name in RESEARCH else GAMES[name]


def plain(number: object) -> int | None:
    """The plain int of a whole number of any type; None of anything else, truth values too."""
    try:
        return whole(number)
    except ValueError:
        return None


def dealer_number(dealer: object, seats: int) -> int | None:
    """The dealer as a plain int, from a whole number of any type; None for a lot.

    BadSeats if nobody sits there.
    """
    if dealer is None:
        return None
    number = plain(dealer)
    if number is None or not 0 <= number < seats:
        raise no_such_dealer(dealer, seats)
    return number


def check_rng(rng: object) -> None:
    """Raise TypeError unless this is a source of chance that the games can draw from."""
    if not isinstance(rng, random.Random):
        raise TypeError(f"rng is a random.Random, such as random.Random(7); got {rng!r}")


def check_until(until: object) -> None:
    """Raise ValueError unless this names an end that a playout can have."""
    if until not in ("round", "match"):
        raise ValueError(f'a playout goes until "round" or "match"; got {until!r}')
