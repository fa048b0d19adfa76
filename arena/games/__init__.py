"""The rules of every game, pure: no I/O, no clock, nothing of the wire."""

from arena.games.description import (
    EVERY_PHASE,
    DecisionKind,
    Drawing,
    Options,
    Trials,
    ViewField,
    ViewRecord,
)
from arena.games.errors import (
    BadDeal,
    BadOption,
    BadSeats,
    BadView,
    GameError,
    IllegalAction,
    OutOfTurn,
    RefusedAction,
    UnknownAction,
    UnknownGame,
    WrongState,
)
from arena.games.interface import Actions, Game, Outcome, State, Until, View
from arena.games.observation import Observation, Part
from arena.games.recall import NoRecallArray, Recall, RecallLayout
from arena.games.registry import GAMES

__all__ = [
    "EVERY_PHASE",
    "GAMES",
    "Actions",
    "BadDeal",
    "BadOption",
    "BadSeats",
    "BadView",
    "DecisionKind",
    "Drawing",
    "Game",
    "GameError",
    "IllegalAction",
    "NoRecallArray",
    "Observation",
    "Options",
    "OutOfTurn",
    "Outcome",
    "Part",
    "Recall",
    "RecallLayout",
    "RefusedAction",
    "State",
    "Trials",
    "UnknownAction",
    "UnknownGame",
    "Until",
    "View",
    "ViewField",
    "ViewRecord",
    "WrongState",
]
