"""Every hostile program of the catalogue, on every rung and on none."""

from __future__ import annotations

import pytest

from arena.bots.confine.confinement import Rung
from tests.bots.nasty.catalogue import DEEDS, WAYS, Alone, Deed, Way
from tests.bots.nasty.running import evidence_of, gets_through, holds, may_do_alone, succeeds
from tests.bots.nasty.world import a_world

# Alone, because what an unconfined program does to every process of its user, or to a device, meets
# a test beside it too.
pytestmark = [pytest.mark.slow, pytest.mark.alone]


@pytest.mark.parametrize("rung", Rung)
@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.name)
async def test_it_comes_off_unconfined_and_nowhere_else(deed: Deed, rung: Rung) -> None:
    """Or as the catalogue says."""
    with a_world() as world:
        succeeded, said, reached = await succeeds(deed, rung, world)
    if rung is Rung.NONE and not succeeded and not may_do_alone(deed.alone):
        if deed.alone is not Alone.NO:
            pytest.skip(f"this machine lets no program of this user do it: {said}")
        return
    assert succeeded is not holds(deed, rung), f"it {deed.tries}: {said}; {reached}"
    if expected := evidence_of(deed, rung):
        assert any(words.startswith(expected) for words in reached), reached


@pytest.mark.parametrize("rung", Rung)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.leaves)
async def test_no_word_gets_from_one_bot_to_another_unless_they_are_unconfined(
    way: Way, rung: Rung
) -> None:
    with a_world() as world:
        found, said = await gets_through(way, rung, world)
    if rung is Rung.NONE and not found and way.alone is Alone.MAYBE:
        pytest.skip(f"this machine lets no program of this user do it: {said}")
    assert found is (rung is Rung.NONE), f"by {way.tries}: {said}"
