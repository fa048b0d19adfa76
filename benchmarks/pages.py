"""What the web pages cost: `python -m benchmarks.pages`.

A page of a match is made once, all others whenever something has changed, at most every five
seconds. Measured: a page of a match of eight rounds; everything that is written anew after one
more set in a league of 8 bots and of 100, files included; and a write with nothing new. The
promises are set by those five seconds, on a machine where bots want the processors. CPU time.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

# Before numpy loads its BLAS: on one core more threads only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.model.seeds import seed_of_set
from arena.league.model.sets import PlannedSet
from arena.league.store.store import Store
from arena.league.table.live import standings_of
from arena.league.table.standings import Standings
from arena.outputs.pages import Pages
from arena.outputs.pages.matches import match_page
from benchmarks.measure import Line, Work, interleaved, report
from tests.league.leagues import Simulated, played_match, simulate

REPEATS = 5
SETS = {8: 60, 100: 250}


def a_match(game: str) -> LeagueMatch:
    league = Simulated(game=game, bots=("fox", "owl", "crow", "hare"), options={})
    planned = PlannedSet(1, ("fox", "owl", "crow", "hare"))
    return played_match(league, planned, 0, seed_of_set(b"k" * 32, 1, 0))


def pages_of(played: LeagueMatch) -> Work:
    one = PlayedSet(1, 0, (played,))

    def make() -> int:
        match_page("a league", one, played, "stamp")
        return 1

    return make


def league(stack: ExitStack, bots: int) -> tuple[Store, Standings]:
    """Short matches: it is not they that are measured here."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    names = [f"bot-{number}" for number in range(bots)]
    store = stack.enter_context(
        simulate(folder, Simulated(game="nope", bots=names, sets=SETS[bots], options={"hand": 2}))
    )
    return store, standings_of(store)


def rewriting(folder: Path, store: Store, standings: Standings) -> tuple[Work, Work]:
    """A write after which no page of bots or league is as it was; and one with nothing new."""
    pages = Pages(folder)
    pages.write(standings, store)
    rng = random.Random(1)

    def anew() -> int:
        rows = tuple(
            replace(row, rating=replace(was, elo=was.elo + rng.random(), sets=was.sets + 1))
            for row in standings.rows
            for was in (row.rating,)
        )
        facts = replace(standings.facts, sets=rng.randrange(10**6))
        pages.write(replace(standings, facts=facts, rows=rows), store)
        return 1

    def same() -> int:
        pages.write(standings, store)
        return 1

    return anew, same


def main() -> int:
    """Print the table; 1 if a line does not hold."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    nyet, nope = a_match("nyet"), a_match("nope")
    works: dict[str, Callable[[], int]] = {"nyet": pages_of(nyet), "nope": pages_of(nope)}
    with ExitStack() as stack:
        for bots in SETS:
            store, standings = league(stack, bots)
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            works[f"anew {bots}"], works[f"same {bots}"] = rewriting(folder, store, standings)
        cpu = interleaved(works, REPEATS)
    size = len(match_page("a league", PlayedSet(1, 0, (nyet,)), nyet, "stamp").encode()) / 1000
    lines = [
        Line(
            f"page of a nyet match, {len(nyet.record.moves)} moves", 1e3 * cpu["nyet"], "ms", 12, 4
        ),
        Line("its size", size, "kB", 60, 15),
        Line("all pages but matches anew, 8 bots", 1e3 * cpu["anew 8"], "ms", 100, 50),
        Line("all pages but matches anew, 100 bots", 1e3 * cpu["anew 100"], "ms", 1500, 750),
    ]
    notes = [
        f"page of a nope match, {len(nope.record.moves)} moves: {1e3 * cpu['nope']:.0f} ms",
        *(
            f"a write with nothing new, {bots} bots: {1e3 * cpu[f'same {bots}']:.0f} ms"
            for bots in SETS
        ),
    ]
    return report("pages", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
