"""How many tables a network may open in a row."""

from __future__ import annotations

from arena.people.allowance import MOST_IN_A_ROW, SECONDS_EACH, TableAllowance


def test_a_network_may_open_some_tables_in_a_row_and_then_one_now_and_then() -> None:
    allowance = TableAllowance()
    for _ in range(MOST_IN_A_ROW):
        assert allowance.seconds_until("a", 5.0) == 0
        allowance.spend("a", 5.0)
    assert allowance.seconds_until("a", 5.0) == SECONDS_EACH
    assert allowance.seconds_until("a", 5.0 + SECONDS_EACH) == 0
    allowance.spend("a", 5.0 + SECONDS_EACH)
    assert allowance.seconds_until("a", 5.0 + SECONDS_EACH) == SECONDS_EACH


def test_other_networks_are_no_part_of_it() -> None:
    allowance = TableAllowance()
    for _ in range(2 * MOST_IN_A_ROW):
        allowance.spend("a", 0.0)
    assert allowance.seconds_until("b", 0.0) == 0


def test_networks_that_may_open_all_again_are_forgotten() -> None:
    allowance = TableAllowance()
    for number in range(100):
        allowance.spend(str(number), number * 2 * SECONDS_EACH)
    assert len(allowance._full_at) == 1
