"""A league goes on with bots confined less well only where the operator names that."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.bots.confine.choose import Choice, Rejected
from arena.bots.confine.confinement import Rung, Wish
from arena.bots.confine.confiner import Means
from arena.league.model.config import Confine
from arena.league.play.run import LeagueRun, WeakerRung, is_refused


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


REJECTED = (Rejected(Rung.BUBBLEWRAP, "bwrap is not installed", "Try: apt install bubblewrap."),)


async def chosen(
    before: str,
    confine: Confine,
    monkeypatch: pytest.MonkeyPatch,
    *,
    bots: Sequence[str] = ("fox",),
) -> tuple[Means, list[str]]:
    """The means of a run where bubblewrap does not work, and what is said."""
    asked: list[tuple[object, ...]] = []
    said: list[str] = []

    async def choose(*given: object) -> Choice:
        asked.append(given)
        return Choice(Means(Rung.NONE), REJECTED)

    monkeypatch.setattr("arena.league.play.run.choose", choose)
    run = SimpleNamespace(
        runner=SimpleNamespace(
            league=SimpleNamespace(bots=bots, confine=confine),
            ledger=SimpleNamespace(confinement=before),
        ),
    )
    view = cast(Any, SimpleNamespace(says=said.append))
    warden, place = cast(Any, object()), Path("/place")
    means = await LeagueRun._means(cast(LeagueRun, run), warden, place, view)
    assert asked == [(warden, confine.by, place, confine.read)]
    assert isinstance(means, Means)
    return means, said


async def test_a_run_on_a_weaker_rung_does_not_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WeakerRung) as caught:
        await chosen("bubblewrap", Confine(), monkeypatch)
    assert str(caught.value) == str(WeakerRung("bubblewrap", "unconfined", REJECTED))


@pytest.mark.parametrize(
    ("before", "confine"),
    [("", Confine()), ("bubblewrap", Confine(Wish.NONE, (Path("/opt"),), build_network=False))],
)
async def test_a_run_that_may_begin_has_the_network_of_the_file_and_tells_of_no_confinement(
    before: str, confine: Confine, monkeypatch: pytest.MonkeyPatch
) -> None:
    means, said = await chosen(before, confine, monkeypatch)
    assert means == Means(Rung.NONE, build_network=confine.build_network)
    assert said == [f"warning: {Choice(Means(Rung.NONE), REJECTED).warning}"]


async def test_where_all_bots_dial_in_nothing_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await chosen("bubblewrap", Confine(), monkeypatch, bots=()) == (Means(), [])
