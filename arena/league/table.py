"""The standings worked out: from what counts, with the maths of `arena.league.ratings`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

# Before numpy loads its BLAS: for matrices of this size more threads only wait for each other,
# and here they would take processors from bots.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from arena.league.ledger import Ledger
from arena.league.ratings import Anchor, Match, Ratings, Row, elos, ratings, seat_edges
from arena.league.reader import KnownEntrant
from arena.league.settings import Settings
from arena.league.standings import (
    Benched,
    Facts,
    Moment,
    SeatEdge,
    Standing,
    Standings,
    Versus,
)
from arena.league.store import Store
from arena.referee.penalties import PENALTIES
from arena.referee.sets import Mean

# Of a long league the history shows so many moments, and of a short one every set.
MOST_MOMENTS = 60


class Table:
    """A league's standings, worked out anew as sets are counted; what does not change is kept."""

    def __init__(self, settings: Settings, ledger: Ledger):
        self.settings = settings
        self.ledger = ledger
        self._moments: dict[tuple[int, frozenset[str]], Moment] = {}

    def __repr__(self) -> str:
        return f"<Table of {self.settings.name!r}, {self.ledger!r}>"

    def standings(
        self,
        entrants: Sequence[KnownEntrant],
        *,
        planned: int,
        voids: Mapping[str, int],
        with_history: bool,
    ) -> Standings:
        """The table as it now is. `voids`: how often sets were, by who would have been late."""
        ledger = self.ledger
        found = ratings(ledger.names, self._counted(), anchor=self._anchor())
        known = {entrant.name: entrant for entrant in entrants}
        rated = [row for row in found.rows if row.bot not in ledger.benching.reasons and row.sets]
        # Who is benched, or has not played, makes a group too, and no part of the table.
        groups = sorted({row.group for row in rated})
        rows = tuple(self._standing(row, groups.index(row.group), known[row.bot]) for row in rated)
        shown = {row.name for row in rows} | ledger.benching.reasons.keys()
        return Standings(
            facts=self._facts(planned, voids),
            rows=rows,
            benched=self._benched(known),
            waiting=tuple(entrant.name for entrant in entrants if entrant.name not in shown),
            versus=self._versus(found, [row.name for row in rows]),
            history=self._history() if with_history else (),
            seat_edges=self._seat_edges(),
        )

    def _counted(self) -> list[Match]:
        """What the ratings are worked out from: nothing of a benched bot's."""
        benched = {self.ledger.names.index(name) for name in self.ledger.benching.reasons}
        if not benched:
            return self.ledger.matches
        return [
            replace(
                match,
                left_out=tuple(seat for seat, bot in enumerate(match.bots) if bot in benched),
            )
            if not benched.isdisjoint(match.bots)
            else match
            for match in self.ledger.matches
        ]

    def _anchor(self) -> Anchor:
        settings = self.settings
        # A bot that the scale hangs on may be benched: then it hangs on the rest, or the mean.
        weights = {
            name: weight
            for name, weight in settings.anchor.items()
            if name not in self.ledger.benching.reasons
        }
        return Anchor(weights, settings.anchor_elo)

    def _facts(self, planned: int, voids: Mapping[str, int]) -> Facts:
        settings, ledger = self.settings, self.ledger
        rounds = settings.rounds
        return Facts(
            name=settings.name,
            game=settings.game,
            seats=settings.seats,
            options=dict(settings.options),
            format=settings.format,
            duplicate=settings.duplicate,
            clock={
                name: getattr(settings, name)
                for name in ("decision_ms", "bank_ms", "hang_ms", "faults_to_forfeit", "start_ms")
            },
            are_deals_predictable=settings.seed is not None,
            anchor=settings.anchor_in_words(),
            points_of="round" if rounds is not None else "match",
            sets=ledger.sets,
            sets_planned=planned,
            matches=len(ledger.matches),
            voids=sum(voids.values()),
            annulled={name: voids[name] for name in sorted(voids) if name},
            stood=ledger.stood,
            is_finished=planned > 0 and ledger.last_number >= planned,
            first=ledger.first,
            last=ledger.last,
        )

    def _standing(self, row: Row, part: int, entrant: KnownEntrant) -> Standing:
        tally = self.ledger.tallies[row.bot]
        has_places = sum(tally.places.values()) > 0
        return Standing(
            name=row.bot,
            owner=entrant.owner,
            version=entrant.said.get("version", ""),
            author=entrant.said.get("author", ""),
            language=entrant.said.get("language", ""),
            part=part,
            rank=row.rank,
            rank_interval=row.rank_interval,
            elo=row.elo,
            half_width=row.half_width,
            los_to_next=row.los_to_next,
            is_separated=row.is_separated,
            sets=row.sets,
            matches=row.games,
            ahead=row.ahead,
            ties=row.ties,
            wins=row.wins if has_places else None,
            place=row.place if has_places else None,
            places=tuple(tally.places[place] for place in range(1, self.settings.seats + 1)),
            points=_per(row.points, self.settings.rounds or 1),
            think_ms=tally.think_us / tally.decisions / 1000 if tally.decisions else None,
            slowest_ms=tally.slowest_us / 1000 if tally.decisions else None,
            faults=_by_kind(tally.faults),
            forfeits=tally.forfeits,
            gain=row.gain,
            lacks=row.lacks,
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

    def _versus(self, found: Ratings, names: Sequence[str]) -> Mapping[tuple[str, str], Versus]:
        weights, scores = found.pairs.weights(), found.pairs.scores()
        at = {name: found.names.index(name) for name in names}
        versus = {}
        for one in names:
            for other in names:
                weight = float(weights[at[one], at[other]])
                if one == other or not weight:
                    continue
                versus[one, other] = Versus(
                    ahead=float(scores[at[one], at[other]]) / weight,
                    meetings=round(weight * self.settings.seats / 2),
                    superiority=found.superiority(one, other),
                )
        return versus

    def _history(self) -> tuple[Moment, ...]:
        """Ratings after some numbers of sets, as they would have stood without who is benched."""
        matches = self._counted()
        ends: list[int] = []  # after each counted set, how many matches
        for number, match in enumerate(matches):
            if number + 1 == len(matches) or matches[number + 1].set != match.set:
                ends.append(number + 1)
        benched = frozenset(self.ledger.benching.reasons)
        moments = []
        for sets in moments_of(len(ends)):
            key = (sets, benched)
            if key not in self._moments:
                found = elos(self.ledger.names, matches[: ends[sets - 1]], anchor=self._anchor())
                self._moments[key] = Moment(
                    sets, {name: elo for name, elo in found.items() if name not in benched}
                )
            moments.append(self._moments[key])
        return tuple(moments)

    def _seat_edges(self) -> tuple[SeatEdge, ...]:
        """Where every hand is held by everyone, seats cancel out; else they are worth knowing."""
        if self.settings.duplicate or not self.ledger.matches:
            return ()
        found = seat_edges(len(self.ledger.names), self._counted())
        return tuple(
            SeatEdge(seat, elo, half_width)
            for edges in found
            for seat, (elo, half_width) in enumerate(zip(edges.elo, edges.half_widths, strict=True))
        )


def moments_of(sets: int) -> list[int]:
    """The numbers of sets at which the history is shown: early ones densely, the last always.

    A number that is shown once is shown for ever while the step stays, so it is worked out once.
    """
    step = 1
    while sets // step > MOST_MOMENTS:
        step *= 2
    numbers = list(range(step, sets + 1, step))
    return numbers if not sets or (numbers and numbers[-1] == sets) else [*numbers, sets]


def standings_of(store: Store, *, with_history: bool = True) -> Standings:
    """The table of a stored league."""
    settings = Settings.from_json(store.settings)
    table = Table(settings, ledger_of(store))
    return table.standings(
        store.entrants(),
        planned=len(store.sets()),
        voids=store.voids(),
        with_history=with_history,
    )


def ledger_of(store: Store) -> Ledger:
    """All that counts of a stored league."""
    names = [entrant.name for entrant in store.entrants()]
    ledger = Ledger(names, (state.planned for state in store.sets()))
    for one in store.complete_sets():
        ledger.enter(one)
    return ledger


def _per(mean: Mean | None, count: int) -> Mean | None:
    if mean is None:
        return None
    return Mean(mean.value / count, None if mean.bar is None else mean.bar / count)


def _by_kind(faults: Mapping[str, int]) -> Mapping[str, int]:
    return {kind: faults.get(kind, 0) for kind in PENALTIES}
