"""One match: ask, judge, apply, record. One task plays it from deal to end.

It speaks to seats through two small calls, `ask` and `tell`, and knows nothing of sockets or
processes. Simultaneous choices are asked one seat after another, and nothing of them enters a
view before all are in, so one request is open and one clock runs at any time.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, assert_never

from arena.games import GAMES, Outcome, State
from arena.record import FORMAT, VERSION, FaultEntry, Move, Note, Record
from arena.referee.clock import SeatClock, Timing
from arena.referee.penalties import PENALTIES, Ledger, Substitute, places_with_forfeits
from arena.referee.replies import Chose, Failed, Lagged, Reply
from protocol.breach import Breach
from protocol.faults import fault_message
from protocol.messages import End, Fault, Start

log = logging.getLogger(__name__)

FORFEIT = "forfeit"
VOID = "void"


class Seat(Protocol):
    """Who plays a seat: a link to a bot, or a test's script."""

    @property
    def was_late_before(self) -> bool: ...
    @property
    def last_request(self) -> bytes: ...

    @property
    def last_id(self) -> int: ...

    def begin(self, faults_to_forfeit: int) -> None: ...
    def hang_up(self, reason: str, detail: str = "") -> None: ...
    def take_asides(self) -> Sequence[Breach]: ...
    def tell(self, message: Start | Fault | End) -> None: ...
    async def ask(
        self,
        match: str,
        view: Mapping[str, Any],
        legal: Sequence[str],
        allowed_us: int,
        charged_us: int,
        hang_us: int,
    ) -> Reply: ...


@dataclass(frozen=True)
class Plan:
    """What is to be played."""

    match: str
    game: str
    seats: int
    seed: bytes
    names: tuple[str, ...]  # by seat, for the record
    options: Mapping[str, object] = field(default_factory=dict)
    timing: Timing = field(default_factory=Timing)
    shown_names: tuple[str, ...] | None = None  # by seat, for bots; None: seat labels
    commitment: str = "0" * 64
    nonce: bytes = b""


@dataclass(frozen=True)
class Evidence:
    """Everything the author of a bot needs after a fault of it."""

    entry: FaultEntry
    came: str
    expected: str
    request: bytes  # the frame it was asked with
    reply: bytes  # the body that came, if one did
    legal: tuple[str, ...]
    played: str | None
    allowed_us: int
    took_us: int


@dataclass(frozen=True)
class Played:
    """A match that was played; `lag` is None unless it is void (SPEC 6.5)."""

    record: Record
    evidence: tuple[Evidence, ...]
    lag: Lagged | None


Watcher: TypeAlias = Callable[[int, Move, State], None]
"""Called after each move with its number, the move, and the state (not to be changed)."""


async def play(plan: Plan, seats: Sequence[Seat], watch: Watcher | None = None) -> Played:
    """Play the match to its end, whatever the seats do."""
    return await _Match(plan, seats, watch).play()


