"""The rules of every game, pure: no I/O, no clock, nothing of the wire."""

from arena.games.errors import (
    BadOption,
    BadSeats,
    BadView,
    GameError,
    IllegalAction,
    OutOfTurn,
    RefusedAction,
    UnknownAction,
    UnknownGame,
)
from arena.games.interface import Actions, Field, Game, Outcome, State, Until, View
from arena.games.registry import GAMES

__all__ = [
    "GAMES",
    "Actions",
    "BadOption",
    "BadSeats",
    "BadView",
    "Field",
    "Game",
    "GameError",
    "IllegalAction",
    "OutOfTurn",
    "Outcome",
    "RefusedAction",
    "State",
    "UnknownAction",
    "UnknownGame",
    "Until",
    "View",
]
