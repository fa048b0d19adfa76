"""Which sets get pages, from the choice in words."""

from __future__ import annotations

import pytest

from arena.league.model.match_pages import MatchPages, SetsPlayed

TEN = SetsPlayed(dict.fromkeys(range(1, 11), 4), frozenset({2, 9}))


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("all", {*range(1, 11)}),
        ("none", set()),
        ("faults", {2, 9}),
        ("last 8", {2, 9, 10}),
        ("last 9", {2, 8, 9, 10}),
        ("last 4", {9, 10}),  # of sets with a fault as many matches, and not more
        ("last 5", {2, 9, 10}),
        ("last 1", {9, 10}),
        ("last 1000000000", {*range(1, 11)}),
    ],
)
def test_whole_sets_are_chosen_the_newest_and_the_newest_with_a_fault(
    words: str, chosen: set[int]
) -> None:
    assert MatchPages.read(words).chosen(TEN) == chosen


def test_sets_of_any_number_of_matches_are_counted_by_their_matches() -> None:
    played = SetsPlayed({1: 1, 2: 6, 3: 2, 5: 1}, frozenset())
    assert MatchPages.read("last 3").chosen(played) == {3, 5}
    assert MatchPages.read("last 4").chosen(played) == {2, 3, 5}
    assert MatchPages.read("last 4").chosen(SetsPlayed({}, frozenset())) == set()


def test_pages_of_sets_with_a_fault_are_bounded_where_every_set_has_one() -> None:
    played = SetsPlayed(dict.fromkeys(range(1, 10_001), 4), frozenset(range(1, 5_001)))
    assert MatchPages.read("last 1000").chosen(played) == {
        *range(4_751, 5_001),
        *range(9_751, 10_001),
    }


@pytest.mark.parametrize(
    "words",
    [
        "",
        "ALL",
        "last",
        "last 0",
        "last -1",
        "last 1.5",
        "last 01",
        "last 1000000001",
        "all\n",
        "5",
    ],
)
def test_any_other_words_are_refused_with_those_that_there_are(words: str) -> None:
    with pytest.raises(ValueError, match='is not "all", "last N"'):
        MatchPages.read(words)
