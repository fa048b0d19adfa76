"""Options as parameters of OpenSpiel games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.games import GAMES, Game
from arena.games.options import Option
from arena.rl.spiel_parameters import default_of, options_of, parameters
from tests.games.test_contract import every_game


@every_game
def test_every_option_is_a_parameter_and_left_out_at_its_default(game: Game) -> None:
    defaults = parameters(game)
    assert {*defaults} == {"players", "reward", "chance", *(option.name for option in game.options)}
    assert options_of(game, defaults) == {}
    for seats in game.seats:
        game.deal(seats, b"", options_of(game, {**defaults, "players": seats}))


def test_a_value_that_is_given_is_an_option() -> None:
    given = {**parameters(GAMES["nyet"]), "rounds": 2, "dealer": 0, "scoring": "difference"}
    assert options_of(GAMES["nyet"], given) == {"rounds": 2, "dealer": 0, "scoring": "difference"}


class Whatever:
    """Takes any value."""

    def allowed(self, seats: int) -> str:
        return "anything"

    def read(self, value: object, seats: int) -> None:
        return None


def test_an_option_that_refuses_no_number_has_no_parameter_and_says_so() -> None:
    some: Option = replace(GAMES["nyet"].options[0], kind=Whatever())
    with pytest.raises(TypeError, match="'rounds' allows all of"):
        default_of(some, 4)
