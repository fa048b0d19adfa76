"""The scripted opponent: sends the messages of a referee, and judges each message that comes
back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

import msgpack
from msgspec import UNSET

from arena.check.decisions import Decision, Setting, Table
from arena.check.findings import Finding, Log, Severity, StepOver, last_line, shape
from arena.check.forms import Form, Map, Packer, framed, pack
from arena.check.measure import Measures
from arena.check.peer import Peer
from arena.games import Outcome
from arena.record.timing import Timing
from arena.referee.match import with_broken_rule
from protocol import limits
from protocol.breach import Breach
from protocol.durations import told
from protocol.farewells import farewell
from protocol.faults import fault_message
from protocol.messages import Action, End, Hello, Start, Welcome
from protocol.order import ConnectionState
from protocol.server_end import Stale
from protocol.version import VERSION

# The default times. Each decision may use the whole bank, so that no bot fails for being slow
# within its clock.
TIMING = Timing(faults_to_forfeit=100)
ALLOWED_US = (TIMING.decision_ms + TIMING.bank_ms) * 1000
# A pause long enough to hear a bot that answers a message which wants no answer.
QUIET_SECONDS = 0.06
COMMITMENT = "c0ffee" * 10 + "c0de"
_SHOWN_CHARS = 400
# Advice for a bot that has said hello and never answered: it probably waits in a read.
NEVER_ANSWERED = (
    "It has answered nothing yet. Does it read four bytes of length, then exactly that many bytes,"
    " and not up to the end of a line or of a buffer (SPEC 3.1)? Does it flush its output?"
)


class Opponent:
    """One connection, from welcome to bye."""

    def __init__(self, peer: Peer, log: Log, measures: Measures, name: str):
        self.peer = peer
        self.log = log
        self.name = name
        self.table: Table | None = None
        self.decision: Decision | None = None
        self.match = ""
        self.matches = 0
        self.asked = 0  # number of decisions in this match
        self.patience_us = ALLOWED_US
        self.last_sent = ""
        self._measures = measures
        self._charged_us = 0
        self._answered: set[int] = set()

    def __repr__(self) -> str:
        return f"<Opponent {self.peer!r} {self.table!r}>"

    @property
    def is_idle(self) -> bool:
        return self.peer.end.state is ConnectionState.IDLE

    # Sending. `hold_...` waits for the next `flush`.

    def hold_welcome(self, form: Form | None = None) -> None:
        self.last_sent = "welcome"
        self.peer.hold(Welcome(VERSION, self.name, (), limits.LIMITS_BY_NAME), form)

    def hold_start(self, setting: Setting, form: Form | None = None) -> None:
        """Begin a match."""
        self.table = table = Table(setting)
        self.matches += 1
        self.asked = 0
        self._charged_us = 0
        self.match = f"m-{self.matches:016x}"
        names = tuple(f"seat {seat}" for seat in range(setting.seats))
        options = table.state.view(None)["options"]
        message = Start(
            self.match,
            setting.game,
            options,
            setting.seats,
            names,
            setting.seat,
            TIMING.in_words(),
            COMMITMENT,
        )
        self.last_sent = f"start: {setting}"
        self.peer.hold(message, form)

    def hold_request(self, form: Form | None = None, packer: Packer = pack) -> bool:
        """Ask for the next decision of the match. Returns False if the match is over.

        `form` and `packer`: as in `Peer.hold_frame`.
        """
        assert self.table is not None
        self.decision = decision = self.table.next()
        if decision is None:
            return False
        data = self.peer.end.request(
            self.match, decision.view, decision.legal, ALLOWED_US, self._charged_us
        )
        self.asked += 1
        legal = ", ".join(decision.legal[:12])
        if len(decision.legal) > 12:
            legal += f" and {len(decision.legal) - 12} more"
        self.last_sent = (
            f"request {self.peer.end.last_id} ({self.table.setting}, {decision.kind}); legal: "
            f"{legal}"
        )
        self.peer.hold_frame(data, form, packer)
        return True

    def hold_end(self, ending: str | None = None, form: Form | None = None) -> None:
        """End the match as the game says, or before its time with this ending."""
        assert self.table is not None
        seats = self.table.setting.seats
        outcome = self.table.outcome
        if ending == "void":
            outcome = Outcome((), (), ending)
        elif outcome is None or ending is not None:
            outcome = Outcome((0,) * seats, (1,) * seats, ending or "forfeit")
        forfeits = (seats - 1,) if outcome.ending == "forfeit" else ()
        # A void match may be one in which the server failed: then there is none (SPEC 4.7).
        view = UNSET if ending == "void" else self.table.state.view(self.table.setting.seat)
        message = End(
            self.match, outcome.scores, outcome.places, outcome.ending, (), forfeits, view
        )
        self.last_sent = f"end of {self.match} ({outcome.ending})"
        self.peer.hold(message, form)
        self.table = None

    def hold_fault(self, breach: Breach, *, settles: bool, forfeit: bool = False) -> None:
        """Rule on a fault. `settles`: it is of the open request, and an action is played for the
        bot."""
        playing = self.peer.end.state is not ConnectionState.IDLE
        played = self.play_for_it() if settles else None
        message = fault_message(
            breach,
            match=self.match if playing else None,
            id_=self.peer.end.last_id if settles else None,
            played=played,
            faults=1 if playing else 0,
            forfeit=forfeit,
            faults_to_forfeit=TIMING.faults_to_forfeit,
        )
        self.last_sent = f"fault {message.kind} ({message.code})"
        self.peer.hold(message)

    def hold_unknown(self, message: Map) -> None:
        """Send a message that this protocol does not have."""
        self.last_sent = f"a message of the unknown type {message.get('type')!r}"
        self.peer.hold_frame(framed(message))

    def play_for_it(self) -> str:
        """Play an action in the bot's place, and return it."""
        assert self.table is not None
        assert self.decision is not None
        action = self.table.rng.choice(self.decision.legal)
        self.table.play(action)
        return action

    async def flush(self, cuts: Iterable[int] | None = None) -> None:
        await self.peer.flush(cuts)

    async def say_bye(self, reason: str = "done", form: Form | None = None) -> None:
        self.last_sent = f"bye ({reason})"
        self.peer.hold(farewell(reason), form)
        await self.flush()

    # Hearing.

    async def answer(self) -> str | None:
        """Wait for the answer to the open request, judge it and play it; None if it was a fault."""
        assert self.table is not None
        assert self.decision is not None
        began = self.peer.last_write_us
        id_ = self.peer.end.last_id
        until, second = began + self.patience_us, None
        while True:
            what = await self.peer.hear((until - self.peer.now()) / 1_000_000)
            took = max(self.peer.last_read_us - began, 0)
            if what is None:
                raise await self._silent(self.peer.now() - began, heard=second is not None)
            if second is not None:
                self.log.add(second)
                second = None
            if isinstance(what, Action):
                self._answered.add(id_)
                self._charge(took)
                self.table.play(what.action)
                return what.action
            if isinstance(what, Stale) and what.action.id in self._answered:
                # This may be the answer, with a wrong id: then no other comes.
                second = self._answered_twice(what.action)
                until = min(until, self.peer.now() + self._measures.plenty_us())
                continue
            if isinstance(what, Breach):
                what = with_broken_rule(
                    what, self.table.game, self.table.state, self.table.setting.seat
                )
            if not await self._takes_in(what):
                self._charge(took)
                self._answered.add(id_)
                assert isinstance(what, Breach)
                self.hold_fault_after(what)
                return None

    def hold_fault_after(self, breach: Breach) -> None:
        """Rule on an answer that was a fault; sent with the next message."""
        sent = self.last_sent
        self.hold_fault(breach, settles=True)
        self.last_sent = sent

    async def ask(
        self, form: Form | None = None, packer: Packer = pack, cuts: Iterable[int] | None = None
    ) -> bool:
        """Ask for one decision and wait for it. Returns False if the match is over."""
        if not self.hold_request(form, packer):
            return False
        await self.flush(cuts)
        await self.answer()
        return True

    async def quiet(self, seconds: float = QUIET_SECONDS, *, stale: int = 0) -> None:
        """Wait for a moment in which nothing may come but answers to settled requests.

        `stale`: the most of these that may come.
        """
        seen = 0
        while (what := await self.peer.hear(seconds)) is not None:
            if isinstance(what, Stale) and seen < stale:
                seen += 1
                self._answered.add(what.action.id)
                continue
            await self._takes_in(what)

    async def play(
        self,
        setting: Setting,
        most: int | None = None,
        see: Callable[[Decision], None] | None = None,
        form: Form | None = None,
    ) -> None:
        """Play a match to its end, or to this number of the bot's decisions.

        `see` is called with each decision.
        """
        self.hold_start(setting)
        while (most is None or self.asked < most) and await self.ask(form):
            if see is not None:
                assert self.decision is not None
                see(self.decision)
        self.hold_end()
        await self.flush()

    # Judging.

    async def _takes_in(self, what: object) -> bool:
        """Judge a message. Returns False if it settles the open request; raises if it ends the
        step."""
        match what:
            case Stale(action=action):
                self._judge_stale(action)
            case Breach(kind="gone"):
                raise self.log.fail(await self._gone(what))
            case Breach():
                self.log.add(self._finding(what))
                return what.kind == "out-of-turn"
            case Hello() | Action():
                raise AssertionError(f"{what!r} here: this is a bug in arena")
        return True

    def _judge_stale(self, action: Action) -> None:
        if action.id not in self._answered:
            self._answered.add(action.id)  # settled by us before it answered: no fault
            return
        self.log.add(self._answered_twice(action))

    def _answered_twice(self, action: Action) -> Finding:
        return Finding(
            Severity.WARNING,
            "5.3",
            f"request {action.id} was answered a second time",
            self.last_sent,
            self.came(),
            "Send one action for each request. Second answers are ignored until they outnumber"
            " the requests; from then on each is a fault.",
            kind="answered twice",
        )

    def _finding(self, breach: Breach) -> Finding:
        kind = breach.code
        # Actions may be wrong for different reasons in different games.
        if breach.code == "not-legal" and self.table is not None and self.decision is not None:
            kind += f" {self.table.setting.game} {self.decision.kind}"
        return Finding(
            Severity.ERROR,
            breach.where,
            f"{breach.kind} ({breach.code}): {breach.came}; expected {breach.expected}",
            self.last_sent,
            self.came(),
            breach.advice,
            kind=kind,
        )

    async def _gone(self, breach: Breach) -> Finding:
        how = None
        came = breach.came
        if breach.code == "frame-too-long":  # of the others the connection is gone
            await self.peer.dismiss(farewell(breach.code, breach.came))
        else:
            how = await self.peer.leaves(0.5)
        if breach.code == "frame-too-long":
            came = f"bytes that begin {self.peer.last_read[:16].hex(' ')}"
        if how is not None:
            came = f"the program ended: {how}"
        stderr = await self.peer.stderr()
        return Finding(
            Severity.ERROR,
            breach.where,
            f"{breach.kind} ({breach.code}): {breach.came}; expected {breach.expected}",
            self.last_sent,
            came,
            breach.advice,
            stderr,
            kind=f"{breach.code} {shape(last_line(stderr))}",
        )

    async def _silent(self, took_us: int, *, heard: bool) -> StepOver:
        """Note that no answer came. `heard`: the bot has answered, but another request."""
        end = self.peer.end
        breach = end.out_of_time(took_us, ALLOWED_US)
        came = self.came() if heard else "nothing"
        if not end.is_between_frames:
            breach = end.unfinished()
            came = breach.came
        advice = breach.advice
        if not heard and end.is_between_frames and not self._measures.decisions_us:
            advice = NEVER_ANSWERED
        words = breach.came if heard else f"no answer in {told(took_us)}"
        finding = Finding(
            Severity.ERROR,
            breach.where,
            f"{words}: {breach.kind} ({breach.code})",
            self.last_sent,
            came,
            advice,
            await self.peer.stderr(),
            kind="answers another" if heard else "silence",
        )
        return Silence(str(self.log.fail(finding)))

    def came(self) -> str:
        """Return the body that was read last, for people."""
        return shown_body(self.peer.end.body)

    def _charge(self, took_us: int) -> None:
        self._charged_us = took_us
        self._measures.decisions_us.append(took_us)


class Silence(StepOver):
    """The step is over because the bot was silent for as long as it may be."""


def shown_body(body: bytes) -> str:
    """Return a body as JSON, or as hexadecimal if it cannot be read; cut short if it is long."""
    try:
        message = msgpack.unpackb(body, strict_map_key=False)
        text = json.dumps(message, separators=(",", ":"))
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException):
        text = body.hex(" ")
    return text[:_SHOWN_CHARS] + (" ..." if len(text) > _SHOWN_CHARS else "")
