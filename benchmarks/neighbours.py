"""Honest bots beside each kind of hostile one: `python -m benchmarks.neighbours`.

For each deed of the catalogue (tests/bots/nasty), a confined bot does it twice a second while two
honest bots, confined too, play matches beside it. Counted are faults of the honest bots, and the
99th percentile of their decisions as the referee charges them, against the same matches with no
neighbour, played before and after. With control groups that must stay below twice the quiet one;
without, the figure is only reported. The exit code is 1 where an honest bot has a fault or the
bound does not hold.

A machine has noise of its own: here one to six of a hundred quiet runs were above twice their
median. So all deeds are gone through several times, with quiet runs between, and the median of each
counts, as does that of the quiet runs. Faults of every run count.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence

import trio

from arena.bots.confine.confinement import Rung
from arena.bots.processes import BotProcess, Warden, open_warden
from arena.record.timing import Timing
from arena.referee.house import House
from arena.referee.players.started import StartedPlayer
from arena.referee.table import sit_down
from benchmarks.confinement import percentile, programs_in
from tests.bots.nasty.catalogue import DEEDS, Deed
from tests.bots.nasty.full import a_house
from tests.bots.nasty.running import start
from tests.bots.nasty.world import World, a_world
from tests.referee.real_match import a_plan

MATCHES = 200
PASSES = 5  # through all deeds
QUIET_RUNS = 4  # before each pass, and after the last
BOUND = 2.0
AGAIN_SECONDS = 0.5
# Quick matches, so that many deeds are beside many decisions.
QUICK = {"max_turns": 6}


async def matches_of(players: Sequence[StartedPlayer], count: int) -> tuple[list[int], int, int]:
    """Play, and return the times of all decisions, the faults, and the void matches."""
    times, faults, voids = [], 0, 0
    for _ in range(count):
        plan = a_plan(len(players), Timing(), game="nope", options=QUICK)
        result = await sit_down(plan, players)
        times += [move.time_us for move in result.record.moves]
        faults += len(result.evidence)
        voids += result.lag is not None
    return times, faults, voids


async def beside(
    deed: Deed, house: House, warden: Warden, world: World, players: Sequence[StartedPlayer], n: int
) -> tuple[list[int], int, int]:
    """The same, with a process that does the deed; it is started again whenever it ends."""
    done = trio.Event()
    found: tuple[list[int], int, int] = ([], 0, 0)

    async def do_it_again() -> None:
        while not done.is_set():
            process: BotProcess = await start(
                warden, house.confiner, world, deed.program, deed.name, stays=deed.stays
            )
            # Again after this time and no sooner, as a bot is started once for each match at most.
            await trio.sleep(AGAIN_SECONDS)
            await process.end()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(do_it_again)
        found = await matches_of(players, n)
        done.set()
    return found


async def measured(rung: Rung, matches: int, only: Sequence[str]) -> int:
    deeds = [deed for deed in DEEDS if not only or deed.name in only]
    worst, failed = 0.0, []
    with a_world() as world:
        async with a_house(rung, world) as house, open_warden() as warden:
            has_groups = "cpu" in house.confiner.means.controllers.names
            programs = programs_in(house, house.confiner.means, "honest")
            players = [house.player(program) for program in programs]
            for player in players:
                absent = await player.ready()
                assert absent is None, absent

            async def p99_beside(deed: Deed) -> tuple[float, int, int]:
                times, faults, voids = await beside(deed, house, warden, world, players, matches)
                return percentile(times, 0.99), faults, voids

            async def quiet_runs() -> list[float]:
                return [
                    percentile((await matches_of(players, matches))[0], 0.99)
                    for _ in range(QUIET_RUNS)
                ]

            quiet = await quiet_runs()
            found: list[tuple[Deed, list[tuple[float, int, int]]]] = [(deed, []) for deed in deeds]
            for _ in range(PASSES):
                for deed, runs in found:
                    runs.append(await p99_beside(deed))
                quiet += await quiet_runs()
            base = max(statistics.median(quiet), 1.0)
            for player in players:
                await player.say_bye("done")
    noisy = sum(each > BOUND * base for each in quiet)
    print(
        f"honest bots beside hostile ones, {rung}, {matches} matches each; quiet p99 {base:.0f} us,"
        f" above twice that in {noisy} of {len(quiet)} quiet runs"
    )
    for deed, runs in found:
        p99 = statistics.median(run[0] for run in runs)
        faults, voids = sum(run[1] for run in runs), sum(run[2] for run in runs)
        ratio = p99 / base
        worst = max(worst, ratio)
        if faults or (has_groups and ratio > BOUND):
            failed.append(deed.name)
        above = sum(run[0] > BOUND * base for run in runs)
        line = f"  {deed.name:<42} p99 {p99:8.0f} us  {ratio:5.2f} x"
        print(f"{line}  {faults} faults  {voids} void  above in {above} of {len(runs)} runs")
    bound = "<= 2, with control groups" if has_groups else "no bound: no cpu control group here"
    print(f"  worst p99 {worst:.2f} x the quiet one ({bound}); do not hold: {failed or 'none'}")
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--rung", type=Rung, choices=list(Rung), default=Rung.BUBBLEWRAP)
    parser.add_argument("deeds", nargs="*", help="only these deeds of the catalogue")
    asked = parser.parse_args()
    return trio.run(measured, asked.rung, asked.matches, asked.deeds)


if __name__ == "__main__":
    raise SystemExit(main())
