"""Silence and unfinished frames, on times given by hand."""

from __future__ import annotations

from arena.referee.wire.patience import Patience

HANG_US = 1_000
FAR = 1_000_000


def test_who_is_late_the_first_time_is_not_silent_for_too_long() -> None:
    patience = Patience()
    assert not patience.was_late_before
    patience.asks(0)
    assert patience.rules_late(5 * HANG_US, HANG_US) is None
    assert not patience.was_late_before


def test_silence_adds_up_over_requests_but_not_between_them() -> None:
    patience = Patience()
    patience.rules_late(100, HANG_US)
    patience.asks(50_000)
    assert patience.was_late_before
    assert patience.rules_late(50_999, HANG_US) is None
    patience.asks(70_000)
    assert patience.deadline(FAR, HANG_US) == 70_001
    assert patience.rules_late(70_001, HANG_US) == 1_000


def test_any_answer_ends_a_silence_and_only_a_stale_one_makes_the_next_miss_a_new_late() -> None:
    patience = Patience()
    patience.rules_late(100, HANG_US)
    patience.asks(200)
    patience.hears()
    assert patience.was_late_before
    assert patience.deadline(FAR, HANG_US) == FAR
    patience.hears_stale()
    assert not patience.was_late_before


def test_a_frame_is_unfinished_from_its_beginning_until_it_is_whole() -> None:
    patience = Patience()
    patience.sees_beginning(100)
    patience.sees_beginning(600)
    assert patience.deadline(FAR, HANG_US) == 100 + HANG_US
    assert not patience.is_over_frame(1_099, HANG_US)
    assert patience.is_over_frame(1_100, HANG_US)
    patience.sees_whole_frame()
    assert not patience.is_over_frame(FAR, HANG_US)
    assert patience.deadline(FAR, HANG_US) == FAR


def test_it_is_tried_while_there_is_a_silence_or_a_frame_begun() -> None:
    patience = Patience()
    assert not patience.is_tried
    patience.rules_late(100, HANG_US)
    patience.sees_beginning(200)
    patience.hears()
    assert patience.is_tried
    patience.sees_whole_frame()
    assert not patience.is_tried
    patience.rules_late(300, HANG_US)
    patience.hears()
    assert not patience.is_tried
    patience.rules_late(400, HANG_US)
    patience.hears_stale()
    assert not patience.is_tried
    assert patience.deadline(FAR, HANG_US) == FAR
    assert repr(patience) == "<Patience silent since None, begun None>"
