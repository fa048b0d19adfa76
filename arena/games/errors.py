"""Errors that a game raises for wrong names, options, views and actions.

    GameError
    ├── UnknownGame      no such rule set
    ├── BadSeats         the rule set has no such number of seats
    ├── BadOption        no such option, or not such a value
    ├── BadDeal          cards that the deck does not have
    ├── BadView          not a view of this game
    ├── WrongState       not a state of this game
    └── RefusedAction    the state is as it was before
        ├── OutOfTurn        this seat owes no decision now
        ├── UnknownAction    not an action of this game at all
        └── IllegalAction    an action of this game that the rules forbid here

Each names the value that came, the allowed ones, and the section of SPEC.md.
"""

from __future__ import annotations

from collections.abc import Iterable


class GameError(ValueError):
    """`came` is the value given, `allowed` the values that would do, `where` the SPEC section."""

    def __init__(self, message: str, *, came: object, allowed: Iterable[object], where: str):
        self.came = came
        self.allowed = tuple(allowed)
        self.where = where
        super().__init__(f"{message} (SPEC {where})")


class UnknownGame(GameError, KeyError):
    """A KeyError too, because it is raised by a lookup in GAMES."""

    # KeyError would print the message in quotes.
    __str__ = ValueError.__str__


class BadSeats(GameError):
    """The rule set is not played at tables of this size."""


class BadOption(GameError):
    """No such option in this rule set, or not such a value for it."""


class BadDeal(GameError):
    """Cards to be dealt that the deck does not have, or a step of chance that cannot come."""


class BadView(GameError):
    """A map that is not a view of this game."""


class WrongState(GameError, TypeError):
    """A state of another game, or no state at all."""


class RefusedAction(GameError):
    """An action that was not played; the state is as it was before."""


class OutOfTurn(RefusedAction):
    """This seat owes no decision now."""


class UnknownAction(RefusedAction):
    """Not an action of this game at all."""


class IllegalAction(RefusedAction):
    """An action of this game that the rules forbid here."""


def no_such_dealer(came: object, seats: int) -> BadSeats:
    """The error for a dealer that is not at the table; `came` is that seat."""
    return BadSeats(
        f"the dealer is a seat from 0 to {seats - 1}, or None for a lot; got {came!r}",
        came=came,
        allowed=range(seats),
        where="10.1",
    )


def no_such_seat(came: object, seats: int, where: str) -> BadSeats:
    """The error for the view of a seat that is not at the table; `came` is that seat."""
    return BadSeats(
        f"seats at this table are numbered 0 to {seats - 1}, and None is a spectator; got {came!r}",
        came=came,
        allowed=range(seats),
        where=where,
    )
