"""The worth of a result to each seat, as a number that a program learns from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from arena.games import Game, Options, Outcome
from arena.text import did_you_mean


def by_place(outcome: Outcome) -> list[float]:
    """From -1 for the last place alone to 1 for the first: the share of the others behind the
    seat, less the share before it. A league's Elo counts nothing else."""
    places = outcome.places
    others = len(places) - 1
    return [sum((place > me) - (place < me) for place in places) / others for me in places]


def by_margin(outcome: Outcome) -> list[float]:
    """The seat's score less the mean score of the others."""
    scores = outcome.scores
    total, others = sum(scores), len(scores) - 1
    return [score - (total - score) / others for score in scores]


def by_score(outcome: Outcome) -> list[float]:
    """The seat's score."""
    return [float(score) for score in outcome.scores]


@dataclass(frozen=True)
class Reward:
    """One way to value a result. `bounds`: from those of scores, those of rewards."""

    of: Callable[[Outcome], list[float]]
    bounds: Callable[[int, int], tuple[float, float]]
    is_zero_sum: bool


REWARDS: Mapping[str, Reward] = MappingProxyType(
    {
        "place": Reward(by_place, lambda low, high: (-1.0, 1.0), True),
        "margin": Reward(by_margin, lambda low, high: (float(low - high), float(high - low)), True),
        "score": Reward(by_score, lambda low, high: (float(low), float(high)), False),
    }
)
"""By name; `place` is the default everywhere."""


def reward_called(name: str) -> Reward:
    """Look a reward up; a ValueError names those there are."""
    if name not in REWARDS:
        raise ValueError(
            f"there is no reward {name!r}; there are: {', '.join(REWARDS)}."
            + did_you_mean(name, REWARDS)
        )
    return REWARDS[name]


def reward_bounds(reward: Reward, game: Game, seats: int, options: Options) -> tuple[float, float]:
    """Return a number that no reward of such a match falls below, and one that none exceeds."""
    return reward.bounds(*game.score_bounds(seats, options))


def rewards_of(reward: Reward, outcome: Outcome | None, seats: int) -> Sequence[float]:
    """Return the reward of each seat; all 0 while the match is going on."""
    return [0.0] * seats if outcome is None else reward.of(outcome)
