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
from typing import TypeAlias

from arena.audit.events import Events
from arena.league.model.sets import PlannedSet
from arena.league.store.events import Event
from arena.league.table.standings import Standing, Standings

CountedSet: TypeAlias = tuple[Event, Sequence[Event]]
"""The event of a complete set, and those of its matches by turn."""

CLOSE = 1e-6
POINTS = 1e-4  # tolerance between the points of a bot and those that its rating expects
PRIOR = 1.0  # imagined ties with the middle
ELO = 400 / math.log(10)


@dataclass
class Sum:
    """Values of which the mean is wanted."""

    total: float = 0.0
    number: int = 0

    def add(self, value: float) -> None:
        self.total += value
        self.number += 1

    def mean(self) -> float | None:
        return self.total / self.number if self.number else None


@dataclass
class Count:
    """The counts of one bot."""

    sets: int = 0
    matches: int = 0
    ahead: Sum = field(default_factory=Sum)
    ties: Sum = field(default_factory=Sum)
    place: Sum = field(default_factory=Sum)
    wins: Sum = field(default_factory=Sum)
    points: Sum = field(default_factory=Sum)
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
    number = 0

    def numbered() -> Iterator[CountedSet]:
        nonlocal number
        for one in sets_that_count(told, planned, benched, at_once=at_once):
            number += 1
            yield one

    counts, weights, points = count(numbered(), benched)
    if number != standings.facts.sets:
        yield "table", f"{standings.facts.sets} sets count, by the events {number}"
        return
    for row in standings.rows:
        for name, (one, other) in compared(row, counts[row.name], rounds).items():
            if not is_close(one, other):
                yield row.name, f"its {name} is {one}, counted again {other}"
    yield from missing_points(standings, weights, points)


def since(number: int | None) -> str:
    return "never" if number is None else f"since set {number}"


def sets_that_count(
    told: Events, planned: Sequence[PlannedSet], benched: Mapping[str, int], *, at_once: bool
) -> Iterator[CountedSet]:
    """Yield the sets that count, with their matches: all from the first to the first gap.

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
    for one in planned:
        is_benched = any(benched.get(name, one.number) < one.number for name in one.line_up)
        if (is_benched and not at_once) or one.number in given_up:
            continue
        complete = told.about("set", one.number)
        if not complete:
            if at_once:
                continue
            break
        event = complete[-1]
        played = [
            match
            for match in told.about("match", one.number)
            if match["attempt"] == event["attempt"]
        ]
        yield event, sorted(played, key=lambda each: each["turn"])


def count(
    counted: Iterable[CountedSet], benched: Container[str]
) -> tuple[dict[str, Count], dict[tuple[str, str], float], dict[tuple[str, str], float]]:
    """Return the counts by bot, and by pair of bots the weight of their meetings and the points."""
    counts: dict[str, Count] = defaultdict(Count)
    weights: dict[tuple[str, str], float] = defaultdict(float)
    points: dict[tuple[str, str], float] = defaultdict(float)
    for one, played in counted:
        for bot in {bot for match in played for bot in match["bots"]}:
            counts[bot].sets += 1
        for match, opened in zip(played, one["matches"], strict=True):
            bots, places, forfeits = match["bots"], match["places"], match["forfeits"]
            is_begun = match["ending"] != "not-begun"
            for seat, bot in enumerate(bots):
                mine = counts[bot]
                mine.matches += 1
                mine.forfeits += seat in forfeits
                for score in match["scores"][seat : seat + 1]:
                    mine.points.add(score)
                time = opened["decisions"][seat]
                mine.decisions += time["number"]
                mine.us += time["us"]
                mine.slowest_us = max(mine.slowest_us, time["slowest_us"])
                mine.faults.update(
                    fault["kind"] for fault in opened["faults"] if fault["seat"] == seat
                )
                if is_begun or seat in forfeits:
                    mine.places[places[seat]] += 1
                    mine.place.add(places[seat])
                    mine.wins.add((places[seat] == 1) / max(1, places.count(1)))
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
                    mine.ahead.add(sum(scores) / len(scores))
                    mine.ties.add(scores.count(0.5) / len(scores))
    return counts, weights, points


def compared(row: Standing, mine: Count, rounds: int) -> Mapping[str, tuple[object, object]]:
    """Return by name of a figure its value in the table and the one counted here."""
    points = mine.points.mean()
    return {
        "number of sets": (row.rating.sets, mine.sets),
        "number of matches": (row.rating.games, mine.matches),
        "share ahead": (row.rating.ahead and row.rating.ahead.value, mine.ahead.mean()),
        "share of ties": (row.rating.ties and row.rating.ties.value, mine.ties.mean()),
        "mean place": (row.rating.place and row.rating.place.value, mine.place.mean()),
        "share of wins": (row.rating.wins and row.rating.wins.value, mine.wins.mean()),
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
