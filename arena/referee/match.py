"""One match: ask, judge, apply, record, from deal to end.

It speaks to seats through two small calls, `ask` and `tell`, and knows nothing of sockets,
processes or tasks: where a seat does not have its reply at once, the match yields, and its
caller sends the reply in. Simultaneous choices are asked one seat after another, and nothing
of them enters a view before all are in, so one request is open and one clock runs at any time.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, assert_never

from msgspec import UNSET

from arena.games import GAMES, Game, Outcome, State
from arena.record import FORMAT, VERSION, FaultEntry, Move, Note, Record
from arena.record.endings import FORFEIT, NOT_BEGUN, VOID
from arena.record.evidence import Evidence
from arena.record.penalties import PENALTIES, places_with_forfeits
from arena.record.substitute import Substitute
from arena.record.timing import BotClock, Timing
from arena.referee.clock import SeatClock
from arena.referee.fault_count import FaultCount
from arena.referee.replies import Broken, Chose, Failed, Lagged, Reply
from protocol.breach import Breach
from protocol.encode import encode_request
from protocol.faults import fault_message
from protocol.messages import End, Fault, Start

log = logging.getLogger(__name__)

# The least time of an answer in a record, where 0 is for what was played for a seat. All of it may
# have been credited to the bot, because the loop was busy elsewhere.
LEAST_US = 1


class Seat(Protocol):
    """One seat of a match: a link to a bot, or a test's script."""

    @property
    def asides(self) -> Sequence[Breach]: ...
    @property
    def last_id(self) -> int: ...
    @property
    def was_late_before(self) -> bool: ...
    @property
    def second_answers(self) -> int: ...

    def begin(self, faults_to_forfeit: int) -> None: ...
    def hang_up(self, reason: str, detail: str = "") -> None: ...
    def take_asides(self) -> Sequence[Breach]: ...
    def tell(self, message: Start | Fault | End) -> None: ...
    def ask(
        self,
        match: str,
        view: Mapping[str, Any],
        legal: Sequence[str],
        allowed_us: int,
        charged_us: int,
        hang_us: int,
    ) -> Reply | None: ...


@dataclass(frozen=True)
class Plan:
    """A match to be played: its game, seed, names by seat, and timing."""

    match: str  # its id, as messages to bots have it
    game: str
    seats: int
    seed: bytes
    names: tuple[str, ...]  # by seat, for the record
    options: Mapping[str, object] = field(default_factory=dict)
    timing: Timing = field(default_factory=Timing)  # of all seats without a clock of their own
    clocks: tuple[BotClock | None, ...] = ()  # by seat, as in Record
    shown_names: tuple[str, ...] | None = None  # by seat, for bots; None: seat labels
    commitment: str = "0" * 64
    nonce: bytes = b""
    confinement: str = ""  # for the record
    may_void: bool = True  # else a late ruling stands, however slow this machine was (SPEC 6.5)

    @property
    def timings(self) -> tuple[Timing, ...]:
        """The times of each seat."""
        clocks = self.clocks or (None,) * self.seats
        return tuple(self.timing.of_bot(clock) for clock in clocks)


@dataclass(frozen=True)
class Result:
    """A match as it ended. Its record's ending is NOT_BEGUN where a seat stayed empty."""

    record: Record
    evidence: tuple[Evidence, ...]
    lag: Lagged | Broken | None  # the reason why it is void (SPEC 6.5), or None
    stood: bool = False  # a late ruling stood although this machine was slow
    second_answers: tuple[int, ...] = ()  # by seat, to requests that had one; () if not begun

    @property
    def is_begun(self) -> bool:
        return self.record.ending != NOT_BEGUN


OnMove: TypeAlias = Callable[[int, Move, State], None]
"""Called after each move with its number, the move, and the state (not to be changed)."""


def with_broken_rule(breach: Breach, game: Game, state: State, seat: int) -> Breach:
    """Add the rule of the game that an illegal action broke; any other breach stays as it is.

    `state` is the one the seat was asked in, `seat` the seat that answered.
    """
    if breach.action is None:
        return breach
    if breach.action not in game.actions:
        return breach.because(f"{game.name} has no such action")
    rule = state.refusal(seat, game.actions.code(breach.action))
    assert rule is not None, f"{breach.action} is legal: this is a bug in arena"
    return breach.because(rule)


