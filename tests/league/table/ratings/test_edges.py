"""What a seat is worth."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from arena.league.table.ratings import Scored, seat_edges
from arena.league.table.ratings.edges import _Comparisons, fitted
from arena.league.table.ratings.model import ELO
from arena.league.table.ratings.results import tables_of
from tests.league.table.ratings.golden import ratings_of, two_player
from tests.league.table.ratings.leagues import KINDS, league


def with_edges(name: str) -> tuple[dict[str, float], float]:
    """Ratings, and the edge of moving first, without a prior."""
    names, matches = two_player(name)
    (table,) = tables_of(len(names), matches)
    ratings = ELO * fitted(_Comparisons(len(names), table), tau=0)[: len(names)]
    (edges,) = seat_edges(len(names), matches, tau=0)
    return dict(zip(names, ratings - ratings.mean(), strict=True)), edges.elo[0] - edges.elo[1]


def test_the_edge_of_moving_first_is_that_of_ordo() -> None:
    wanted = ratings_of("g2_rr5_draws", "Ordo 1.2.6", "-W, exact scale")
    ratings, edge = with_edges("g2_rr5_draws")
    # Printed with two decimals.
    assert edge == pytest.approx(wanted.pop("(first-mover edge)"), abs=0.005)
    assert ratings == pytest.approx(wanted, abs=0.001)


def test_without_ties_the_ratings_beside_an_edge_are_those_of_bayeselo() -> None:
    wanted = ratings_of("g3_nodraw6", "BayesElo 0057", "prior 0, mm 1 1, covariance")
    assert with_edges("g3_nodraw6")[0] == pytest.approx(wanted, abs=0.02)


EDGES = np.array([43.0, 9.0, -17.0, -35.0])


def seated(seed: int, matches: int) -> list[Scored]:
    """Single matches of four out of ten, seats drawn, the luck such that the model is exact."""
    rng = np.random.default_rng(seed)
    skills = np.linspace(-150, 150, 10)
    played = []
    for number in range(matches):
        bots = rng.permutation(10)[:4]
        results = (skills[bots] + EDGES) / ELO + rng.gumbel(size=4)
        places = (-results).argsort().argsort() + 1
        played.append(Scored(number, 0, tuple(bots.tolist()), tuple(places.tolist())))
    return played


def test_edges_of_single_matches_are_found_within_their_bars() -> None:
    (edges,) = seat_edges(10, seated(1, 8000))
    assert edges.seats == 4
    assert sum(edges.elo) == pytest.approx(0, abs=1e-6)
    for found, bar, truth in zip(edges.elo, edges.half_widths, EDGES, strict=True):
        assert bar is not None
        assert 4 < bar < 8
        assert found == pytest.approx(truth, abs=bar)


@pytest.mark.slow
def test_edges_lie_within_their_bars_nineteen_times_in_twenty() -> None:
    hits = []
    for seed in range(300):
        (edges,) = seat_edges(10, seated(seed, 300), tau=0)
        for found, bar, truth in zip(edges.elo, edges.half_widths, EDGES, strict=True):
            assert bar is not None
            hits.append(abs(found - truth) <= bar)
    coverage = math.fsum(hits) / len(hits)
    print(f"{coverage:.1%}")
    assert 0.93 <= coverage <= 0.97


def test_seats_that_are_worth_the_same_have_edges_inside_their_bars() -> None:
    """Of forty bars two miss, give or take."""
    hits = []
    for seed in range(10):
        (edges,) = seat_edges(8, league(KINDS["duplicate"], seed))
        hits += [
            bar is not None and abs(found) <= bar
            for found, bar in zip(edges.elo, edges.half_widths, strict=True)
        ]
    assert sum(hits) >= 35


def test_every_seat_and_every_bot_has_as_many_points_as_the_model_expects() -> None:
    """Taken literally: a comparison weighs two by the seats, and the prior is a tie with 0."""
    matches = seated(2, 60)
    (table,) = tables_of(10, matches)
    values = fitted(_Comparisons(10, table), tau=1)
    missing = [0.5 - 1 / (1 + math.exp(-value)) for value in values]
    for match in matches:
        for a, b in combinations(range(4), 2):
            one, other = (match.bots[a], 10 + a), (match.bots[b], 10 + b)
            lead = sum(values[at] for at in one) - sum(values[at] for at in other)
            above = 2 / 4 * ((match.places[a] < match.places[b]) - 1 / (1 + math.exp(-lead)))
            for at in one:
                missing[at] += above
            for at in other:
                missing[at] -= above
    assert missing == pytest.approx([0] * 14, abs=1e-8)


@pytest.mark.parametrize("tau", [0.5, 1.0])
def test_the_information_is_how_what_is_missing_shrinks(tau: float) -> None:
    (table,) = tables_of(10, seated(3, 40))
    comparisons = _Comparisons(10, table)
    values = np.linspace(-1, 1, 14)
    step = 1e-5
    shrinks = [
        (comparisons.missing(values - way, tau) - comparisons.missing(values + way, tau))
        / (2 * step)
        for way in step * np.eye(14)
    ]
    assert comparisons.information(values, tau) == pytest.approx(np.array(shrinks), abs=1e-7)


def test_each_table_size_has_edges_of_its_own() -> None:
    matches = [
        Scored(0, 0, (0, 1), (1, 2)),
        Scored(1, 0, (1, 0), (1, 2)),
        Scored(2, 0, (2, 1, 0), (1, 1, 1)),
        Scored(3, 0, (0, 0, 0, 0), (1, 2, 3, 4)),
    ]
    two, three = seat_edges(3, matches[::-1])
    assert (two.seats, three.seats) == (2, 3)
    # Seat 0 has won everything; the prior keeps that finite.
    assert 50 < two.elo[0] < 500
    assert three.elo == pytest.approx((0, 0, 0))
    assert three.half_widths == (None, None, None)


def test_comparisons_say_what_they_hold() -> None:
    (table,) = tables_of(2, [Scored(0, 0, (0, 1), (1, 2))])
    assert repr(_Comparisons(2, table)) == "<_Comparisons 1 at tables of 2>"
