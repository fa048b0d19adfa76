"""What is told around a table, in words: what was played, and what its marks mean.

Names and reasons are what bots chose, so each output hands in how it escapes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias, assert_never

from arena.league.ratings import ENOUGH_SETS, NARROW_ENOUGH, Lack
from arena.league.standings import Facts, Standing, Standings
from arena.outputs import figures

Escape: TypeAlias = Callable[[str], str]

PROVISIONAL = "*"
NOT_SEPARATED = "~"

LEGEND = (
    f"± is a 95 % bar over sets; {figures.NO_BAR} cannot be told yet. Rows must not be compared by"
    " their bars: LOS does that.",
    "ranks: where it may stand, 95 %. LOS: likelihood, in %, of being better than the next row;"
    f" {NOT_SEPARATED} not separated, below 97.5.",
    "ahead: % of opponents that finished behind, ties half. win: % of matches won."
    " ms: mean thinking time of a decision.",
    "gain: what repetition of a deal brought, in % ahead. A bot that keeps nothing gains nothing.",
)

_ORDINALS = {1: "st", 2: "nd", 3: "rd"}


def count(number: int, noun: str) -> str:
    """A number with its noun."""
    ending = "" if number == 1 else "es" if noun.endswith("ch") else "s"
    return f"{number:,} {noun}{ending}"


def ordinal(place: int) -> str:
    suffix = "th" if place // 10 % 10 == 1 else _ORDINALS.get(place % 10, "th")
    return f"{place}{suffix}"


def heading(facts: Facts, escape: Escape) -> Iterator[str]:
    """What stands above a table."""
    options = "".join(
        f", {escape(name)} {escape(str(value))}" for name, value in facts.options.items()
    )
    yield f"{escape(facts.name)}: {facts.game} for {facts.seats}{options}"
    state = "finished" if facts.is_finished else "running"
    played = f"{facts.sets:,} of {count(facts.sets_planned, 'set')}"
    if facts.is_finished and facts.sets < facts.sets_planned:
        played += f" ({facts.sets_planned - facts.sets:,} left out with benched bots)"
    times = f", {facts.first} to {facts.last}" if facts.first else ""
    yield f"{state}: {played}, {count(facts.matches, 'match')}{times}"
    turned = "each set in every seating" if facts.duplicate else "single matches, seats drawn"
    yield f"{facts.format}, {turned}; {clock(facts.clock)}; scale: {escape(facts.anchor)}"
    if facts.are_deals_predictable:
        yield "deals predictable: the league's file fixes the seed"
    if facts.voids:
        were = "set was void and played anew" if facts.voids == 1 else "sets were void, played anew"
        whose = ", ".join(f"{escape(name)} {times:,}" for name, times in facts.annulled.items())
        told = f"; whose decision was in question: {whose}" if whose else ""
        yield f"{facts.voids:,} {were}: this machine was too slow to judge them fairly{told}"
    if facts.stood:
        stood = count(facts.stood, "match")
        yield f"late rulings stood in {stood}: three sets before it were void already"


def clock(values: Mapping[str, int]) -> str:
    return (
        f"{values['decision_ms']:,} ms a decision and {values['bank_ms']:,} ms a match,"
        f" {count(values['faults_to_forfeit'], 'fault')} forfeit a match"
    )


def notes(standings: Standings, escape: Escape) -> Iterator[str]:
    """What the rows of a table cannot say themselves."""
    for row in standings.rows:
        if row.lacks:
            why = "; ".join(lack_in_words(lack, row) for lack in row.lacks)
            yield f"{PROVISIONAL} {escape(row.name)} is provisional: {why}"
    for row in standings.rows:
        if told := faults_in_words(row.faults, row.forfeits):
            yield f"{escape(row.name)}: {told}"
    for benched in standings.benched:
        told = faults_in_words(benched.faults, benched.forfeits)
        yield (
            f"{escape(benched.name)} is benched since set {benched.after_set}: "
            f"{escape(benched.reason)} ({count(benched.matches, 'match')} played"
            f"{'; ' if told else ''}{told}); its results count for nobody"
        )
    if standings.waiting:
        yield f"without a complete set yet: {', '.join(map(escape, standings.waiting))}"
    for edge in standings.seat_edges:
        worth = figures.fixed(edge.elo, 0, signed=True)
        yield f"seat {edge.seat} is worth {worth} {figures.elo_bar(edge.half_width)} Elo"


def lack_in_words(lack: Lack, row: Standing) -> str:
    """Which condition fails, and by how much."""
    match lack:
        case Lack.SETS:
            return f"{row.sets} of {ENOUGH_SETS} sets"
        case Lack.BAR:
            if row.half_width is None:
                return "no bar yet"
            bar, enough = figures.elo_bar(row.half_width), figures.elo_bar(NARROW_ENOUGH)
            return f"its bar {bar} is not below {enough}"
        case Lack.CONNECTION:
            return "its results alone put no limit to its rating (all won, or all lost)"
        case _:
            assert_never(lack)


def faults_in_words(faults: Mapping[str, int], forfeits: int) -> str:
    """How many of each kind, or nothing."""
    told = [f"{number:,} {kind}" for kind, number in faults.items() if number]
    if forfeits:
        told.append(f"{count(forfeits, 'match')} forfeited")
    return ", ".join(told)


def parts_of(standings: Standings) -> list[list[Standing]]:
    """The rows of each part. Bots without a row leave parts without rows; those are left out."""
    parts: dict[int, list[Standing]] = {}
    for row in standings.rows:
        parts.setdefault(row.part, []).append(row)
    return [*parts.values()]


def part_in_words(number: int, parts: int) -> str:
    """Above each of several tables."""
    return f"part {number} of {parts}: these bots never met the others, so nothing compares them"
