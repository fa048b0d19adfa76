"""Tables and options as parameters of OpenSpiel games, which are whole numbers, texts and flags.

`arena_nyet(players=4,rounds=1,reward=margin)`: an option that may be left out has a default that no
value of it equals, so that leaving it out and giving its default are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from arena.games import Game
from arena.games.options import Option
from arena.games.research import RESEARCH

Parameter: TypeAlias = int | str | bool

PLAYERS, REWARD, CHANCE = "players", "reward", "chance"
OURS = (PLAYERS, REWARD, CHANCE)
USUAL_PLAYERS = 4
SEED, CARDS = CHANCES = "seed", "cards"  # what chance draws: a game for exact solving has cards

# Numbers that an option of numbers may refuse; the first that it does stands for "not given".
NEVER = (0, -1, -2)


def parameters(game: Game) -> dict[str, Parameter]:
    """Return the parameters of a rule set, each with its default."""
    return {
        PLAYERS: USUAL_PLAYERS if USUAL_PLAYERS in game.seats else game.seats[0],
        REWARD: "place",
        CHANCE: CHANCES[game.name in RESEARCH],
        **{option.name: default_of(option, game.seats[0]) for option in game.options},
    }


def default_of(option: Option, seats: int) -> Parameter:
    """Return the default of an option as a parameter."""
    if isinstance(option.default, int | str):  # a flag is an int too
        return option.default
    for number in NEVER:
        try:
            option.kind.read(number, seats)
        except ValueError:
            return number
    raise TypeError(f"option {option.name!r} allows all of {NEVER}: none can stand for its default")


def options_of(game: Game, given: Mapping[str, Parameter]) -> dict[str, Parameter]:
    """Return the options that these parameters give, without those at their defaults."""
    defaults = parameters(game)
    return {
        name: value for name, value in given.items() if name not in OURS and value != defaults[name]
    }
