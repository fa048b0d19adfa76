"""What is on the air."""

from __future__ import annotations

from typing import Any, cast

from arena.serve.tv.channel import KEPT, Candidate, TvChannel
from arena.serve.tv.excitement import Excitement
from arena.serve.tv.pace import ShownDeal


def candidate(name: int, total: float, deals: int = 2) -> Candidate:
    """A match of nothing but its name, how exciting it was, and deals of one move."""
    shown = [ShownDeal(number, (1,), ()) for number in range(deals)]
    return Candidate(cast("Any", name), shown, Excitement(total, 0, 0, 0))


def shown(channel: TvChannel, count: int) -> list[tuple[object, int]]:
    found = []
    for _ in range(count):
        on = channel.go_on()
        assert on is not None
        found.append((cast("object", on.candidate.played), on.deal))
    return found


def test_the_most_exciting_match_is_shown_first_and_to_its_end() -> None:
    channel = TvChannel()
    for name, total in ((1, 0.5), (2, 2.0), (3, 1.0)):
        channel.add(candidate(name, total))
    assert shown(channel, 6) == [(2, 0), (2, 1), (3, 0), (3, 1), (1, 0), (1, 1)]


def test_a_much_better_match_takes_over_when_a_deal_is_over_and_not_before() -> None:
    channel = TvChannel()
    channel.add(candidate(1, 1.0, 3))
    assert shown(channel, 1) == [(1, 0)]
    channel.add(candidate(2, 1.16))
    assert channel.now is not None
    assert channel.now.deal == 0
    assert shown(channel, 1) == [(1, 1)]  # better, but not by enough
    channel.add(candidate(3, 1.18))
    assert shown(channel, 2) == [(3, 0), (3, 1)]


def test_without_anything_new_the_matches_are_shown_again_in_turn() -> None:
    channel = TvChannel()
    assert channel.go_on() is None
    for name in (1, 2):
        channel.add(candidate(name, 3.0 - name, 1))
    assert shown(channel, 5) == [(1, 0), (2, 0), (1, 0), (2, 0), (1, 0)]


def test_only_so_many_matches_are_remembered() -> None:
    channel = TvChannel()
    for name in range(1000):
        channel.add(candidate(name, name, 1))
    assert len({name for name, _ in shown(channel, 2 * KEPT)}) == KEPT
