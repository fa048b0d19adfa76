"""The standings, worked out from a ledger with the maths of `arena.league.table.ratings`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from arena.league.model.anchor import Anchor
from arena.league.model.course import CourseTable
from arena.league.model.entrants import KnownEntrant, Presence
from arena.league.model.settings import Settings
from arena.league.table.ledger import Ledger
from arena.league.table.ratings import Rating, Ratings, Selection, elos, ratings, seat_edges
from arena.league.table.standings import (
    Benched,
    Facts,
    Moment,
    SeatEdge,
    Standing,
    Standings,
    State,
    VersusOfRatings,
)
from arena.record.penalties import PENALTIES
from arena.record.timing import BotClock
from arena.stats import Mean

# The most moments in the history of a league; that of a short league has every set.
MOST_MOMENTS = 60


@dataclass(frozen=True)
class RunFacts:
    """The progress of a league: facts that only its events tell, and whether somebody plays it."""

    sets_in_all: int | None  # that will have counted at the end; None: nobody can know
    is_running: bool  # a runner plays it now
    is_over: bool  # its last event says that it is finished
    ended: str  # the rule of [stop] that ended it early, in words; "": none
    course: Sequence[CourseTable]
    clocks: Mapping[str, BotClock] = field(default_factory=dict)  # of bots with one of their own
    retired: Collection[str] = ()  # rows of bots that take no further part
    presence: Sequence[Presence] = ()  # of bots that dial in; stale while nobody plays it


class TableMaker:
    """Works the standings out anew as sets are counted, and keeps the moments of the history.

    `rounds`: of each match; None if the game has none, or their number varies.
    """

    def __init__(self, settings: Settings, rounds: int | None, ledger: Ledger):
        self.settings = settings
        self.rounds = rounds
        self.ledger = ledger
        # By number of sets, the number of the last of them, and the benched bots: where sets count
        # at once, others may come between them.
        self._moments: dict[tuple[int, int, frozenset[str]], Moment] = {}

    def __repr__(self) -> str:
        return f"<TableMaker of {self.settings.name!r}, {self.ledger!r}>"

    def standings(
        self,
        entrants: Sequence[KnownEntrant],
        *,
        voids: Mapping[str, int],
        run: RunFacts,
        with_history: bool,
    ) -> Standings:
        """Return the table as it is now.

        `voids`: the number of void sets by the bot that would have been late. `run`: how far
        the league is.
        """
        ledger = self.ledger
        found = ratings(ledger.names, self._counted(), anchor=self._anchor())
        known = {entrant.name: entrant for entrant in entrants}
        rated = [row for row in found.rows if row.bot not in ledger.benching.reasons and row.sets]
        # Bots that are benched, or have not played, make a group too, and no part of the table.
        groups = sorted({row.group for row in rated})
        rows = tuple(
            replace(
                self._standing(row, groups.index(row.group), known[row.bot]),
                clock=run.clocks.get(row.bot),
            )
            for row in rated
        )
        shown = {row.name for row in rows} | ledger.benching.reasons.keys()
        facts = self._facts(voids, run)
        return Standings(
            facts=facts,
            rows=rows,
            benched=self._benched(known),
            waiting=tuple(entrant.name for entrant in entrants if entrant.name not in shown),
            retired=tuple(each.name for each in entrants if each.name in run.retired),
            versus=VersusOfRatings(found, [row.name for row in rows], self.settings.seats),
            history=self._history(found) if with_history else (),
            seat_edges=self._seat_edges(),
            course=tuple(run.course),
            # Nobody is connected to a league that rests, and no event tells of its stop.
            presence=tuple(run.presence) if facts.state == "running" else (),
        )

    def _counted(self) -> Selection:
        """Return the matches to rate, the seats of benched bots left out."""
        names = self.ledger.names
        return self.ledger.matches.without(map(names.index, self.ledger.benching.reasons))

    def _anchor(self) -> Anchor:
        """Return the anchor without benched bots; if none is left of it, the mean of all bots."""
        anchor, benched = self.settings.anchor, self.ledger.benching.reasons
        weights = {name: each for name, each in anchor.weights.items() if name not in benched}
        return Anchor(weights, anchor.elo)

    def _facts(
        self,
        voids: Mapping[str, int],
        run: RunFacts,
    ) -> Facts:
        settings, ledger = self.settings, self.ledger
        in_all = run.sets_in_all
        is_finished = ledger.is_settled and (
            run.is_over or (in_all is not None and ledger.sets >= in_all)
        )
        if is_finished:
            in_all = ledger.sets
        return Facts(
            name=settings.name,
            game=settings.game,
            seats=settings.seats,
            options=dict(settings.options),
            format=settings.format,
            duplicate=settings.duplicate,
            clock={**settings.timing.in_words(), "start_ms": settings.start_ms},
            are_deals_predictable=settings.seed is not None,
            anchor=settings.anchor.in_words(),
            points_of="round" if self.rounds is not None else "match",
            state=state_of(
                is_finished=ledger.planned > 0 and is_finished,
                is_running=run.is_running,
            ),
            sets=ledger.sets,
            sets_in_all=in_all,
            sets_planned=ledger.planned,
            sets_left_out=len(ledger.left_out),
            matches=len(ledger.matches),
            voids=sum(voids.values()),
            annulled={name: voids[name] for name in sorted(voids) if name},
            confinement=ledger.confinement,
            stood=ledger.stood,
            ended=run.ended,
            first=ledger.first,
            last=ledger.last,
            # One that was ended early may have bots with more to play.
            winners=tuple(name for one in run.course for name in one.winners)
            if is_finished and not run.ended
            else (),
        )

    def _standing(self, rating: Rating, part: int, entrant: KnownEntrant) -> Standing:
        tally = self.ledger.tallies[rating.bot]
        return Standing(
            rating=rating,
            owner=entrant.owner,
            version=entrant.said.get("version", ""),
            author=entrant.said.get("author", ""),
            language=entrant.said.get("language", ""),
            part=part,
            places=tuple(tally.places[place] for place in range(1, self.settings.seats + 1)),
            points=_per(rating.points, self.rounds or 1),
            think_ms=tally.think_us / tally.decisions / 1000 if tally.decisions else None,
            slowest_ms=tally.slowest_us / 1000 if tally.decisions else None,
            faults=_by_kind(tally.faults),
            forfeits=tally.forfeits,
        )

    def _benched(self, known: Mapping[str, KnownEntrant]) -> tuple[Benched, ...]:
        benching = self.ledger.benching
        rows = []
        for name, reason in benching.reasons.items():
            tally = self.ledger.tallies[name]
            rows.append(
                Benched(
                    name,
                    known[name].owner,
                    reason,
                    benching.after_set[name],
                    tally.sets,
                    tally.matches,
                    _by_kind(tally.faults),
                    tally.forfeits,
                )
            )
        return tuple(rows)

    def _history(self, found: Ratings) -> tuple[Moment, ...]:
        """Return the ratings after some numbers of sets, worked out without benched bots.

        `found`: the ratings after all sets, which are those of the last moment.
        """
        counted, sets = self._counted(), self.ledger.matches.sets()
        benched = frozenset(self.ledger.benching.reasons)
        kept: dict[tuple[int, int, frozenset[str]], Moment] = {}
        for number in moments_of(len(sets)):
            last = int(sets[number - 1])
            key = (number, last, benched)
            if (moment := self._moments.get(key)) is None:
                if number == len(sets):
                    rated = found.elos()
                else:
                    until = counted.until(last)
                    rated = elos(self.ledger.names, until, anchor=self._anchor())
                moment = Moment(
                    number, {name: elo for name, elo in rated.items() if name not in benched}
                )
            kept[key] = moment
        # Only these can be shown again: each table of a long league has a last moment of its own.
        self._moments = kept
        return tuple(kept.values())

    def _seat_edges(self) -> tuple[SeatEdge, ...]:
        """Return the worth of seats, where not every bot has held every hand in every seat."""
        if self.settings.duplicate:
            return ()
        found = seat_edges(len(self.ledger.names), self._counted())
        return tuple(
            SeatEdge(seat, elo, half_width)
            for edges in found
            for seat, (elo, half_width) in enumerate(zip(edges.elo, edges.half_widths, strict=True))
        )


def moments_of(sets: int) -> list[int]:
    """Return the numbers of sets at which the history is shown: at even steps, and at the end.

    A number that is shown once is shown for ever while the step stays, so it is worked out once.
    """
    step = 1
    while sets // step > MOST_MOMENTS:
        step *= 2
    numbers = list(range(step, sets + 1, step))
    return numbers if not sets or (numbers and numbers[-1] == sets) else [*numbers, sets]


def state_of(*, is_finished: bool, is_running: bool) -> State:
    """Return the state of a league; a finished one stays so while a runner still holds it."""
    if is_finished:
        return "finished"
    return "running" if is_running else "stopped"


def _per(mean: Mean | None, count: int) -> Mean | None:
    if mean is None:
        return None
    return Mean(mean.value / count, None if mean.bar is None else mean.bar / count)


def _by_kind(faults: Mapping[str, int]) -> Mapping[str, int]:
    return {kind: faults.get(kind, 0) for kind in PENALTIES}
