"""A build that tries all of the catalogue, which a bot's author has every operator run."""

from __future__ import annotations

import pytest
import trio

from arena.bots.builds.cache import BuildCache
from arena.bots.confine.confinement import Rung
from arena.bots.prepare import prepared
from tests.bots.nasty.catalogue import DEEDS
from tests.bots.nasty.full import a_bot, a_house, not_promised, said_in, succeeded
from tests.bots.nasty.world import World, a_world

pytestmark = [pytest.mark.slow, pytest.mark.alone]

TRIED = tuple(deed.name for deed in DEEDS if deed.in_builds)
BUILD_SECONDS = 120


async def built(rung: Rung, world: World, deeds: tuple[str, ...]) -> tuple[set[str], set[str]]:
    """Build a bot that tries these deeds; return those that came off, and those that may."""
    with trio.fail_after(BUILD_SECONDS):
        async with a_house(rung, world) as house:
            bot = a_bot(world, deeds, builds=True)
            place = house.folder / "bots"
            (program,) = await prepared(
                house.warden, house.confiner, [bot], place, print, BuildCache(world.top / "cache")
            )
            said = said_in(program.folder / "built.json")
            assert set(said) == set(deeds)
            came_off = succeeded(world, said, deeds, house.warden.pid)
            return came_off, not_promised(house.confiner.means, is_build=True) & {*deeds}


@pytest.mark.parametrize("rung", [Rung.BUBBLEWRAP, Rung.LANDLOCK])
async def test_a_build_that_tries_it_all_gets_nothing(rung: Rung) -> None:
    with a_world() as world:
        came_off, may = await built(rung, world, TRIED)
    assert came_off == may


async def test_an_unconfined_build_gets_what_it_wants() -> None:
    """Else the test above would prove nothing."""
    wanted = (
        *("reads_the_key", "reads_another_bots_scratch", "takes_tokens"),
        *("writes_into_the_folders_of_others", "connects_to_a_port", "stops_the_referee"),
    )
    with a_world() as world:
        came_off, _ = await built(Rung.NONE, world, wanted)
    assert came_off == set(wanted)
