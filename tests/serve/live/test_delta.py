"""Patches of texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.serve.live.delta import patch, patched

texts = st.lists(st.sampled_from(["a", "b", "</tr>", ""]), max_size=12)


@given(texts, texts)
def test_a_patch_makes_the_new_text_of_the_old_one(before: list[str], after: list[str]) -> None:
    assert patched(before, patch(before, after)) == after


def test_a_text_that_is_the_same_needs_no_change() -> None:
    assert patch(["a", "b"], ["a", "b"]) == []


def test_only_the_lines_that_differ_are_sent() -> None:
    before = ["<tr>", "<td>1", "<td>2", "</tr>", "<tr>", "<td>3", "</tr>"]
    after = ["<tr>", "<td>9", "<td>8", "</tr>", "<tr>", "<td>4", "</tr>"]
    assert patch(before, after) == [(1, 2, ("<td>9", "<td>8")), (5, 1, ("<td>4",))]


def test_where_a_line_is_new_what_is_the_same_before_and_behind_is_not_sent() -> None:
    assert patch(["a", "b", "c"], ["a", "x", "y", "c"]) == [(1, 1, ("x", "y"))]
