"""What the web pages cost: `python -m benchmarks.pages`.

A page of a set is made once, all others whenever they show something else, at most every five
seconds. Measured: a match of eight rounds on the page of its set; in a league of 8 bots and of
100, all other pages if each of them has changed, those that change after one more set of four
bots, and a write with nothing new, files included. The promises are set by those five seconds, on
a machine where bots want the processors. CPU time.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

# Before numpy loads its BLAS: on one core more threads only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from arena.league.model.match_pages import MatchPages
from arena.league.model.played import PlayedSet, StoredSet
from arena.league.model.seeds import seed_of_set
from arena.league.model.sets import PlannedSet
from arena.league.store.store import Store
from arena.league.table.live import LiveTable
from arena.league.table.standings import Standings
from arena.outputs.pages import Pages
from arena.outputs.pages.sets.page import set_page
from benchmarks.measure import Line, Work, interleaved, report
from tests.league.leagues import Simulated, played_match, simulate

REPEATS = 5
BOTS = ("fox", "owl", "crow", "hare")
ALL = MatchPages.read("all")
SETS = {8: 60, 100: 250}
LEAGUE = "Sunday league"
WRITES = ("anew", "grown", "same")


@dataclass(frozen=True)
class Played:
    """The sets of a league, its table after them, and some more sets with the table after each."""

    sets: Sequence[StoredSet]
    table: Standings
    more: Sequence[tuple[StoredSet, Standings]]


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


def league(stack: ExitStack, bots: int) -> tuple[Store, Played]:
    """Return a league, and its last sets, each with the table after it.

    Its matches are short: it is not they that are measured here.
    """
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    names = [f"bot-{number}" for number in range(bots)]
    played = SETS[bots] + REPEATS + 1  # `interleaved` repeats each work once more than that
    simulated = Simulated(game="nope", bots=names, sets=played + 1, options={"hand": 2})
    store = stack.enter_context(simulate(folder, simulated, played))
    live = LiveTable()
    sets: list[StoredSet] = []
    tables: list[Standings] = []
    for one in live.new_sets(store):
        if len(sets) >= SETS[bots]:
            tables.append(live.standings(store, is_running=True, with_history=True))
        sets.append(one)
    tables.append(live.standings(store, is_running=True, with_history=True))
    return store, Played(
        sets[: SETS[bots]], tables[0], [*zip(sets[SETS[bots] :], tables[1:], strict=True)]
    )


def rewriting(stack: ExitStack, store: Store, played: Played) -> tuple[Work, Work, Work]:
    """Return three writes: of all pages anew, after one more set, and with nothing new."""

    def begun() -> Pages:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        pages = Pages(folder, folder)
        for one in played.sets:
            pages.take(LEAGUE, one)
        pages.write(played.table, store, ALL)
        return pages

    changing, growing, staying = begun(), begun(), begun()
    for one, table in played.more:  # so that the pages of their matches are there
        beside = Pages(growing.folder, growing.folder)
        beside.take(LEAGUE, one)
        beside.write(table, store, ALL)
    rng, more = random.Random(1), iter(played.more)

    def anew() -> int:
        rows = tuple(
            replace(row, rating=replace(was, elo=was.elo + rng.random(), sets=rng.randrange(10**6)))
            for row in played.table.rows
            for was in (row.rating,)
        )
        facts = replace(played.table.facts, sets=rng.randrange(10**6))
        changing.write(replace(played.table, facts=facts, rows=rows), store, ALL)
        return 1

    def grown() -> int:
        one, table = next(more)
        growing.take(LEAGUE, one)
        growing.write(table, store, ALL)
        return 1

    def same() -> int:
        staying.write(played.table, store, ALL)
        return 1

    return anew, grown, same


def main() -> int:
    """Print the table; 1 if a line does not hold."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    nyet, nope = a_set("nyet"), a_set("nope")
    works: dict[str, Callable[[], int]] = {"nyet": pages_of(nyet), "nope": pages_of(nope)}
    with ExitStack() as stack:
        for bots in SETS:
            three = rewriting(stack, *league(stack, bots))
            works |= {f"{name} {bots}": work for name, work in zip(WRITES, three, strict=True)}
        cpu = interleaved(works, REPEATS)
    moves = sum(len(played.record.moves) for played in nyet.matches)
    lines = [
        Line(
            f"a match of nyet, {moves // 4} moves, in its set's page", 1e3 * cpu["nyet"], "ms", 4, 2
        ),
        Line("its size", len(page_of(nyet).encode()) / 4000, "kB", 15, 12),
        Line("all pages but matches anew, 8 bots", 1e3 * cpu["anew 8"], "ms", 100, 50),
        Line("all pages but matches anew, 100 bots", 1e3 * cpu["anew 100"], "ms", 1500, 750),
        Line("those after one more set, 8 bots", 1e3 * cpu["grown 8"], "ms", 100, 50),
        Line("those after one more set, 100 bots", 1e3 * cpu["grown 100"], "ms", 500, 250),
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
