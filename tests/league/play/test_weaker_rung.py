"""A league goes on with bots confined less well only where the operator names that."""

from __future__ import annotations

import pytest

from arena.bots.confine.choose import Rejected
from arena.bots.confine.confinement import Rung, Wish
from arena.league.play.run import WeakerRung, is_refused


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("bubblewrap", "landlock 7"),
        ("bubblewrap", "unconfined"),
        ("landlock 7", "unconfined"),
    ],
)
def test_a_weaker_rung_is_refused_unless_it_is_named(before: str, now: str) -> None:
    assert is_refused(before, now, Wish.AUTO)
    assert is_refused(before, now, Wish.STRICT)
    assert not is_refused(before, now, Wish.NONE)
    assert not is_refused(before, now, Wish.LANDLOCK)


@pytest.mark.parametrize("before", ["", "dialled-in", "bubblewrap", "landlock 7", "unconfined"])
def test_the_strongest_rung_may_follow_whatever_was_before(before: str) -> None:
    """Also in a league whose bots had all dialled in, and that gets its first started one."""
    assert not is_refused(before, "bubblewrap", Wish.AUTO)


def test_the_refusal_says_why_and_how_to_go_on() -> None:
    rejected = [Rejected(Rung.BUBBLEWRAP, "bwrap is not installed", "Try: apt install bubblewrap.")]
    said = str(WeakerRung("bubblewrap", "unconfined", rejected))
    assert "confined by bubblewrap until now" in said
    assert "bubblewrap: bwrap is not installed" in said
    assert said.endswith("--confine none")
