"""Count the table a second time, from nothing but the events, by the plainest means.

Shares none of its code with `arena.league`: no arrays, no ledger, no fit. All counts are made
anew. The ratings are not fitted a second time but tested: with the right ones every bot has as
many points as they expect of it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from arena.audit.events import Events
from arena.league.model.sets import PlannedSet
from arena.league.store.events import Event
from arena.league.table.standings import Standing, Standings

CLOSE = 1e-6
POINTS = 1e-4  # tolerance between the points of a bot and those that its rating expects
PRIOR = 1.0  # imagined ties with the middle
ELO = 400 / math.log(10)


@dataclass
class Count:
    """The counts of one bot."""

    sets: set[int] = field(default_factory=set)
    matches: int = 0
    ahead: list[float] = field(default_factory=list)
    ties: list[float] = field(default_factory=list)
    place: list[float] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    points: list[float] = field(default_factory=list)
    places: Counter[int] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    forfeits: int = 0
    decisions: int = 0
    us: int = 0
    slowest_us: int = 0


def differences(
    told: Events, planned: Sequence[PlannedSet], standings: Standings, rounds: int, *, at_once: bool
) -> Iterator[tuple[str, str]]:
    """Yield each difference of the second count: the bot or part of the table, and a sentence."""
    benched = {row.name: row.after_set for row in standings.benched}
    by_events = {event["name"]: event["set"] for _, event in told.of("benched")}
    if by_events != benched:
        for name in sorted({*benched, *by_events}):
            if benched.get(name) != by_events.get(name):
                table, events = since(benched.get(name)), since(by_events.get(name))
                yield name, f"benched {table}, by the events {events}"
    counted = sets_that_count(told, planned, benched, at_once=at_once)
    if len(counted) != standings.facts.sets:
        yield "table", f"{standings.facts.sets} sets count, by the events {len(counted)}"
        return
    counts, weights, points = count(counted, benched)
    for row in standings.rows:
        for name, (one, other) in compared(row, counts[row.name], rounds).items():
            if not is_close(one, other):
                yield row.name, f"its {name} is {one}, counted again {other}"
    yield from missing_points(standings, weights, points)


def since(number: int | None) -> str:
    return "never" if number is None else f"since set {number}"


def sets_that_count(
    told: Events, planned: Sequence[PlannedSet], benched: Mapping[str, int], *, at_once: bool
) -> list[tuple[Event, list[Event]]]:
    """Return the sets that count, with their matches: all from the first to the first gap.

    Sets with a bot that was benched before them are left out, and make no gap; so are those given
    up because a bot or an owner in them changed, a bot was retired, the league ended early, or
    workers died of one.
    `at_once`: every complete set counts that was not given up.
    """
    given_up = {
        number
        for kind in ("replaced", "retired", "changed", "ended_early", "set_aside")
        for _, event in told.of(kind)
        for number in event["sets"]
    }
    complete = {event["set"]: event for _, event in told.of("set")}
    matches = defaultdict(list)
    for _, event in told.of("match"):
        matches[event["set"], event["attempt"]].append(event)
    found = []
    for one in planned:
        is_benched = any(benched.get(name, one.number) < one.number for name in one.line_up)
        if (is_benched and not at_once) or one.number in given_up:
            continue
        if one.number not in complete:
            if at_once:
                continue
            break
        event = complete[one.number]
        played = sorted(matches[one.number, event["attempt"]], key=lambda each: each["turn"])
        found.append((event, played))
    return found


def count(
    counted: Sequence[tuple[Event, list[Event]]], benched: Container[str]
) -> tuple[dict[str, Count], dict[tuple[str, str], float], dict[tuple[str, str], float]]:
    """Return the counts by bot, and by pair of bots the weight of their meetings and the points."""
    counts: dict[str, Count] = defaultdict(Count)
    weights: dict[tuple[str, str], float] = defaultdict(float)
    points: dict[tuple[str, str], float] = defaultdict(float)
    for one, played in counted:
        for match, opened in zip(played, one["matches"], strict=True):
            bots, places, forfeits = match["bots"], match["places"], match["forfeits"]
            is_begun = match["ending"] != "not-begun"
            for seat, bot in enumerate(bots):
                mine = counts[bot]
                mine.sets.add(one["set"])
                mine.matches += 1
                mine.forfeits += seat in forfeits
                mine.points += match["scores"][seat : seat + 1]
                time = opened["decisions"][seat]
                mine.decisions += time["number"]
                mine.us += time["us"]
                mine.slowest_us = max(mine.slowest_us, time["slowest_us"])
                mine.faults.update(
                    fault["kind"] for fault in opened["faults"] if fault["seat"] == seat
                )
                if is_begun or seat in forfeits:
                    mine.places[places[seat]] += 1
                    mine.place.append(places[seat])
                    mine.wins.append((places[seat] == 1) / max(1, places.count(1)))
                scores = []
                for other, opponent in enumerate(bots):
                    if other == seat or bot in benched or opponent in benched:
                        continue
                    both_out = seat in forfeits and other in forfeits
                    if both_out and places[seat] == places[other]:
                        continue
                    if not (is_begun or seat in forfeits or other in forfeits):
                        continue
                    level = places[seat] == places[other]
                    score = 0.5 if level else float(places[seat] < places[other])
                    scores.append(score)
                    weights[bot, opponent] += 2 / len(bots)
                    points[bot, opponent] += 2 / len(bots) * score
                if scores:
                    mine.ahead.append(sum(scores) / len(scores))
                    mine.ties.append(scores.count(0.5) / len(scores))
    return counts, weights, points


def compared(row: Standing, mine: Count, rounds: int) -> Mapping[str, tuple[object, object]]:
    """Return by name of a figure its value in the table and the one counted here."""
    points = mean(mine.points)
    return {
        "number of sets": (row.rating.sets, len(mine.sets)),
        "number of matches": (row.rating.games, mine.matches),
        "share ahead": (row.rating.ahead and row.rating.ahead.value, mean(mine.ahead)),
        "share of ties": (row.rating.ties and row.rating.ties.value, mean(mine.ties)),
        "mean place": (row.rating.place and row.rating.place.value, mean(mine.place)),
        "share of wins": (row.rating.wins and row.rating.wins.value, mean(mine.wins)),
        "points": (row.points and row.points.value, points and points / rounds),
        "places": (
            list(row.places),
            [mine.places[place] for place in range(1, len(row.places) + 1)],
        ),
        "faults": (dict(row.faults), {kind: mine.faults[kind] for kind in row.faults}),
        "forfeits": (row.forfeits, mine.forfeits),
        "thinking time": (
            row.think_ms,
            mine.us / mine.decisions / 1000 if mine.decisions else None,
        ),
        "slowest decision": (row.slowest_ms, mine.slowest_us / 1000 if mine.decisions else None),
    }


def mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def is_close(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE)
    return one == other


def missing_points(
    standings: Standings,
    weights: Mapping[tuple[str, str], float],
    points: Mapping[tuple[str, str], float],
) -> Iterator[tuple[str, str]]:
    """Yield the bots that have other points than their ratings expect of them."""
    for part in {row.part for row in standings.rows}:
        rating = {row.name: row.rating.elo / ELO for row in standings.rows if row.part == part}
        middle = middle_of(rating.values())
        for bot, mine in rating.items():
            made = sum(points.get((bot, other), 0) for other in rating)
            expected = sum(
                weights.get((bot, other), 0) * chance(mine - theirs)
                for other, theirs in rating.items()
            )
            missing = made - expected + PRIOR * (0.5 - chance(mine - middle))
            if abs(missing) > POINTS:
                yield bot, f"its Elo expects {expected:.3f} points of it; counted again {made:.3f}"


def middle_of(ratings: Iterable[float]) -> float:
    """Return the rating of the prior's bot: there the imagined ties of all bots add up to zero.

    The anchor moves it together with all ratings, so it is found from them.
    """
    values = [*ratings]
    low, high = min(values), max(values)
    for _ in range(100):
        middle = (low + high) / 2
        if sum(chance(value - middle) - 0.5 for value in values) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def chance(difference: float) -> float:
    return 1 / (1 + math.exp(-difference))