class Match:
    """One match, played by stepping through `steps` once."""

    def __init__(self, plan: Plan, seats: Sequence[Seat], watch: OnMove | None):
        self.plan = plan
        self.seats = seats
        self.watch = watch
        self.game = GAMES[plan.game]
        self.state = self.game.deal(plan.seats, plan.seed, plan.options)
        self.timings = plan.timings
        self.clocks = [SeatClock(timing) for timing in self.timings]
        self.fault_counts = [FaultCount(plan.timing.faults_to_forfeit) for _ in seats]
        self.substitute = Substitute(plan.seed)
        self.moves: list[Move] = []
        self.notes: list[Note] = []
        self.faults: list[FaultEntry] = []
        self.evidence: list[Evidence] = []
        self.forfeits: list[int] = []
        self.asked_with = b""  # the frame of the decision that a fault came in
        self.lag: Lagged | Broken | None = None
        self.annulled: int | None = None  # the seat whose late ruling made it void
        self.stood = False
        self.answered_before = [seat.second_answers for seat in seats]  # in matches before

    def __repr__(self) -> str:
        return f"<match {self.plan.match} {self.state!r}, {len(self.moves)} moves>"

    def steps(self) -> Generator[None, Reply, Result]:
        """Play the match; yield wherever the reply of the seat that was asked is not there yet."""
        plan, state, seats, clocks = self.plan, self.state, self.seats, self.clocks
        forfeits = self.forfeits
        # The __getitem__ of a list: calling that of a tuple takes three times as long.
        name_of = [*self.game.actions.names].__getitem__
        hang_us_of = [timing.hang_ms * 1000 for timing in self.timings]
        self.tell_start()
        while (owing := state.to_act()) and self.lag is None:
            seat = owing[0]
            legal = [*map(name_of, state.legal(seat))]
            if forfeits:
                if self.is_one_left():
                    break
                if seat in forfeits:
                    self.apply(seat, self.substitute.pick(legal), 0)
                    continue
            clock, asked = clocks[seat], seats[seat]
            allowed, hang_us = clock.allowed_us, hang_us_of[seat]
            try:
                # No variable holds the view while the match waits: its memory, still in the
                # processor's cache, goes to the next match that asks.
                known = asked.ask(
                    plan.match, state.view(seat), legal, allowed, clock.charged_us, hang_us
                )
            except Exception as error:  # a bug of ours must cost no other match anything
                known = Broken(error)
            reply = (yield) if known is None else known
            # The common case first: speed is decided here.
            if type(reply) is Chose and not asked.asides:
                clock.charge(reply.took_us)
                if reply.note:
                    self.notes.append(Note(len(self.moves), reply.note))
                self.apply(seat, reply.action, reply.took_us or LEAST_US)
                continue
            if type(reply) is not Broken:
                # The frame is encoded a second time, for the rare fault: keeping every frame of
                # hundreds of matches would push the matches out of the processor's cache.
                number = asked.last_id + (known is not None)
                self.asked_with = encode_request(
                    plan.match, number, state.view(seat), legal, allowed, clock.charged_us
                )
                for aside in asked.take_asides():
                    self.fault(seat, aside)
            self.judge(seat, reply, legal, allowed)
        scores, places, ending = self.result()
        self.tell_end(scores, places, ending)
        again = zip(seats, self.answered_before, strict=True)
        return Result(
            self.record(scores, places, ending),
            tuple(self.evidence),
            self.lag,
            self.stood,
            tuple(seat.second_answers - before for seat, before in again),
        )

    def judge(self, seat: int, reply: Reply, legal: Sequence[str], allowed: int) -> None:
        """Rule on any reply but a good answer without asides, which `steps` applies itself."""
        match reply:
            case Chose(action, took, note):
                if seat in self.forfeits:  # by an aside
                    action = self.substitute.pick(legal)
                else:
                    self.clocks[seat].charge(took)
                    took = took or LEAST_US
                    if note:
                        self.notes.append(Note(len(self.moves), note))
                self.apply(seat, action, took)
            case Failed(breach, took, _):
                breach = with_broken_rule(breach, self.game, self.state, seat)
                if breach.kind == "late":
                    self.clocks[seat].run_out(took)
                else:
                    self.clocks[seat].charge(took)
                played = self.substitute.pick(legal)
                again = breach.kind == "late" and self.seats[seat].was_late_before
                self.fault(seat, breach, reply, legal, played, allowed, again=again)
                self.apply(seat, played, took)
            case Lagged() if self.plan.may_void:
                self.lag, self.annulled = reply, seat
            case Lagged():
                self.stood = True
                self.judge(seat, reply.ruling, legal, allowed)
            case Broken():
                self.lag = reply
                self.hang_up_broken(seat, reply)
            case _:
                assert_never(reply)

    def hang_up_broken(self, seat: int, broken: Broken) -> None:
        """Log the bug and end this link with `server-error` (SPEC 4.8); the match is void."""
        log.error(
            "match %s, seat %d: this is a bug in arena",
            self.plan.match,
            seat,
            exc_info=broken.error,
        )
        with contextlib.suppress(Exception):
            self.seats[seat].hang_up("server-error")

    def apply(self, seat: int, action: str, took: int) -> None:
        self.state.apply(seat, self.game.actions.code(action))
        move = Move(seat, action, took)
        self.moves.append(move)
        if self.watch is not None:
            self.watch(len(self.moves) - 1, move, self.state)

    def fault(
        self,
        seat: int,
        breach: Breach,
        failed: Failed | None = None,
        legal: Sequence[str] = (),
        played: str | None = None,
        allowed: int = 0,
        *,
        again: bool = False,
    ) -> None:
        """Count a breach, send the bot its `fault` and keep the evidence; forfeit the seat if it
        was the last fault allowed, or `gone`."""
        faults = self.fault_counts[seat]
        if faults.is_forfeited:
            if breach.kind == "gone":
                self.seats[seat].hang_up(breach.code, breach.came)
            return
        faults.enter(breach, again=again)
        if faults.is_forfeited:
            self.forfeits.append(seat)
        asked = self.seats[seat]
        settles = PENALTIES[breach.kind].settles
        message = fault_message(
            breach,
            match=self.plan.match,
            id_=asked.last_id if settles else None,
            played=played,
            faults=faults.count,
            forfeit=faults.is_forfeited,
            faults_to_forfeit=self.plan.timing.faults_to_forfeit,
            again=again,
        )
        asked.tell(message)
        if breach.kind == "gone":
            asked.hang_up(breach.code, breach.came)
        move, kind, code, text = len(self.moves), breach.kind, breach.code, message.text
        self.faults.append(FaultEntry(seat, move, kind, code, text, faults.is_forfeited))
        self.evidence.append(
            Evidence(
                seat,
                move,
                kind,
                code,
                text,
                came=breach.came,
                expected=breach.expected,
                request=self.asked_with,
                reply=failed.reply if failed is not None else b"",
                legal=tuple(legal),
                played=played or "",
                allowed_us=allowed,
                took_us=failed.took_us if failed is not None else 0,
            )
        )

    def is_one_left(self) -> bool:
        """Return True if all seats but one are forfeited."""
        return len(self.forfeits) >= self.plan.seats - 1

    def result(self) -> tuple[tuple[int, ...], tuple[int, ...], str]:
        """Return scores, places and ending; a match cut short has no scores."""
        if self.lag is not None:
            return (), (), VOID
        outcome = self.state.outcome()
        cut_short = Outcome((), (1,) * self.plan.seats, FORFEIT)
        played_out = cut_short if outcome is None else outcome
        places = places_with_forfeits(played_out.places, self.forfeits)
        return played_out.scores, places, played_out.ending

    def tell_start(self) -> None:
        plan = self.plan
        options = self.state.view(None)["options"]
        names = plan.shown_names or tuple(f"seat {seat}" for seat in range(plan.seats))
        for seat, told in enumerate(self.seats):
            try:
                told.begin(plan.timing.faults_to_forfeit)
            except Exception as error:  # as in `steps`
                self.lag = Broken(error)
                self.hang_up_broken(seat, self.lag)
            told.tell(
                Start(
                    plan.match,
                    plan.game,
                    options,
                    plan.seats,
                    names,
                    seat,
                    self.timings[seat].in_words(),
                    plan.commitment,
                )
            )

    def tell_end(self, scores: Sequence[int], places: Sequence[int], ending: str) -> None:
        for seat, (told, faults) in enumerate(zip(self.seats, self.fault_counts, strict=True)):
            # After a bug of ours no view is made: making it may be the bug.
            view = UNSET if isinstance(self.lag, Broken) else self.state.view(seat)
            told.tell(
                End(self.plan.match, scores, places, ending, faults.codes, self.forfeits, view)
            )

    def record(self, scores: tuple[int, ...], places: tuple[int, ...], ending: str) -> Record:
        plan = self.plan
        return Record(
            format=FORMAT,
            version=VERSION,
            game=plan.game,
            seats=plan.seats,
            options=plan.options,
            seed=plan.seed.hex(),
            names=plan.names,
            moves=tuple(self.moves),
            scores=scores,
            places=places,
            ending=ending,
            match=plan.match,
            notes=tuple(self.notes),
            faults=tuple(self.faults),
            forfeits=tuple(self.forfeits),
            nonce=plan.nonce.hex(),
            annulled=self.annulled,
            confinement=plan.confinement,
            clocks=plan.clocks,
        )
