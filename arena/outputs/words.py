"""The sentences above and below a table: the league, its progress, notes, and the legend.

Names and reasons are chosen by bots, so each output hands in a function that escapes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias, assert_never

from arena.league.model.anchor import Anchor
from arena.league.model.entrants import Presence
from arena.league.table.ratings import ENOUGH_SETS, NARROW_ENOUGH, Lack, Rating
from arena.league.table.standings import Facts, Standing, Standings
from arena.outputs import figures
from arena.record.confinement import DIALLED_IN, UNCONFINED
from arena.record.timing import BotClock

Escape: TypeAlias = Callable[[str], str]

PROVISIONAL = "*"
NOT_SEPARATED = "~"

# Rows whose lacks, or whose names, are told one by one; where there are more, how many they are.
MOST_EXPLAINED = 10
# Names of bots that are here, and of those that are away; where there are more, their number.
MOST_PRESENT = 10
MANY_LACK: Mapping[Lack, str] = {
    Lack.SETS: f"have fewer than {ENOUGH_SETS} sets",
    Lack.BAR: f"have a bar that is not below {figures.elo_bar(NARROW_ENOUGH)}",
    Lack.CONNECTION: "have results that put no limit to their rating (a bot, or a group of bots,"
    " finished ahead of the others every time, or behind)",
}

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
    """Return a number with its noun, in the plural if need be."""
    ending = "" if number == 1 else "es" if noun.endswith("ch") else "s"
    return f"{number:,} {noun}{ending}"


def ordinal(place: int) -> str:
    suffix = "th" if place // 10 % 10 == 1 else _ORDINALS.get(place % 10, "th")
    return f"{place}{suffix}"


def heading(facts: Facts, escape: Escape) -> Iterator[str]:
    """Yield the lines above a table."""
    options = "".join(
        f", {escape(name)} {escape(str(value))}" for name, value in facts.options.items()
    )
    yield f"{escape(facts.name)}: {facts.game} for {facts.seats}{options}"
    times = f", {facts.first} to {facts.last}" if facts.first else ""
    yield f"{facts.state}: {progress(facts)}, {count(facts.matches, 'match')}{times}"
    yield from winner(facts, escape)
    turned = "each set in every seating" if facts.duplicate else "single matches, seats drawn"
    rest = f"; {confined(facts.confinement)}" if facts.confinement else ""
    yield f"{facts.format}, {turned}; {clock(facts.clock)}; scale: {escape(facts.anchor)}{rest}"
    if facts.are_deals_predictable:
        yield "deals predictable: the league's file fixes the seed"
    if facts.ended:
        yield f"ended early: {escape(facts.ended)}"
    if facts.voids:
        were = "set was void and played anew" if facts.voids == 1 else "sets were void, played anew"
        whose = ", ".join(f"{escape(name)} {times:,}" for name, times in facts.annulled.items())
        told = f"; whose decision was in question: {whose}" if whose else ""
        yield f"{facts.voids:,} {were}: this machine was too slow to judge them fairly{told}"
    if facts.stood:
        stood = count(facts.stood, "match")
        yield f"late rulings stood in {stood}: three sets before it were void already"


def winner(facts: Facts, escape: Escape) -> Iterator[str]:
    """Yield a line about who has won, if the league is finished and its format has a winner."""
    if facts.winners:
        word = "winner" if len(facts.winners) == 1 else "winners, level"
        yield f"{word}: {', '.join(map(escape, facts.winners))}"


def progress(facts: Facts) -> str:
    """Return the number of sets that count, of those that are to count in the end."""
    played = count(facts.sets, "set")
    if facts.sets_in_all is not None:
        played = f"{facts.sets:,} of {count(facts.sets_in_all, 'set')}"
    if facts.sets_left_out:
        left = "left out with benched or retired bots"
        why = "not played, as it ended early" if facts.ended else left
        played += f" ({facts.sets_left_out:,} {why})"
    return played


def confined(word: str) -> str:
    """Return a clause about how bots were confined."""
    if word == DIALLED_IN:
        return "all bots dialled in"
    return "bots unconfined" if word == UNCONFINED else f"bots confined by {word}"


def clock(values: Mapping[str, int]) -> str:
    return (
        f"{values['decision_ms']:,} ms a decision and {values['bank_ms']:,} ms a match,"
        f" {count(values['faults_to_forfeit'], 'fault')} forfeit a match"
    )


def own_clock(clock: BotClock, leagues: Mapping[str, int]) -> str:
    """Return the times of a bot that are not those of the league."""
    times = clock.in_words()
    told = {
        "decision_ms": f"{times['decision_ms']:,} ms a decision",
        "bank_ms": f"{times['bank_ms']:,} ms a match",
        "hang_ms": f"gone after {times['hang_ms']:,} ms of silence",
    }
    return ", ".join(words for name, words in told.items() if times[name] != leagues[name])


def notes(standings: Standings, escape: Escape) -> Iterator[str]:
    """Yield the notes below a table: provisional rows, clocks, faults, bots that left, bots that
    are here, worth of seats."""
    yield from provisional(standings.rows, escape)
    if outside := [*map(escape, outside_mean(standings))]:
        told = ", ".join(outside) if len(outside) <= MOST_EXPLAINED else count(len(outside), "row")
        yield f"not in the mean that is 0, as nothing limits their rating: {told}"
    for row in standings.rows:
        if row.clock is not None:
            told = own_clock(row.clock, standings.facts.clock)
            yield f"{escape(row.name)} has a clock of its own: {told}"
    for row in standings.rows:
        if told := faults_in_words(row.faults, row.forfeits):
            yield f"{escape(row.name)}: {told}"
    for benched in standings.benched:
        told = faults_in_words(benched.faults, benched.forfeits)
        yield (
            f"{escape(benched.name)} is benched since set {benched.after_set} of the schedule: "
            f"{escape(benched.reason)} ({count(benched.matches, 'match')} played"
            f"{'; ' if told else ''}{told}); no Elo and no ahead counts a match against it, and"
            " win and points of the others are of all their matches, also those with it"
        )
    for name in standings.retired:
        yield f"{escape(name)} is retired: it plays no further sets, and its results count"
    if standings.waiting:
        yield f"without a complete set yet: {', '.join(map(escape, standings.waiting))}"
    yield from present(standings.presence, escape)
    for edge in standings.seat_edges:
        worth = figures.fixed(edge.elo, 0, signed=True)
        yield f"seat {edge.seat} is worth {worth} {figures.elo_bar(edge.half_width)} Elo"


def present(presence: Sequence[Presence], escape: Escape) -> Iterator[str]:
    """Yield a line about the bots that dial in, if there are any."""
    groups = {
        "here": [escape(each.name) for each in presence if each.is_here],
        "away": [
            f"{escape(each.name)} since {to_the_minute(each.since)}"
            for each in presence
            if not each.is_here
        ],
    }
    told = [
        f"{word}: {', '.join(bots) if len(bots) <= MOST_PRESENT else count(len(bots), 'bot')}"
        for word, bots in groups.items()
        if bots
    ]
    if told:
        yield "; ".join(told)


def to_the_minute(at: str) -> str:
    """Return a UTC time of the store without its seconds. The day stays: a bot may be away for
    days."""
    return f"{at[:10]} {at[11:16]} UTC"


def provisional(rows: Sequence[Standing], escape: Escape) -> Iterator[str]:
    """Yield why rows are provisional: each by itself, or all in a line where they are many."""
    found = [row for row in rows if row.rating.lacks]
    if len(found) <= MOST_EXPLAINED:
        for row in found:
            why = "; ".join(lack_in_words(lack, row.rating) for lack in row.rating.lacks)
            yield f"{PROVISIONAL} {escape(row.name)} is provisional: {why}"
        return
    lacking = Counter(lack for row in found for lack in row.rating.lacks)
    why = "; ".join(f"{lacking[lack]:,} {MANY_LACK[lack]}" for lack in Lack if lacking[lack])
    yield f"{PROVISIONAL} {len(found):,} of {count(len(rows), 'row')} are provisional: {why}"


def lack_in_words(lack: Lack, rating: Rating) -> str:
    """Return the condition that fails and its figure, in words."""
    match lack:
        case Lack.SETS:
            return f"{count(rating.sets, 'set')}, and {ENOUGH_SETS} are needed"
        case Lack.BAR:
            if rating.half_width is None:
                return "no bar yet"
            bar, enough = figures.elo_bar(rating.half_width), figures.elo_bar(NARROW_ENOUGH)
            return f"its bar {bar} is not below {enough}"
        case Lack.CONNECTION:
            return f"its results alone put no limit to its rating: {why_unlimited(rating)}"
        case _:
            assert_never(lack)


def why_unlimited(rating: Rating) -> str:
    """Return why nothing but the prior gives a bot its rating.

    A bot that finished ahead of some opponents and behind others lacks a limit where the bots fall
    into groups, such as two owners' bots, which do not meet their own.
    """
    ahead = None if rating.ahead is None else rating.ahead.value
    if ahead is not None and ahead >= 1 - figures.ROUNDING:
        return "it finished ahead of others every time"
    if ahead is not None and ahead <= figures.ROUNDING:
        return "it finished behind others every time"
    return "the bots fall into groups, and where two groups met, one finished ahead every time"


def outside_mean(standings: Standings) -> list[str]:
    """Return the bots that the mean of the scale leaves out, where that is the mean of all: those
    whose results put no limit to their rating, beside others that have one."""
    if standings.facts.anchor != Anchor().in_words():
        return []
    return [
        row.name
        for part in parts_of(standings)
        if not all(Lack.CONNECTION in row.rating.lacks for row in part)
        for row in part
        if Lack.CONNECTION in row.rating.lacks
    ]


def faults_in_words(faults: Mapping[str, int], forfeits: int) -> str:
    """Return the number of faults of each kind, and of forfeits; "" if there are none."""
    told = [f"{number:,} {kind}" for kind, number in faults.items() if number]
    if forfeits:
        told.append(f"{count(forfeits, 'match')} forfeited")
    return ", ".join(told)


def parts_of(standings: Standings) -> list[list[Standing]]:
    """Return the rows of each part; a part without rows (its bots have none) is left out."""
    parts: dict[int, list[Standing]] = {}
    for row in standings.rows:
        parts.setdefault(row.part, []).append(row)
    return [*parts.values()]


def part_in_words(number: int, parts: int) -> str:
    """Return the line above each of several tables."""
    return f"part {number} of {parts}: these bots never met the others, so nothing compares them"
