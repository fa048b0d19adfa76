"""Machines compared: whether bots think longer on one, and whether more matches are void there.

Bots differ, and so do the matches that a machine happens to play. So each match is compared with
the time that its own bots take elsewhere: of each seat, the logarithm of its mean thinking time in
the match less the mean of that bot over all its matches. The mean of these over a machine's
matches, with its standard error, says by which factor bots are slower there.

A machine stands out when that factor is larger than FACTOR either way and further from 1 than
MOST_ERRORS standard errors, or when it has so many voids that with the rate of all others a number
as large would come with a chance below MOST_CHANCE. Both need FEWEST_MATCHES.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.league.model.played import LeagueMatch

FACTOR = 1.2
MOST_ERRORS = 3.0
MOST_CHANCE = 0.001
FEWEST_MATCHES = 10

# Decisions that took less than this are as good as instant; their logarithm would be all noise.
LEAST_US = 100.0


@dataclass(frozen=True)
class MachineRow:
    """Counts of the matches of a machine."""

    machine: str  # "": the runner's own
    matches: int  # that count, and void ones
    voids: int
    think_ms: float | None  # mean of a decision; None without one
    factor: float | None  # by which bots think longer here than elsewhere; None: nothing to compare
    error: float | None  # of its logarithm; None: too few matches
    why: tuple[str, ...]  # in words, why it stands out; (): it does not


@dataclass(frozen=True)
class _Seat:
    """The thinking of one seat in one match."""

    machine: str
    bot: str
    mean_us: float


def machine_rows(played: Iterable[tuple[str, LeagueMatch]]) -> Sequence[MachineRow]:
    """Return a row for each machine, in the order of their names."""
    matches: dict[str, int] = defaultdict(int)
    voids: dict[str, int] = defaultdict(int)
    times: dict[str, list[float]] = defaultdict(list)
    seats: dict[str, list[list[_Seat]]] = defaultdict(list)
    for machine, match in played:
        matches[machine] += 1
        voids[machine] += match.is_void
        if match.is_void:
            continue
        by_seat: dict[int, list[int]] = defaultdict(list)
        for move in match.record.moves:
            if move.time_us:  # else it was played for the bot
                by_seat[move.seat].append(move.time_us)
                times[machine].append(move.time_us)
        seats[machine].append(
            [
                _Seat(machine, match.record.names[seat], max(LEAST_US, statistics.fmean(all_us)))
                for seat, all_us in sorted(by_seat.items())
            ]
        )
    excesses = _excesses(seats)
    total, total_voids = sum(matches.values()), sum(voids.values())
    rows = []
    for machine in sorted(matches):
        mean, error = _mean(excesses[machine])
        others = (total - matches[machine], total_voids - voids[machine])
        why = (
            *_slower(mean, error, matches[machine]),
            *_voids(voids[machine], matches[machine], *others),
        )
        all_us = times[machine]
        rows.append(
            MachineRow(
                machine,
                matches[machine],
                voids[machine],
                statistics.fmean(all_us) / 1000 if all_us else None,
                None if mean is None else math.exp(mean),
                error,
                why,
            )
        )
    return rows


def _excesses(seats: dict[str, list[list[_Seat]]]) -> dict[str, list[float]]:
    """Return by machine, for each match, by how much its bots thought longer, as a logarithm.

    Of bots that have played on several machines only.
    """
    by_bot: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for each in (seat for all_ in seats.values() for match in all_ for seat in match):
        by_bot[each.bot][each.machine].append(math.log(each.mean_us))
    found: dict[str, list[float]] = defaultdict(list)
    for machine, all_ in seats.items():
        usual = {
            bot: statistics.fmean(x for other, xs in where.items() if other != machine for x in xs)
            for bot, where in by_bot.items()
            if where.keys() - {machine}
        }
        for match in all_:
            more = [math.log(seat.mean_us) - usual[seat.bot] for seat in match if seat.bot in usual]
            if more:
                found[machine].append(statistics.fmean(more))
    return found


def _mean(values: Sequence[float]) -> tuple[float | None, float | None]:
    if not values:
        return None, None
    mean = statistics.fmean(values)
    if len(values) < FEWEST_MATCHES:
        return mean, None
    return mean, statistics.stdev(values) / math.sqrt(len(values))


def _slower(mean: float | None, error: float | None, matches: int) -> Iterable[str]:
    if mean is None or error is None or matches < FEWEST_MATCHES:
        return
    if abs(mean) > math.log(FACTOR) and abs(mean) > MOST_ERRORS * error:
        yield f"bots think {math.exp(mean):.2f} times as long as elsewhere"


def _voids(voids: int, matches: int, other_matches: int, other_voids: int) -> Iterable[str]:
    if matches < FEWEST_MATCHES or not other_matches or not voids:
        return
    # As if the others had one more void, or a rate of zero would make any void stand out.
    expected = matches * (other_voids + 1) / other_matches
    if _at_least(voids, expected) < MOST_CHANCE:
        yield f"{voids} voids, where {expected:.1f} would be expected"


def _at_least(count: int, expected: float) -> float:
    """Return the chance of so many events, or more, where this many are expected (Poisson)."""
    below = sum(
        math.exp(number * math.log(expected) - expected - math.lgamma(number + 1))
        for number in range(count)
    )
    return max(0.0, 1.0 - below)
