"""A bot that tries all of the catalogue while it plays, at a table with honest bots."""

from __future__ import annotations

import pytest
import trio
from msgspec.structs import replace

from arena.bots.botfile import Bot, read_bot
from arena.bots.builds.cache import BuildCache
from arena.bots.confine.confinement import Rung
from arena.bots.prepare import prepared
from arena.record.timing import Timing
from arena.referee.house import House
from arena.referee.match import Result
from arena.referee.table import sit_down
from tests.bots.nasty.catalogue import DEEDS
from tests.bots.nasty.full import a_bot, a_house, not_promised, said_in, succeeded
from tests.bots.nasty.programs.all_of_it import OVER
from tests.bots.nasty.world import World, a_world
from tests.referee.real_match import RANDOM_BOT, a_plan, see_off

pytestmark = [pytest.mark.slow, pytest.mark.alone]

# The bomb and the spinners go on until the bot is ended. Whether a listener can be called is only
# seen while it listens: test_deeds.py does that.
TRIED = (
    *(deed.name for deed in DEEDS if deed.in_builds and deed.name != "listens_to_everybody"),
    *("changes_its_own_sources", "touches_a_device"),
    *("spins_in_many_sessions", "forks_and_forks"),
)
AMPLE = Timing(decision_ms=5_000, bank_ms=10_000, hang_ms=10_000)
HONEST = 3
MATCH_SECONDS = 120


def honest_bots() -> list[Bot]:
    bot = read_bot(RANDOM_BOT)
    return [Bot(f"good-{number}", bot.command, bot.folder) for number in range(HONEST)]


async def matches_until_all_is_tried(house: House, world: World) -> list[Result]:
    bots = [a_bot(world, TRIED, builds=False), *honest_bots()]
    cache = BuildCache(world.top / "cache")
    place = house.folder / "bots"
    nasty, *good = await prepared(house.warden, house.confiner, bots, place, print, cache)
    nasty = replace(nasty, logs=world.top)
    players = [house.player(program) for program in (nasty, *good)]
    for player in players:
        absent = await player.ready()
        assert absent is None, (absent, (world.top / "stderr.txt").read_text())
    played: list[Result] = []
    while not played or OVER not in said_in(world.top / "stdout.txt"):
        played.append(await sit_down(a_plan(1 + HONEST, AMPLE), players))
    await see_off(players)
    return played


@pytest.mark.parametrize("rung", [Rung.BUBBLEWRAP, Rung.LANDLOCK])
async def test_honest_bots_are_not_harmed_by_a_bot_that_tries_it_all(rung: Rung) -> None:
    with a_world() as world, trio.fail_after(MATCH_SECONDS):
        async with a_house(rung, world) as house:
            played = await matches_until_all_is_tried(house, world)
            said = said_in(world.top / "stdout.txt")
            came_off = succeeded(world, said, TRIED, house.warden.pid)
            assert came_off <= not_promised(house.confiner.means)
        for match in played:
            assert match.is_begun
            assert match.lag is None
            assert [each for each in match.evidence if each.seat != 0] == []
            assert set(match.record.forfeits) <= {0}
