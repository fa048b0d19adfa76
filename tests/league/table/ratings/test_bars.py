"""Bars: the formula by hand, and that they hold the truth as often as they say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena.league.model.anchor import Anchor
from arena.league.table.ratings import Scored, ratings
from arena.league.table.ratings.bars import covariance, half_width, spread_over, surprises
from arena.league.table.ratings.group import rate_groups
from arena.league.table.ratings.pairs import pairs_of
from arena.league.table.ratings.results import Floats, Ints, tables_of
from arena.stats import quantile
from tests.league.table.ratings import by_hand
from tests.league.table.ratings.leagues import KINDS, Kind, any_league, league

NAMES = [*"abcdefg"]
OWNERS = [*"uvwxyzz"]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("tau", [0.0, 1.0])
@pytest.mark.parametrize("anchor", [Anchor(), Anchor({"c": 1}), Anchor({"a": 1, "g": 3}, elo=1500)])
def test_bars_are_those_of_the_formula_taken_literally(
    seed: int, tau: float, anchor: Anchor
) -> None:
    matches = any_league(seed)
    rated = ratings(NAMES, matches, owners=OWNERS, anchor=anchor, tau=tau)
    (group,) = rated.groups
    assert group.is_main.all()
    pinned = [anchor.weights.get(name, 0) if anchor.weights else 1 for name in NAMES]
    weights = [weight / sum(pinned) for weight in pinned]
    middle = where_the_prior_is(rated.groups[0].elo.tolist(), matches, tau)
    prior = [tau * p * (1 - p) for p in (1 / (1 + 10 ** (-x / 400)) for x in middle)]
    wanted = by_hand.covariance(group.elo.tolist(), matches, OWNERS, weights, prior)
    assert group.covariance == pytest.approx(wanted, rel=1e-9, abs=1e-9)
    for row in rated.rows:
        bot = NAMES.index(row.bot)
        sets = sets_with_an_opponent(bot, matches)
        bar = by_hand.half_width(max(0.0, wanted[bot, bot]), quantile(0.975, sets - 1), sets)
        assert row.half_width == pytest.approx(bar, rel=1e-9, abs=1e-5)


def where_the_prior_is(elo: list[float], matches: list[Scored], tau: float) -> list[float]:
    """The same ratings as distances from the bot that the prior ties with. At the solution the
    prior gives as much as it takes, which fixes that bot's place."""
    low, high = min(elo), max(elo)
    for _ in range(200):
        middle = (low + high) / 2
        given = sum(1 / (1 + 10 ** ((middle - x) / 400)) - 0.5 for x in elo)
        low, high = (middle, high) if given > 0 else (low, middle)
    relative = [x - middle for x in elo]
    missing = by_hand.missing_points(relative, matches, OWNERS)
    for x, points in zip(relative, missing, strict=True):
        assert points + tau * (0.5 - 1 / (1 + 10 ** (-x / 400))) == pytest.approx(0, abs=1e-8)
    return relative


def sets_with_an_opponent(bot: int, matches: list[Scored]) -> int:
    return len(
        {
            match.set
            for match in matches
            for i, j, _, _ in by_hand.comparisons(match, OWNERS)
            if bot in (i, j)
        }
    )


def test_a_bar_is_wider_with_few_sets_and_none_with_one() -> None:
    assert half_width(100.0, 1) is None
    assert half_width(100.0, 2) == pytest.approx(12.7062 * 10 * math.sqrt(2), rel=1e-4)
    assert half_width(100.0, 100_000) == pytest.approx(19.6, abs=0.01)


def test_a_single_set_has_no_spread() -> None:
    for sets in (0, 1, 2):
        played = league(KINDS["duplicate"], 0, np.zeros(4), sets=2)
        pairs = pairs_of(4, tables_of(4, [match for match in played if match.set < sets]))
        assert pairs.sets == sets
        told = surprises(pairs, np.zeros(4))
        assert told.surprise.any() == (sets > 0)
        counted, spread = spread_over(pairs, np.zeros(4))
        assert counted == sets
        assert covariance(sets, spread.matrix(), np.eye(4)).any() == (sets > 1)


def test_what_matches_of_a_set_share_is_no_news() -> None:
    """Each set played twice over, with the same results: the bars stay as they were."""
    once = any_league(3)
    twice = [*once, *once]
    first, second = (ratings(NAMES, matches, tau=0).groups[0] for matches in (once, twice))
    assert second.covariance == pytest.approx(first.covariance)
    assert second.plain_covariance == pytest.approx(first.plain_covariance / 2)


LEAGUES = 300


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_bars_hold_the_truth_nineteen_times_in_twenty(kind: Kind) -> None:
    elos, bars = np.zeros((2, LEAGUES, 8))
    for seed in range(LEAGUES):
        pairs = pairs_of(8, tables_of(8, league(kind, seed)))
        (group,) = rate_groups(pairs, nobody_pinned)
        elos[seed] = group.elo
        bars[seed] = [group.half_width(bot) for bot in range(8)]
    truth = elos.mean(axis=0)
    coverage = float((np.abs(elos - truth) <= bars).mean())
    print(f"{coverage:.1%}")
    assert 0.93 <= coverage <= 0.97


def nobody_pinned(bots: Ints) -> Floats:
    return np.zeros(len(bots))
