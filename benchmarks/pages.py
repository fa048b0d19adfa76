"""What the web pages cost: `python -m benchmarks.pages`.

A page of a set is made once, all others whenever something has changed, at most every five
seconds. Measured: a match of eight rounds on the page of its set; everything that is written anew
after one more set in a league of 8 bots and of 100, files included; and a write with nothing new.
The promises are set by those five seconds, on a machine where bots want the processors. CPU time.
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

from arena.league.model.match_pages import MatchPages
from arena.league.model.played import PlayedSet
from arena.league.model.seeds import seed_of_set
from arena.league.model.sets import PlannedSet
from arena.league.store.store import Store
from arena.league.table.live import standings_of
from arena.league.table.standings import Standings
from arena.outputs.pages import Pages
from arena.outputs.pages.sets.page import set_page
from benchmarks.measure import Line, Work, interleaved, report
from tests.league.leagues import Simulated, played_match, simulate

REPEATS = 5
BOTS = ("fox", "owl", "crow", "hare")
ALL = MatchPages.read("all")
SETS = {8: 60, 100: 250}


def a_set(game: str) -> PlayedSet:
    """A set in all its seatings."""
    league = Simulated(game=game, bots=BOTS, options={})
    planned = PlannedSet(1, BOTS)
    seed = seed_of_set(b"k" * 32, 1, 0)
    return PlayedSet(1, 0, tuple(played_match(league, planned, turn, seed) for turn in range(4)))


def page_of(one: PlayedSet) -> str:
    return set_page("a league", one, [b""] * len(one.matches), "stamp")


def pages_of(one: PlayedSet) -> Work:
    """The page of a set; it counts as many as it has matches."""

    def make() -> int:
        page_of(one)
        return len(one.matches)

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
    pages = Pages(folder, folder)
    pages.write(standings, store, ALL)
    rng = random.Random(1)

    def anew() -> int:
        rows = tuple(
            replace(row, rating=replace(was, elo=was.elo + rng.random(), sets=was.sets + 1))
            for row in standings.rows
            for was in (row.rating,)
        )
        facts = replace(standings.facts, sets=rng.randrange(10**6))
        pages.write(replace(standings, facts=facts, rows=rows), store, ALL)
        return 1

    def same() -> int:
        pages.write(standings, store, ALL)
        return 1

    return anew, same


def main() -> int:
    """Print the table; 1 if a line does not hold."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    nyet, nope = a_set("nyet"), a_set("nope")
    works: dict[str, Callable[[], int]] = {"nyet": pages_of(nyet), "nope": pages_of(nope)}
    with ExitStack() as stack:
        for bots in SETS:
            store, standings = league(stack, bots)
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            works[f"anew {bots}"], works[f"same {bots}"] = rewriting(folder, store, standings)
        cpu = interleaved(works, REPEATS)
    moves = sum(len(played.record.moves) for played in nyet.matches)
    lines = [
        Line(
            f"a match of nyet, {moves // 4} moves, in its set's page", 1e3 * cpu["nyet"], "ms", 4, 2
        ),
        Line("its size", len(page_of(nyet).encode()) / 4000, "kB", 15, 12),
        Line("all pages but matches anew, 8 bots", 1e3 * cpu["anew 8"], "ms", 100, 50),
        Line("all pages but matches anew, 100 bots", 1e3 * cpu["anew 100"], "ms", 1500, 750),
    ]
    notes = [
        f"a match of nope: {1e3 * cpu['nope']:.1f} ms, {len(page_of(nope).encode()) / 4000:.1f} kB",
        *(
            f"a write with nothing new, {bots} bots: {1e3 * cpu[f'same {bots}']:.0f} ms"
            for bots in SETS
        ),
    ]
    return report("pages", lines, notes)


if __name__ == "__main__":
    sys.exit(main())
