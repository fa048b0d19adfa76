"""Where all actions are worth the same, hardly any match shows a mistake."""

from __future__ import annotations

import pytest

from arena.judge import bars
from tests.judge.equal_actions import LUCK, mistakes_found


@pytest.mark.parametrize("luck", [*LUCK])
def test_no_mistake_is_found_where_all_actions_are_worth_the_same(luck: str) -> None:
    """Of these matches none shows one; the slow test counts many more."""
    assert [mistakes_found(LUCK[luck], match) for match in range(4)] == [0] * 4


@pytest.mark.slow
@pytest.mark.parametrize("luck", [*LUCK])
def test_at_most_one_match_in_twenty_shows_a_false_mistake(luck: str) -> None:
    matches = 200
    false = sum(mistakes_found(LUCK[luck], match) > 0 for match in range(matches))
    assert false <= matches * bars.CHANCE_OF_A_MISS


def test_bars_for_each_comparison_alone_would_call_many_equal_actions_mistakes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So the simulation can tell good bars from bad ones."""
    # As if there were one comparison, and one look at it.
    alone = bars.CHANCE_OF_A_MISS
    monkeypatch.setattr(bars.Level, "miss", property(lambda level: alone))
    found = [mistakes_found(LUCK["wide"], match) > 0 for match in range(4)]
    assert sum(found) >= 3
