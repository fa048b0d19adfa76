"""Matches replayed in processes of their own, on all cores, a bounded number of sets ahead.

Of an audit it is replaying that takes most time, and it needs nothing but the match. So sets are
handed to workers as they are read, and come back in the order in which they were read: findings do
not depend on the number of cores. A short league is replayed in this process.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from types import TracebackType
from typing import ClassVar, Self, TypeVar

from arena.audit.findings import Misfit, Misfits
from arena.audit.match import problems
from arena.audit.rows import MatchRow
from arena.league.model.sets import Place, PlannedSet
from arena.league.model.settings import Settings
from arena.parent import end_after
from arena.record.timing import BotClock
from protocol.commitment import commit

# Fewer are replayed sooner than a worker is started.
FEWEST_MATCHES = 2_000
# Sets that a worker may be behind: some 30 KB each.
SETS_AHEAD = 16

T = TypeVar("T")


@dataclass(frozen=True)
class Commitment:
    """A commitment, worked out from the nonce and the seed that are published after a match.

    Bots were sent it before the match, so an author can compare it with the one in a bot's log.
    """

    place: Place
    match: str
    commitment: str


@dataclass(frozen=True)
class SetToReplay:
    """The matches of a complete set, with the values they are compared with."""

    planned: PlannedSet
    matches: tuple[MatchRow, ...]
    seed: bytes


@dataclass(frozen=True)
class Replayed:
    """One match, replayed."""

    findings: tuple[Misfit, ...] = ()
    moves: int = 0
    commitment: Commitment | None = None


@dataclass(frozen=True)
class ReplayTerms:
    """The values that all matches of a league are held against. `clocks`: of bots that have one of
    their own, by name."""

    settings: Settings
    clocks: Mapping[str, BotClock]

    def replay(self, one: SetToReplay) -> Mapping[int, Replayed]:
        """Return the matches of a set by turn. One that cannot be read has no finding here."""
        return {row.turn: self.replay_match(one, row) for row in one.matches}

    def replay_match(self, one: SetToReplay, row: MatchRow) -> Replayed:
        """Check one match of a set."""
        try:
            played = row.played()
            record = played.record
            if played.is_void:
                return Replayed()
        # A damaged row may raise anything; the audit reads it too, and names it.
        except Exception:
            return Replayed()
        found = Misfits()
        opened = None
        with found.guard(row.place):
            for problem in problems(played, one.planned, self.settings, self.clocks, one.seed):
                found.add(row.place, problem)
        with found.guard(row.place):
            if played.is_begun and record.nonce:
                told = commit(record.match, bytes.fromhex(record.nonce), record.seed_bytes)
                opened = Commitment(row.place, record.match, told)
        return Replayed(tuple(found.all), len(record.moves), opened)


def processes_for(matches: int) -> int:
    """Return the number of workers that a league of so many matches is worth; 0: none."""
    cores = len(os.sched_getaffinity(0))
    return cores if cores > 1 and matches >= FEWEST_MATCHES else 0


class Replays:
    """Replays sets, in workers if there are to be any."""

    def __init__(self, terms: ReplayTerms, processes: int):
        self._terms = terms
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        if processes:
            self._pool = ProcessPoolExecutor(
                processes,
                # Not by fork: a connection to a database is open here.
                mp_context=get_context("spawn"),
                initializer=_Worker.begin,
                initargs=(terms, os.getpid()),
            )

    def __repr__(self) -> str:
        return f"<Replays by {self._processes} workers>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def in_order(
        self, sets: Iterable[tuple[T, SetToReplay | None]]
    ) -> Iterator[tuple[T, Mapping[int, Replayed]]]:
        """Yield the first value of each pair, and its set's matches by turn; none without one."""
        if self._pool is None:
            for beside, one in sets:
                yield beside, {} if one is None else self._terms.replay(one)
            return
        ahead: deque[tuple[T, Future[Mapping[int, Replayed]] | None]] = deque()
        for beside, one in sets:
            future = None if one is None else self._pool.submit(_Worker.replay, one)
            ahead.append((beside, future))
            if len(ahead) > SETS_AHEAD * self._processes:
                yield _result(*ahead.popleft())
        while ahead:
            yield _result(*ahead.popleft())


def _result(
    beside: T, future: Future[Mapping[int, Replayed]] | None
) -> tuple[T, Mapping[int, Replayed]]:
    return beside, {} if future is None else future.result()


class _Worker:
    """The state of a worker process."""

    terms: ClassVar[ReplayTerms]

    @classmethod
    def begin(cls, terms: ReplayTerms, parent: int) -> None:
        end_after(parent)
        # Ctrl-C goes to the whole terminal; the audit ends its workers.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        cls.terms = terms

    @classmethod
    def replay(cls, one: SetToReplay) -> Mapping[int, Replayed]:
        return cls.terms.replay(one)
