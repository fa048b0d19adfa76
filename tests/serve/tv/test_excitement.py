"""How worth watching a match was."""

from __future__ import annotations

import pytest

from arena.serve.tv.excitement import closeness_of, excitement, lead_of, upset_of

NAMES = ("fox", "owl", "crow", "hare")
ELO = {"fox": 100.0, "owl": 0.0, "crow": 0.0, "hare": -100.0}


def test_a_match_that_ends_as_the_ratings_say_is_no_upset() -> None:
    assert upset_of(NAMES, (1, 2, 3, 4), ELO) == 0


def test_an_upset_is_the_greater_the_better_those_are_who_were_beaten() -> None:
    small = upset_of(NAMES, (2, 1, 3, 4), ELO)
    large = upset_of(NAMES, (2, 3, 4, 1), ELO)
    assert 0 < small < large
    assert small == pytest.approx(100 / 400 / 6)
    assert large == pytest.approx((200 + 100 + 100) / 400 / 6)


def test_a_bot_without_a_rating_and_a_tie_are_no_upset() -> None:
    assert upset_of(("new", "fox"), (1, 2), ELO) == 0
    assert upset_of(("hare", "fox"), (1, 1), ELO) == 0


def test_the_lead_counts_deals_that_change_who_leads() -> None:
    assert lead_of([(3, 0), (3, 4), (9, 4)]) == 1
    assert lead_of([(3, 0), (4, 1), (4, 9)]) == 0.5
    assert lead_of([(3, 3), (4, 3), (4, 4)]) == 1  # a shared lead is another
    assert lead_of([(3, 0)]) == lead_of([]) == 0


def test_the_first_two_are_close_if_the_last_is_far_away() -> None:
    assert closeness_of([(10, 9, 0)]) == pytest.approx(0.9)
    assert closeness_of([(10, 0, 0)]) == 0
    assert closeness_of([(5, 5, 5)]) == closeness_of([(0, 0), (7, 7, 1)]) == 1
    assert closeness_of([]) == closeness_of([(4,)]) == 0


def test_the_sum_weighs_an_upset_double() -> None:
    found = excitement(("hare", "fox", "owl"), (1, 2, 3), [(0, 1, 2), (10, 9, 0)], ELO)
    assert (found.upset, found.lead, found.closeness) == pytest.approx((0.25, 1, 0.9))
    assert found.total == pytest.approx(2 * 0.25 + 1 + 0.9)
