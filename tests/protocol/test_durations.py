from __future__ import annotations

import pytest

from protocol.durations import told


@pytest.mark.parametrize(
    ("time_us", "words"),
    [
        (0, "0 us"),
        (999, "999 us"),
        (1_500, "1.5 ms"),
        (12_345, "12.3 ms"),
        (999_499, "999 ms"),
        (999_500, "1 s"),
        (10_100_213, "10.1 s"),
        (3_600_000_000, "3600 s"),
    ],
)
def test_a_time_in_words_has_three_figures_or_whole_seconds(time_us: int, words: str) -> None:
    assert told(time_us) == words
