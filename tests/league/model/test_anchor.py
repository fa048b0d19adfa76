"""The anchor of a scale, told to people."""

from __future__ import annotations

import pytest

from arena.league.model.anchor import Anchor


@pytest.mark.parametrize(
    ("anchor", "words"),
    [
        (Anchor(), "the mean of all bots is 0"),
        (Anchor({"fox": 1.0}, 1500.0), "fox is 1500"),
        (Anchor({"fox": 2.0, "owl": 1.0}, -0.5), "the mean of fox, owl is -0.5"),
    ],
)
def test_the_zero_of_the_scale_is_told_in_words(anchor: Anchor, words: str) -> None:
    assert anchor.in_words() == words
