"""Schedules drawn by the planners of a round robin and a gauntlet, as a league draws them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from arena.league.model.sets import PlannedSet
from arena.league.model.terms import LeagueTerms
from arena.league.plan.format import Past, Play
from arena.league.plan.formats import NoLineUp, format_of
from arena.league.plan.round_robin.in_turn import FEW_LINE_UPS, line_ups, number_of_line_ups
from arena.league.plan.seating import SeatsTaken, seated


def schedule(
    bots: Sequence[tuple[str, str]],
    *,
    seats: int,
    sets: int,
    lots: bytes,
    format: str = "round-robin",  # noqa: A002  # the word of the league's file
    challengers: Sequence[str] = (),
    duplicate: bool = True,
    owners_may_meet: bool = False,
    already: Sequence[PlannedSet] = (),
    left_out: Iterable[int] = (),
) -> list[PlannedSet]:
    """The sets planned after those that are planned already. Raises NoLineUp."""
    terms = LeagueTerms(format, seats, sets, duplicate, owners_may_meet, tuple(challengers))
    planner = format_of(terms)
    if (reason := planner.why_not(bots)) is not None:
        raise NoLineUp(reason)
    past = Past(bots, already, frozenset(left_out))
    answer = planner.next(past, {}, {name for name, _ in bots}, 0, lots)
    return (
        seated(answer.tables, past, terms, lots, SeatsTaken()) if isinstance(answer, Play) else []
    )


def few_line_ups(
    owner_of: Mapping[str, str], seats: int, challenger: str | None
) -> list[tuple[int, ...]] | None:
    """Every line-up, if they are few enough to come in turn; else None."""
    challengers = () if challenger is None else (challenger,)
    if number_of_line_ups(owner_of, seats, challengers) > FEW_LINE_UPS:
        return None
    return line_ups(owner_of, seats, challengers)
