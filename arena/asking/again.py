"""A recorded match put to one bot again: its original `start`, and the requests of one seat.

The match goes on as it was recorded, whatever the bot answers. Like `arena.referee.match.Match`
it speaks to a link through `ask` and `tell`, and yields where the reply is not there yet.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

from arena.asking.answers import Answer, AnswerFault
from arena.games import GAMES
from arena.record import Record
from arena.record.decisions import RecordedDecision, decisions
from arena.record.penalties import PENALTIES
from arena.record.replay import deal, replay
from arena.record.timing import Timing
from arena.referee.clock import SeatClock
from arena.referee.match import Seat, with_broken_rule
from arena.referee.replies import Broken, Chose, Failed, Lagged, Reply
from protocol.breach import Breach
from protocol.commitment import NONCE_BYTES, commit
from protocol.faults import fault_message
from protocol.messages import End, Start

GENEROUS = Timing(decision_ms=60_000, bank_ms=0, hang_ms=60_000, faults_to_forfeit=1_000)
"""A clock for bots in a debugger or on a slow machine, and nothing that forfeits a seat."""

NO_COMMITMENT = "0" * 64

NO_NAME = "m-asked-again"
"""The match's name where the record has none."""


@dataclass(frozen=True)
class Asked:
    """The requests to be asked. `last`: the number of the last move, None for all of the match."""

    record: Record
    seat: int
    last: int | None = None
    timing: Timing = GENEROUS
    shown_names: tuple[str, ...] | None = None  # by seat; None: seat labels

    @property
    def requests(self) -> int:
        """The number of requests that the bot will get."""
        return sum(1 for _ in self.decisions())

    def decisions(self) -> Iterator[RecordedDecision]:
        """Yield the decisions to be asked for, in order."""
        for each in decisions(self.record):
            if self.last is not None and each.number > self.last:
                return
            if each.seat == self.seat:
                yield each


class Again:
    """One time of asking. `tell`: called with the number of answers after each."""

    def __init__(self, asked: Asked, link: Seat, tell: Callable[[int], object]):
        self.asked = asked
        self.link = link
        self.answers: list[Answer] = []
        self._tell = tell
        self._game = GAMES[asked.record.game]
        self._match = asked.record.match or NO_NAME
        self._clock = SeatClock(asked.timing)
        self._codes: list[str] = []  # of the faults so far

    def __repr__(self) -> str:
        return f"<Again seat {self.asked.seat}, {len(self.answers)} answers>"

    def steps(self) -> Generator[None, Reply, Sequence[Answer]]:
        """Ask until all is answered or the bot is gone; return the answers so far."""
        link, clock = self.link, self._clock
        link.begin(self.asked.timing.faults_to_forfeit)
        link.tell(self._start())
        for each in self.asked.decisions():
            known = link.ask(
                self._match,
                each.view(),
                each.legal,
                clock.allowed_us,
                clock.charged_us,
                self.asked.timing.hang_ms * 1000,
            )
            reply = (yield) if known is None else known
            answer = self._answer(each, reply)
            self.answers.append(answer)
            self._tell(len(self.answers))
            if any(PENALTIES[fault.kind].forfeits for fault in answer.faults):
                return self.answers
        if self.asked.last is None:
            link.tell(self._end())
        return self.answers

    def _answer(self, each: RecordedDecision, reply: Reply) -> Answer:
        """Judge a reply as the referee does, and tell the bot of its faults."""
        faults = [self._fault(aside, each) for aside in self.link.take_asides()]
        match reply:
            case Chose(action, took, note):
                self._clock.charge(took)
                return Answer(each.number, action, note, took, tuple(faults))
            case Lagged(_, _, ruling):
                # Nothing hangs on this answer, so the ruling stands however slow this machine was.
                reply = ruling
            case Failed():
                pass
            case Broken(error):
                raise error
        assert isinstance(reply, Failed)
        breach = with_broken_rule(reply.breach, self._game, each.state, each.seat)
        if breach.kind == "late":
            self._clock.run_out(reply.took_us)
        else:
            self._clock.charge(reply.took_us)
        faults.append(self._fault(breach, each))
        return Answer(each.number, None, "", reply.took_us, tuple(faults))

    def _fault(self, breach: Breach, each: RecordedDecision) -> AnswerFault:
        """Send the bot its `fault`. The recorded action is played in its place."""
        self._codes.append(breach.code)
        settles = PENALTIES[breach.kind].settles
        message = fault_message(
            breach,
            match=self._match,
            id_=self.link.last_id if settles else None,
            played=each.move.action if settles else None,
            faults=len(self._codes),
            forfeit=PENALTIES[breach.kind].forfeits,
            faults_to_forfeit=self.asked.timing.faults_to_forfeit,
        )
        self.link.tell(message)
        if breach.kind == "gone":
            self.link.hang_up(breach.code, breach.came)
        return AnswerFault(breach.kind, breach.code, breach.text)

    def _start(self) -> Start:
        """Return the `start` of the match, with the clock of this asking."""
        asked, record = self.asked, self.asked.record
        _, state = deal(record)
        return Start(
            self._match,
            record.game,
            state.view(None)["options"],
            record.seats,
            asked.shown_names or tuple(f"seat {seat}" for seat in range(record.seats)),
            asked.seat,
            asked.timing.in_words(),
            _commitment(record),
        )

    def _end(self) -> End:
        """Return the `end` of the match as it was recorded, with the bot's own faults."""
        record = self.asked.record
        view = None
        for step in replay(record):
            view = step.state
        assert view is not None
        return End(
            self._match,
            record.scores,
            record.places,
            record.ending,
            self._codes,
            record.forfeits,
            view.view(self.asked.seat),
        )


def _commitment(record: Record) -> str:
    """Return the commitment that the record opens; zeros where it has no nonce to open one."""
    nonce = bytes.fromhex(record.nonce)
    if len(nonce) != NONCE_BYTES:
        return NO_COMMITMENT
    return commit(record.match, nonce, record.seed_bytes)
