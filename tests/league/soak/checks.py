"""What must hold at the end of a soak, worked out from diaries, matches and events.

Each check yields a line for each thing that is wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tests.league.soak.diary import (
    ADMITS,
    BROKEN,
    BYE,
    CAME,
    END,
    FAULT,
    KILLED,
    LEFT,
    LOST,
    REFUSED,
    RENEWED,
    RENEWS,
    RETIRED,
    RETIRES,
    REVOKED,
    REVOKES,
    START,
    STOP,
    Entry,
)
from tests.league.soak.soaked import Soaked
from tests.league.soak.watch import JOBS, RUNNER

# Ways of stopping a league or a part of it (the detail of STOP).
INTERRUPTED, KILLED_RUNNER, KILLED_JOB = "SIGINT", "kill -9", "kill -9 of a job"
KILLS = (KILLED_RUNNER, KILLED_JOB)
# A match that a bot saw end is entered so soon that a kill can lose it only in this time before.
ENTERED_SECONDS = 1.0
# A program hears within so many seconds that the league, or its match, is gone.
HEARS_SECONDS = 10.0
# A crashed bot's match goes on without it for so long at most.
PLAYS_ON_SECONDS = 30.0
# A bot is away after a minute; the clocks of two processes, and events, are to the second.
AWAY_SECONDS = 58.0

# What else costs a bot a match: things that the bot, or the operator, did to it.
DEPARTURES = (LEFT, KILLED, REVOKED, RENEWED)
# By reason of a bye that a bot may be told: acts of the operator after which it may be.
REASONS: Mapping[str, tuple[str, ...]] = {
    "stopping": (STOP,),
    "token-in-use": (LEFT, LOST, KILLED),
    "bad-token": (REVOKES, RENEWS, RETIRES),
    "done": (RETIRES,),
}
# By how much more memory may be in use in the last quarter than in the second: once, as caches fill
# and sets that wait for a bot hold up others, and for each match between, of which a runner keeps
# the result for ever. Measured in ten minutes: 3.6 and 5.2 MiB, and 0.6 and 0.7 MiB.
MOST_MEMORY_KIB = {RUNNER: (6 * 1024, 2), JOBS: (4 * 1024, 0)}
# From the middle of the second quarter to that of the last it is half of all the time.
BETWEEN = 0.5
MOST_DESCRIPTORS = 10


def is_near(at: float, times: Sequence[float], before: float, after: float) -> bool:
    """Tell whether `at` is at most so many seconds before or after one of these times."""
    return any(time - before <= at <= time + after for time in times)


def findings(soaked: Soaked) -> list[str]:
    """All that is wrong."""
    return [line for check in CHECKS for line in check(soaked)]


def honest_faults(soaked: Soaked) -> Iterator[str]:
    """A bot that departs may lose the match it was in, or the next; nobody has another fault."""
    departures: dict[str, list[Entry]] = defaultdict(list)
    for each in soaked.entries:
        if each.what in DEPARTURES:
            departures[each.bot].append(each)
    unpaid: dict[str, list[str]] = defaultdict(list)
    for match in soaked.matches:
        for seat in match.seats:
            for fault in seat.faults:
                where = f"{seat.name} in {match.place} ({match.match}): {fault.text}"
                if seat.name in soaked.started or fault.kind not in ("gone", "never-started"):
                    yield f"fault of an honest bot, {where}"
                    continue
                own = departures[seat.name]
                paid = next(
                    (each for each in own if match.match and each.match == match.match), None
                )
                if paid is not None:
                    own.remove(paid)
                else:
                    unpaid[seat.name].append(where)
    for name, lines in unpaid.items():
        # A bot that crashed in a match pays with that one. One that was killed may not have seen
        # the end of its match and the start of the next.
        free = [each for each in departures[name] if not each.match or each.what != LEFT]
        for line in lines[len(free) :]:
            yield f"more matches lost than it left, {line}"


def crashes(soaked: Soaked) -> Iterator[str]:
    """A bot that closes its connection in a match forfeits this match."""
    kept, void, stops = soaked.by_id, soaked.void, soaked.stops()
    for each in soaked.entries:
        if each.what != LEFT or not each.match or each.match in void:
            continue
        match = kept.get(each.match)
        if match is None:
            if not is_near(each.at, stops, PLAYS_ON_SECONDS, 0):
                yield f"{each.bot} left {each.match}, which is nowhere"
        elif not any(seat.name == each.bot and seat.is_out for seat in match.seats):
            yield f"{each.bot} left {match.place} ({each.detail}), and did not forfeit it"


def lost_matches(soaked: Soaked) -> Iterator[str]:
    """A match that a bot saw end is kept; so is, or is ended by a stop, each that it saw begin."""
    kept, void = soaked.by_id, soaked.void
    kills, stops = soaked.stops(*KILLS), soaked.stops()
    for each in soaked.entries:
        if each.what == END and each.match not in kept and each.match not in void:
            if not is_near(each.at, kills, ENTERED_SECONDS, HEARS_SECONDS):
                yield f"{each.bot} saw the end of {each.match}, which is not kept"
        elif each.what in (LOST, BYE) and each.match:
            ended_by_us = is_near(each.at, stops, 1, HEARS_SECONDS) or _is_barred(soaked, each)
            if not ended_by_us:
                yield f"{each.bot} lost {each.match} at {each.at:.1f}: {each.what} {each.detail}"
    yield from _open_ends(soaked)


def _open_ends(soaked: Soaked) -> Iterator[str]:
    """A match that began for a bot ends for it, or the connection does, before the next begins."""
    began: dict[str, Entry] = {}
    for each in soaked.entries:
        if each.what in (START, CAME) and (open_still := began.pop(each.bot, None)) is not None:
            yield f"{each.bot} never heard the end of {open_still.match}"
        if each.what == START:
            began[each.bot] = each
        elif each.what in (END, LEFT, LOST, BYE, KILLED, BROKEN):
            began.pop(each.bot, None)


def _is_barred(soaked: Soaked, entry: Entry) -> bool:
    """Tell whether the token of this bot had just been revoked or renewed, or the bot retired."""
    times = [
        each.at
        for each in soaked.entries
        if each.what in (REVOKES, RENEWS, RETIRES) and each.bot == entry.bot
    ]
    return is_near(entry.at, times, 0, HEARS_SECONDS)


def connections(soaked: Soaked) -> Iterator[str]:
    """The league keeps the protocol, and ends no connection without a reason."""
    stops = soaked.stops()
    before: dict[str, set[str]] = defaultdict(set)  # by bot, kinds of entries
    for each in soaked.entries:
        where = f"{each.bot} at {each.at:.1f}"
        if each.what in (FAULT, BROKEN, REFUSED):
            yield f"{where}: {each.what}: {each.detail}"
        elif each.what == BYE:
            known = before[each.bot] | before[""]
            if known.isdisjoint(REASONS.get(each.detail, ())):
                yield f"{where}: bye with {each.detail}"
        elif (
            each.what == LOST
            and not each.match
            and not is_near(each.at, stops, 1, HEARS_SECONDS)
            and not _is_barred(soaked, each)
        ):
            yield f"{where}: its connection was closed without a bye"
        before[each.bot].add(each.what)


def barred_bots(soaked: Soaked) -> Iterator[str]:
    """Nobody comes in with a token that is revoked, or once it is retired. Only after a stop a
    retired bot may come, until it is told that it is done: it plays on in a set that had begun."""
    barred: dict[str, str] = {}
    plays_on: set[str] = set()
    for each in soaked.entries:
        if each.what in (REVOKED, RETIRED):
            barred[each.bot] = each.what
            plays_on.discard(each.bot)
        elif each.what in (RENEWS, ADMITS):
            barred.pop(each.bot, None)
        elif each.what == STOP:
            plays_on.update(bot for bot, why in barred.items() if why == RETIRED)
        elif each.what == BYE and each.detail == "done":
            plays_on.discard(each.bot)
        elif each.what == CAME and each.bot in barred.keys() - plays_on:
            yield f"{each.bot} came at {each.at:.1f}, and is {barred[each.bot]}"


def presence(soaked: Soaked) -> Iterator[str]:
    """A bot is said to be away only if it had no connection for a minute."""
    is_in: Counter[str] = Counter()
    last: dict[str, float] = {}
    rows = [(each.at, each.bot, each.what) for each in soaked.entries]
    rows += [
        (event["seconds"], event["name"], "away")
        for _, event in soaked.events
        if event["event"] == "away"
    ]
    for at, bot, what in sorted(rows):
        if what == CAME:
            is_in[bot] = 1
        elif what in (LEFT, LOST, BYE, KILLED, BROKEN):
            # A program may be killed while its bot rests.
            last[bot] = at if is_in[bot] else last.get(bot, at)
            is_in[bot] = 0
        elif what == "away" and (is_in[bot] or at - last.get(bot, 0.0) < AWAY_SECONDS):
            yield f"{bot} is said to be away at {at:.1f}, and was here"


def events(soaked: Soaked) -> Iterator[str]:
    """Events are numbered without a gap, and nobody is benched."""
    numbers = [number for number, _ in soaked.events]
    if numbers != [*range(1, len(numbers) + 1)]:
        yield "the events have a gap"
    for number, event in soaked.events:
        if event["event"] == "benched":
            yield f"event {number}: {event['name']} is benched: {event['reason']}"


def referees(soaked: Soaked) -> Iterator[str]:
    """No referee process ends but one that is killed, and none meets a bug of ours."""
    killed = len(soaked.stops(KILLED_JOB))
    if soaked.jobs_ended > killed:
        yield f"{soaked.jobs_ended} referee processes ended, {killed} of them killed"
    for line in soaked.logged:
        if line.startswith("Traceback"):
            yield "there is a traceback in the log"


def flatness(soaked: Soaked) -> Iterator[str]:
    """Memory and open descriptors do not grow, but for what is kept of each match."""
    for each in soaked.growths:
        once, for_each = MOST_MEMORY_KIB[each.role]
        memory = each.memory_kib[1] - each.memory_kib[0]
        descriptors = each.descriptors[1] - each.descriptors[0]
        if memory > once + for_each * len(soaked.matches) * BETWEEN:
            yield f"memory grew by {memory / 1024:.1f} MiB: {each}"
        if descriptors > MOST_DESCRIPTORS:
            yield f"{descriptors:g} more descriptors are open: {each}"


CHECKS = (
    honest_faults,
    crashes,
    lost_matches,
    connections,
    barred_bots,
    presence,
    events,
    referees,
    flatness,
)