class _Match:
    def __init__(self, plan: Plan, seats: Sequence[Seat], watch: Watcher | None):
        self.plan = plan
        self.seats = seats
        self.watch = watch
        self.game = GAMES[plan.game]
        self.names = self.game.actions.names
        self.hang_us = plan.timing.hang_ms * 1000
        self.state = self.game.deal(plan.seats, plan.seed, plan.options)
        self.clocks = [SeatClock(plan.timing) for _ in seats]
        self.ledgers = [Ledger(plan.timing.faults_to_forfeit) for _ in seats]
        self.substitute = Substitute(plan.seed)
        self.moves: list[Move] = []
        self.notes: list[Note] = []
        self.evidence: list[Evidence] = []
        self.forfeits: list[int] = []
        self.lag: Lagged | None = None

    def __repr__(self) -> str:
        return f"<match {self.plan.match} {self.state!r}, {len(self.moves)} moves>"

    async def play(self) -> Played:
        self.tell_start()
        while (owing := self.state.to_act()) and self.lag is None and not self.is_one_left():
            await self.decide(owing[0])
        scores, places, ending = self.result()
        self.tell_end(scores, places, ending)
        return Played(self.record(scores, places, ending), tuple(self.evidence), self.lag)

    async def decide(self, seat: int) -> None:
        """One decision of one seat, made by it or for it."""
        state, names = self.state, self.names
        legal = [names[code] for code in state.legal(seat)]
        if seat in self.forfeits:
            self.apply(seat, self.substitute.pick(legal), 0)
            return
        clock, asked = self.clocks[seat], self.seats[seat]
        allowed = clock.allowed_us
        # Here only `ask` holds the view, and drops it before it waits.
        asking = asked.ask(
            self.plan.match, state.view(seat), legal, allowed, clock.charged_us, self.hang_us
        )
        try:
            reply = await asking
        except Exception:  # a bug of ours, met by one connection: no other match may pay for it
            reply = self.broken(seat)
        for aside in asked.take_asides():
            self.fault(seat, aside)
        # The case that matters for speed, first.
        if type(reply) is Chose and seat not in self.forfeits:
            clock.charge(reply.took_us)
            if reply.note:
                self.notes.append(Note(len(self.moves), reply.note))
            self.apply(seat, reply.action, reply.took_us)
        else:
            self.judge(seat, reply, legal, allowed)

    def judge(self, seat: int, reply: Reply, legal: Sequence[str], allowed: int) -> None:
        """Everything but a good answer."""
        match reply:
            case Chose(_, took, _):  # an aside has forfeited it meanwhile
                self.apply(seat, self.substitute.pick(legal), took)
            case Failed(breach, took, _):
                if breach.kind == "late":
                    self.clocks[seat].run_out(took)
                else:
                    self.clocks[seat].charge(took)
                played = self.substitute.pick(legal)
                again = breach.kind == "late" and self.seats[seat].was_late_before
                self.fault(seat, breach, reply, legal, played, allowed, again=again)
                self.apply(seat, played, took)
            case Lagged():
                self.lag = reply
            case _:
                assert_never(reply)

    def broken(self, seat: int) -> Lagged:
        """What `server-error` means (SPEC 4.8): that link ends, and the match is void."""
        log.exception("match %s, seat %d: this is a bug in arena", self.plan.match, seat)
        with contextlib.suppress(Exception):
            self.seats[seat].hang_up("server-error")
        return Lagged(0, 0)

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
        """Count it, tell the bot, keep the evidence; the third, or `gone`, forfeits the seat."""
        ledger = self.ledgers[seat]
        if ledger.is_forfeited:
            if breach.kind == "gone":
                self.seats[seat].hang_up(breach.code, breach.came)
            return
        ledger.enter(breach, again=again)
        if ledger.is_forfeited:
            self.forfeits.append(seat)
        asked = self.seats[seat]
        settles = failed is not None and PENALTIES[breach.kind].settles
        message = fault_message(
            breach,
            match=self.plan.match,
            id_=asked.last_id if settles else None,
            played=played,
            faults=ledger.count,
            forfeit=ledger.is_forfeited,
            faults_to_forfeit=self.plan.timing.faults_to_forfeit,
        )
        asked.tell(message)
        if breach.kind == "gone":
            asked.hang_up(breach.code, breach.came)
        entry = FaultEntry(
            seat, len(self.moves), breach.kind, breach.code, message.text, ledger.is_forfeited
        )
        self.evidence.append(
            Evidence(
                entry,
                breach.came,
                breach.expected,
                asked.last_request,
                failed.reply if failed is not None else b"",
                tuple(legal),
                played,
                allowed,
                failed.took_us if failed is not None else 0,
            )
        )

    def is_one_left(self) -> bool:
        """All seats but one are forfeited."""
        return bool(self.forfeits) and len(self.forfeits) >= self.plan.seats - 1

    def result(self) -> tuple[tuple[int, ...], tuple[int, ...], str]:
        """Scores, places, ending; of a match cut short there are no scores."""
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
            except Exception:  # as in `decide`
                self.lag = self.broken(seat)
            told.tell(
                Start(
                    plan.match,
                    plan.game,
                    options,
                    plan.seats,
                    names,
                    seat,
                    plan.timing.in_words(),
                    plan.commitment,
                )
            )

    def tell_end(self, scores: Sequence[int], places: Sequence[int], ending: str) -> None:
        for told, ledger in zip(self.seats, self.ledgers, strict=True):
            told.tell(End(self.plan.match, scores, places, ending, ledger.codes, self.forfeits))

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
            faults=tuple(kept.entry for kept in self.evidence),
            forfeits=tuple(self.forfeits),
            nonce=plan.nonce.hex(),
        )
