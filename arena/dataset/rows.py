"""RowBatch from the complete sets of leagues, in batches of bounded size."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from arena.dataset.schema import MASK, OBSERVATION, About, Batch, batch_of
from arena.games import GAMES, Outcome
from arena.league.model.played import LeagueMatch
from arena.league.store.reader import Reader
from arena.record import Record
from arena.record.replay import replay
from arena.rl.rewards import by_place

BATCH_ROWS = 4096  # of nyet with 4 seats: 7 MB

Told = Callable[[str, int, int], object]


class MixedLeagues(ValueError):
    """Leagues of different games or tables: their rows do not fit into one file."""


@dataclass(frozen=True)
class ExportedLeague:
    """An open league to export, and its name in messages."""

    name: str
    reader: Reader


def about_of(sources: Sequence[ExportedLeague]) -> About:
    """Return the facts common to all rows of these leagues; raise MixedLeagues if they differ."""
    cells = {}
    for source in sources:
        settings = source.reader.settings
        cells[source.name] = (str(settings["game"]), int(settings["seats"]))
    game, seats = cells[sources[0].name]
    for name, cell in cells.items():
        if cell != (game, seats):
            raise MixedLeagues(
                f"{sources[0].name} plays {game} with {seats} seats, but {name} plays {cell[0]}"
                f" with {cell[1]}: export them into files of their own"
            )
    bots = dict.fromkeys(entrant.name for source in sources for entrant in source.reader.entrants())
    version = GAMES[game].observation(seats).version
    return About(game, seats, version, tuple(bots), tuple(cells))


def batches(sources: Sequence[ExportedLeague], about: About, tell: Told) -> Iterator[Batch]:
    """Yield all decisions in the order in which they were made: by league, set and match.

    A batch is made anew each time, so the caller may keep it; nothing else is kept. `tell` gets
    the number of sets so far.
    """
    rows = RowBatch(about)
    sets = [source.reader.completed() for source in sources]
    of, done = sum(map(len, sets)), 0
    for number, source in enumerate(sources):
        for one in source.reader.complete_sets():
            for match in one.matches:
                if match.is_begun:
                    yield from rows.add(match, number)
            done += 1
            tell("sets exported", done, of)
    if rows.filled:
        yield rows.taken()


class RowBatch:
    """A batch that is being filled."""

    def __init__(self, about: About):
        self._widths = about.widths()
        self._bots = {name: number for number, name in enumerate(about.bots)}
        self._codes = about.rules.actions.code
        self._batch = batch_of(BATCH_ROWS, self._widths)
        self.filled = 0

    def __repr__(self) -> str:
        return f"<RowBatch, {self.filled} filled>"

    def taken(self) -> Batch:
        """Return the filled rows, and begin anew."""
        full = {name: column[: self.filled] for name, column in self._batch.items()}
        self._batch, self.filled = batch_of(BATCH_ROWS, self._widths), 0
        return full

    def add(self, match: LeagueMatch, league: int) -> Iterator[Batch]:
        """Fill in the decisions of a match; yield each batch that is full."""
        record = match.record
        results, scores = worth(record)
        steps = replay(record)
        state = next(steps).state  # all steps share it: each line is written before the next step
        for number, move in enumerate(record.moves):
            batch, row, seat = self._batch, self.filled, move.seat
            state.observe(seat, batch[OBSERVATION][row])
            state.mask(seat, batch[MASK][row])
            batch["action"][row] = self._codes(move.action)
            batch["seat"][row] = seat
            batch["result"][row] = results[seat]
            batch["score"][row] = scores[seat]
            batch["played"][row] = move.time_us > 0
            batch["bot"][row] = self._bots[record.names[seat]]
            batch["league"][row] = league
            batch["set"][row] = match.place.set
            batch["turn"][row] = match.place.turn
            batch["move"][row] = number
            self.filled += 1
            if self.filled == BATCH_ROWS:
                yield self.taken()
            next(steps)


def worth(record: Record) -> tuple[list[float], list[float]]:
    """Return the result of each seat, from -1 to 1 by its place, and its score; NaN without one."""
    results = by_place(Outcome(record.scores, record.places, record.ending))
    return results, [*map(float, record.scores)] or [math.nan] * record.seats
