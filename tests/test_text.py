"""Words for people, made of texts that bots chose."""

from __future__ import annotations

import pytest

from arena.text import both_ends, duration, plain, shortened


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("caf\u00e9", "caf\u00e9"),
        ("\x1b[31mred\r", "\N{REPLACEMENT CHARACTER}[31mred\N{REPLACEMENT CHARACTER}"),
        ("\tat fox.play", "        at fox.play"),
        ("seat\tcards", "seat    cards"),
        ("right\u202eleft", "right\N{REPLACEMENT CHARACTER}left"),
    ],
)
def test_only_harmless_characters_are_shown_and_tabs_as_spaces(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_long_output_is_shortened_in_the_middle_and_says_by_how_much() -> None:
    lines = [str(number) for number in range(10)]
    assert both_ends(lines, 2, 3) == ["0", "1", "[5 lines are left out here]", "7", "8", "9"]
    assert both_ends(lines, 4, 5) == both_ends(lines, 5, 5) == both_ends(lines, 8, 8) == lines
    assert both_ends([], 2, 3) == []


def test_a_long_text_is_shortened_to_its_ends_and_says_by_how_much() -> None:
    text = "0123456789"
    assert shortened(text, 10) == shortened(text, 4, 6) == shortened(text, 99) == text
    assert shortened(text, 4) == "0123 [6 characters are left out here]"
    assert shortened(text, 4, 3) == "0123 [3 characters are left out here] 789"
    assert shortened(text * 1_000, 1).startswith("0 [9,999 characters")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "0 s"),
        (59.6, "1 min 0 s"),
        (61, "1 min 1 s"),
        (3_599, "59 min 59 s"),
        (3_600, "1 h 0 min"),
        (90_061, "25 h 1 min"),
    ],
)
def test_durations_are_told_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words
