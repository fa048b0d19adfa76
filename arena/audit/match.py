"""Check one match of a complete set against the schedule, the seed, the rules and the penalties.

Everything is worked out anew from the set's seed, and then compared with the record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from arena.audit.lateness import of_lateness
from arena.games import GAMES, GameError
from arena.league.model.played import LeagueMatch
from arena.league.model.sets import PlannedSet
from arena.league.model.settings import Settings
from arena.record import DoesNotFit, FaultEntry, Move, Record
from arena.record.penalties import PENALTIES, places_with_forfeits
from arena.record.replay import Step, check_end, deal, replay
from arena.record.substitute import Substitute
from arena.record.timing import BotClock
from arena.utc import TIME
from protocol.commitment import NONCE_BYTES


def problems(
    played: LeagueMatch,
    planned: PlannedSet,
    settings: Settings,
    clocks: Mapping[str, BotClock],
    seed: bytes,
) -> Iterator[str]:
    """Yield everything about the match that does not fit, in words.

    `clocks`: of the bots that have one of their own, by name.
    """
    record = played.record
    yield from of_its_place(played, planned, settings)
    if record.seed != seed.hex():
        yield "it was not dealt from the seed of its set"
    if not is_time(played.ended):
        yield f"it ended at {played.ended!r}, which is no time"
    if not is_about_its_seats(record):
        yield "its faults, notes or moves name seats or moves that it has not"
        return
    yield from of_clocks(played, planned, clocks)
    yield from of_forfeits(record, settings.timing.faults_to_forfeit)
    if not played.is_begun:
        yield from of_absence(record)
        return
    if len(record.nonce) != 2 * NONCE_BYTES or not record.match:
        yield "it has no nonce or no name, so nobody can check its commitment"
    yield from of_lateness(record, settings.timing)
    yield from of_play(record)


def of_its_place(played: LeagueMatch, planned: PlannedSet, settings: Settings) -> Iterator[str]:
    """Compare the match with the one that the schedule has in its place."""
    record = played.record
    expected = {
        "game": (record.game, settings.game),
        "number of seats": (record.seats, settings.seats),
        "options": (dict(record.options), dict(settings.options)),
        "seating": (tuple(record.names), planned.seating(played.turn)),
    }
    for name, (found, planned_so) in expected.items():
        if found != planned_so:
            yield f"its {name}: {told(found)} in the record, {told(planned_so)} in the schedule"
    if len(played.processes) != record.seats:
        yield f"{len(played.processes)} processes are named for {record.seats} seats"


def of_clocks(
    played: LeagueMatch, planned: PlannedSet, clocks: Mapping[str, BotClock]
) -> Iterator[str]:
    """Compare the clocks of the seats with those of their bots."""
    for seat, name in enumerate(planned.seating(played.turn)):
        found, expected = played.record.clock_of(seat), clocks.get(name)
        if found != expected:
            yield (
                f"seat {seat} had {in_words(found)} in the record, and {name} has"
                f" {in_words(expected)} in the events"
            )


def in_words(clock: BotClock | None) -> str:
    if clock is None:
        return "the clock of the league"
    return ", ".join(f"{name} {value}" for name, value in clock.in_words().items())


def told(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def is_time(text: object) -> bool:
    """Return True for a time in the one way of writing it: strptime also reads 2026-1-1T0:0:0Z."""
    try:
        return datetime.strptime(str(text), TIME).strftime(TIME) == text
    except ValueError:
        return False


def is_about_its_seats(record: Record) -> bool:
    seats, moves = range(record.seats), len(record.moves)
    return (
        {move.seat for move in record.moves} <= {*seats}
        and min((move.time_us for move in record.moves), default=0) >= 0
        and all(0 <= note.move < moves for note in record.notes)
        and all(fault.seat in seats and 0 <= fault.move <= moves for fault in record.faults)
        and all(fault.kind in PENALTIES for fault in record.faults)
        and len(record.places) == record.seats
        and len(record.scores) in (0, record.seats)
    )


def of_forfeits(record: Record, faults_to_forfeit: int) -> Iterator[str]:
    """Check that seats are forfeited by their faults, and only by them."""
    by_faults = tuple(fault.seat for fault in record.faults if fault.forfeit)
    if record.forfeits != by_faults:
        yield f"seats {told(record.forfeits)} are forfeited; by its faults {told(by_faults)} are"
    faults, lates = [0] * record.seats, [0] * record.seats  # by seat, so far
    for number, fault in enumerate(record.faults):
        faults[fault.seat] += 1
        lates[fault.seat] += fault.kind == "late"
        # Further misses may belong to a `late` counted before (SPEC 6.4), so how many of them
        # count lies between one and all.
        most = faults[fault.seat]
        least = most - max(0, lates[fault.seat] - 1)
        at_once = PENALTIES[fault.kind].forfeits
        if fault.forfeit and not at_once and most < faults_to_forfeit:
            yield f"fault {number + 1} forfeits seat {fault.seat} too early"
        if not fault.forfeit and (at_once or least >= faults_to_forfeit):
            yield f"fault {number + 1} should forfeit seat {fault.seat}, and does not"


def of_absence(record: Record) -> Iterator[str]:
    """Check a match that was not begun: its record holds the absent seats and nothing else."""
    if record.moves or record.scores:
        yield "it was not begun, and has moves or scores"
    if not record.forfeits or any(fault.kind != "never-started" for fault in record.faults):
        yield "it was not begun, and its faults do not say who did not come"
    places = places_with_forfeits((1,) * record.seats, record.forfeits)
    if record.places != places:
        yield f"its places are {told(record.places)}; by who did not come {told(places)}"


def of_play(record: Record) -> Iterator[str]:
    """Deal and play the match again: moves by the rules, penalties by lot, scores and places."""
    if not plays_out(record):
        yield from misplays(record)


def plays_out(record: Record) -> bool:
    """Return True if the match has neither faults nor forfeits, and `misplays` finds nothing in it.

    Nearly all matches are such, and this takes half the time: no steps, no lots, no words.
    """
    if record.faults or record.forfeits:
        return False
    try:
        game, state = deal(record)
        code, apply = game.actions.code, state.apply
        for move in record.moves:
            apply(move.seat, code(move.action))
        check_end(record, state)
    except (GameError, DoesNotFit):
        return False
    outcome = state.outcome()
    return outcome is not None and record.places == places_with_forfeits(outcome.places, ())


def misplays(record: Record) -> Iterator[str]:
    """Play the match again step by step, and yield everything that does not fit."""
    steps = replay(record)
    penalties: Penalties | None = Penalties(record)
    last: Step | None = None
    while True:
        try:
            step = next(steps, None)
        except DoesNotFit as error:
            yield str(error)
            return
        if step is None:
            break
        if penalties is not None and (wrong := penalties.wrong(step)) is not None:
            yield wrong
            penalties = None  # the lots that come after it differ too
        last = step
    assert last is not None  # the deal at least
    outcome = last.state.outcome()
    if outcome is None and record.scores:
        yield "it was cut short, and has scores"
    base = (1,) * record.seats if outcome is None else outcome.places
    places = places_with_forfeits(base, record.forfeits)
    if record.places != places:
        yield f"its places are {told(record.places)}; by its moves and forfeits {told(places)}"


class Penalties:
    """The actions played in place of a bot's, drawn from the seed again (SPEC 13.1)."""

    def __init__(self, record: Record):
        self._moves = record.moves
        self._names = GAMES[record.game].actions.names
        self._substitute = Substitute(record.seed_bytes)
        self._faults: dict[int, list[FaultEntry]] = {}
        for fault in record.faults:
            self._faults.setdefault(fault.move, []).append(fault)
        self._forfeited: set[int] = set()

    def __repr__(self) -> str:
        return f"<Penalties, seats {sorted(self._forfeited)} forfeited>"

    def wrong(self, step: Step) -> str | None:
        """Return the error of the next move if that is a penalty; None if there is none."""
        number = step.number + 1
        if number >= len(self._moves):
            return None
        move = self._moves[number]
        was_forfeited = move.seat in self._forfeited
        if not (was_forfeited or self._is_replaced(number, move)):
            return None
        legal = [self._names[code] for code in step.state.legal(move.seat)]
        expected = self._substitute.pick(legal) if legal else None
        if move.action != expected:
            return (
                f"move {number} was played for seat {move.seat}: it is {move.action!r}, and the"
                f" lot of its seed is {expected!r}"
            )
        if was_forfeited and move.time_us:
            return f"move {number} of a forfeited seat took time, as if its bot had played it"
        return None

    def _is_replaced(self, number: int, move: Move) -> bool:
        """Return True if a fault in this decision led to a penalty or forfeited the seat."""
        is_replaced = False
        for fault in self._faults.get(number, ()):
            if fault.forfeit:
                self._forfeited.add(fault.seat)
            if fault.seat == move.seat:
                is_replaced |= fault.forfeit or PENALTIES[fault.kind].settles
        return is_replaced
