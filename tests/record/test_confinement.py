"""Words for how bots were confined, and which says less."""

from __future__ import annotations

import pytest

from arena.record.confinement import is_weaker, weaker

STRONGEST_FIRST = (
    "dialled-in",
    "bubblewrap",
    "landlock 10",
    "landlock 7",
    "landlock 1",
    "landlock",
    "unconfined",
)


def test_the_weaker_of_two_is_the_later_one() -> None:
    for place, one in enumerate(STRONGEST_FIRST):
        for other in STRONGEST_FIRST[place:]:
            assert weaker(one, other) == weaker(other, one) == other


@pytest.mark.parametrize(
    ("now", "before", "is_less"),
    [
        ("unconfined", "bubblewrap", True),
        ("landlock 7", "bubblewrap", True),
        ("unconfined", "landlock 7", True),
        ("landlock 6", "landlock 7", False),
        ("bubblewrap", "landlock 7", False),
        ("bubblewrap", "unconfined", False),
        ("unconfined", "unconfined", False),
    ],
)
def test_a_rung_is_weaker_whatever_its_abi(now: str, before: str, is_less: bool) -> None:
    assert is_weaker(now, before) is is_less


def test_a_word_of_a_later_version_promises_nothing() -> None:
    assert weaker("something new", "unconfined") == "something new"
