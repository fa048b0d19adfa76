"""What a result is worth."""

from __future__ import annotations

import random

import pytest

from arena.games import Game, Options, Outcome
from arena.rl.rewards import REWARDS, reward_bounds, reward_called, rewards_of
from tests.games.test_contract import every_table

RESULT = Outcome((12, 3, 12, 7), (1, 4, 1, 3), "rounds")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("place", [2 / 3, -1.0, 2 / 3, -1 / 3]),
        # 34 points in all: 12 - 22/3, 3 - 31/3, 12 - 22/3, 7 - 27/3.
        ("margin", [14 / 3, -22 / 3, 14 / 3, -2.0]),
        ("score", [12.0, 3.0, 12.0, 7.0]),
    ],
)
def test_a_result_is_worth_what_the_name_says(name: str, expected: list[float]) -> None:
    assert REWARDS[name].of(RESULT) == pytest.approx(expected)


@every_table
def test_rewards_stay_within_their_bounds_and_add_up_to_nothing_where_told_so(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} {options} rewards")
    for number in range(3):
        state = game.deal(seats, bytes([number]), options)
        game.playout(state, rng)
        for reward in REWARDS.values():
            low, high = reward_bounds(reward, game, seats, options)
            worth = rewards_of(reward, state.outcome(), seats)
            assert low <= min(worth)
            assert max(worth) <= high
            assert sum(worth) == pytest.approx(0) or not reward.is_zero_sum


def test_nothing_is_earned_while_the_match_goes_on() -> None:
    assert rewards_of(REWARDS["place"], None, 3) == [0, 0, 0]


def test_an_unknown_reward_is_answered_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"no reward 'places'; there are: place, margin, score"):
        reward_called("places")
