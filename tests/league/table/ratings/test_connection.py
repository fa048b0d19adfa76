"""Groups and cores."""

from __future__ import annotations

import numpy as np

from arena.league.table.ratings.connection import cores, groups, main_core
from arena.league.table.ratings.results import Floats


def scored(bots: int, *points: tuple[int, int]) -> Floats:
    """Each (a, b): a scored against b."""
    matrix = np.zeros((bots, bots))
    for a, b in points:
        matrix[a, b] = 1
    return matrix


def numbers(parts: list[np.ndarray[tuple[int], np.dtype[np.int64]]]) -> list[list[int]]:
    return [part.tolist() for part in parts]


def test_a_chain_of_comparisons_makes_a_group_the_largest_first() -> None:
    chain = scored(6, (1, 3), (3, 5), (0, 2))
    assert numbers(groups(chain + chain.T)) == [[1, 3, 5], [0, 2], [4]]


def test_a_core_has_points_along_a_chain_in_both_directions() -> None:
    assert numbers(cores(scored(4, (0, 1), (1, 2), (2, 0), (3, 0)))) == [[0, 1, 2], [3]]
    assert numbers(cores(scored(3, (0, 1), (1, 2)))) == [[0], [1], [2]]


def test_long_chains_are_followed_to_their_end() -> None:
    ring = scored(101, *((bot, (bot + 1) % 101) for bot in range(101)))
    assert len(cores(ring)) == 1


def test_the_main_core_outgrows_all_others() -> None:
    perfect = cores(scored(3, (0, 1), (0, 2), (1, 2), (2, 1)))
    assert main_core(perfect).tolist() == [1, 2]
    assert main_core(cores(scored(2, (0, 1)))).tolist() == []
    two_pairs = cores(scored(4, (0, 1), (1, 0), (2, 3), (3, 2), (0, 2)))
    assert main_core(two_pairs).tolist() == []


def test_a_bot_alone_is_a_group_and_a_core() -> None:
    assert numbers(groups(np.zeros((1, 1)))) == [[0]]
    assert main_core(cores(np.zeros((1, 1)))).tolist() == [0]
