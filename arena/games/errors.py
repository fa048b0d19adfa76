"""What can be wrong with what someone asks of a game.

    GameError
    ├── UnknownGame      no such rule set
    ├── BadSeats         the rule set is not played by so many
    ├── BadOption        no such option, or not such a value
    ├── BadView          not a view of this game
    └── RefusedAction    the state is as it was before
        ├── OutOfTurn        this seat owes no decision now
        ├── UnknownAction    not an action of this game at all
        └── IllegalAction    an action of this game that the rules forbid here

Each says what came, what is allowed, and which section of SPEC.md says so.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class GameError(ValueError):
    """`came` is what was given, `allowed` what would do, `where` the SPEC section."""

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
    """The rule set is not played by so many."""


class BadOption(GameError):
    """No such option in this rule set, or not such a value for it."""


class BadView(GameError):
    """A map that is not a view of this game."""


class RefusedAction(GameError):
    """Nothing was played; the state is as it was before."""


class OutOfTurn(RefusedAction):
    """This seat owes no decision now."""


class UnknownAction(RefusedAction):
    """Not an action of this game at all."""


class IllegalAction(RefusedAction):
    """An action of this game that the rules forbid here."""


def no_such_seat(came: object, seats: int, where: str) -> BadSeats:
    """Somebody asked for the view of a seat that is not at the table."""
    return BadSeats(
        f"seats at this table are numbered 0 to {seats - 1}, and None is a spectator; got {came!r}",
        came=came,
        allowed=range(seats),
        where=where,
    )


def did_you_mean(came: object, known: Iterable[str]) -> str:
    """A hint to append to a message: the nearest known name, or nothing."""
    near = difflib.get_close_matches(str(came), list(known), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
