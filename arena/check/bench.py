"""The bot under check as the steps share it: the one that runs now, and new runs of it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace

import trio

from arena.check.decisions import Setting, short
from arena.check.dialling import connected, why_not
from arena.check.findings import Finding, Log, NotStarted, Severity, last_line, shape
from arena.check.forms import Form
from arena.check.opponent import ALLOWED_US, Opponent, shown_body
from arena.check.peer import NoHello, Peer, Runs, start
from arena.games import GAMES
from protocol.breach import Breach
from protocol.farewells import farewell, refusal
from protocol.messages import Hello

# Thinking time in one step that is enough to judge by, so that a slow bot does not take hours.
ENOUGH_US = 15_000_000

PRINTED = (
    "It printed to standard output and never connected: messages go to the socket that"
    " ARENA_CONNECT names (SPEC 2.1, 2.2), and nothing printed is taken for one."
)


BEFORE_THE_DOOR = (
    "Look at what it prints, and at what the door prints. If it is about a certificate:"
    " SSL_CERT_FILE, for Node NODE_EXTRA_CA_CERTS, has to name the file with the certificate of its"
    " authority (SPEC 2.2)."
)
# The longest wait for each step to the door of a bot that did not come.
DIAL_SECONDS = 5.0


def why_unreachable(at: str) -> str:
    """Dial an address; return in sentences why that fails, "" if it does not."""
    try:
        connected(at, DIAL_SECONDS).close()
    except UnicodeError as error:  # of a host's name with a part that is empty or too long
        return f"{at} cannot be reached: {error}."
    except OSError as error:
        why = why_not(error) or f"{error.strerror or error}; does the door run, and is it there?"
        return f"{at} cannot be reached: {why}{'' if why.endswith('?') else '.'}"
    return ""


@dataclass
class Bench:
    """The running bot, the findings of the step, and all that is known so far."""

    runs: Runs
    games: tuple[str, ...]
    kinds: tuple[str, ...]  # of addresses; steps use the first, unless they test another
    seats: tuple[int, ...]  # sizes of table that it is asked to play; (): all of a game
    log: Log = field(default_factory=Log)
    seen: dict[str, set[str]] = field(default_factory=dict)  # kinds of decision, by game
    hello: Hello | None = None
    thought_before_us: int = 0
    has_started: bool = False  # at least one run came as far as an accepted hello
    silences: int = 0  # number of steps so far in which it did not answer
    _now: Opponent | None = None

    @property
    def game(self) -> str:
        """The rule set for steps that could use any."""
        return self.games[0]

    def sizes(self, game: str) -> tuple[int, ...]:
        """Return the sizes of table at which the bot plays a game."""
        return tuple(size for size in GAMES[game].seats if not self.seats or size in self.seats)

    def short(self, game: str = "", *, number: int = 0) -> Setting:
        """Return a short match at its smallest table. `number`: picks seed and seat."""
        game = game or self.game
        return short(game, self.sizes(game)[0], number)

    @property
    def has_thought_enough(self) -> bool:
        """True if the bot has thought so long in this step that the rest of it is left out."""
        return self.thought_us > ENOUGH_US

    @property
    def thought_us(self) -> int:
        """The time that the bot has taken over the decisions of this step."""
        return sum(self.runs.measures.decisions_us) - self.thought_before_us

    def begin_step(self) -> Log:
        """Begin the next step with an empty log."""
        self.log = Log()
        self.thought_before_us = sum(self.runs.measures.decisions_us)
        if self._now is not None:
            self._now.log = self.log
        return self.log

    async def end_step(self) -> None:
        """Keep the bot for the next step, unless something was found or it is in a match."""
        now = self._now
        amiss = any(finding.severity is not Severity.NOTE for finding in self.log.findings)
        if now is not None and (amiss or not now.is_idle or now.peer.process.exit):
            await self.clear()

    async def opponent(self) -> Opponent:
        """Return the running bot, between matches; start one if there is none."""
        return self._now if self._now is not None else await self.fresh()

    async def fresh(
        self, kind: str = "", token: str = "", *, welcome: bool = True, form: Form | None = None
    ) -> Opponent:
        """Start the bot anew, and send `welcome` unless the step does that itself.

        `kind`: of address, the bot's first unless given. `token`: for ARENA_TOKEN, drawn unless
        given.
        """
        await self.clear()
        token = token or secrets.token_urlsafe(24)
        self._now = opponent = await self._greeted(kind or self.kinds[0], token)
        if welcome:
            opponent.hold_welcome(form)
            await opponent.flush()
        return opponent

    async def second(self) -> Opponent:
        """Start the bot a second time beside the running one. The caller ends it."""
        return await self._greeted(self.kinds[0], secrets.token_urlsafe(24))

    async def _greeted(self, kind: str, token: str) -> Opponent:
        came = await start(self.runs, token, kind)
        if isinstance(came, NoHello):
            raise self._not_started(await self._explained(came), token)
        peer, hello = came
        opponent = Opponent(peer, self.log, self.runs.measures, self.runs.program.name)
        opponent.patience_us = self.patience_us()
        self.hello = hello
        await self._judge_hello(peer, hello, token)
        return opponent

    async def _judge_hello(self, peer: Peer, hello: Hello, token: str) -> None:
        bye = refusal(hello)
        finding = None
        if bye is not None:
            finding = Finding(
                Severity.ERROR,
                "4.1",
                f"a hello that is refused: {bye.text}",
                "nothing yet",
                shown_body(peer.end.body),
                "`protocol` is the number in SPEC 9.",
            )
        elif is_encoded_twice(token, peer.end.body):
            finding = _encoded_twice(token, peer.end.body)
        elif hello.token != token:
            finding = Finding(
                Severity.ERROR,
                "2.3",
                "the token in hello is not the one in ARENA_TOKEN",
                f"ARENA_TOKEN={token!r}",
                f"token {hello.token!r}",
                "Send it unchanged: do not shorten, trim, quote or decode it.",
            )
        if finding is not None:
            advice = "Send what ARENA_TOKEN holds, unchanged (SPEC 2.3)."
            await peer.dismiss(bye or farewell("bad-token", advice))
            self.log.add(replace(finding, output=await peer.stderr()))
            await peer.kill()
            raise NotStarted(finding.what)
        self.has_started = True

    async def _explained(self, came: NoHello) -> NoHello:
        """Add why a bot that dials a door did not come, as far as dialling it ourselves tells.

        The words for a bot that we start speak of Unix sockets and of time, and what the bot has
        met is known to its own output at most.
        """
        through, breach = self.runs.through, came.breach
        if through is None or breach.code not in ("no-connection", "exited"):
            return came
        advice = await trio.to_thread.run_sync(why_unreachable, through.at)
        if not advice and breach.code == "exited":
            advice = BEFORE_THE_DOOR
        if not advice:
            return came
        explained = Breach(breach.code, breach.came, breach.expected, advice)
        return replace(came, breach=explained)

    def _not_started(self, came: NoHello, token: str) -> NotStarted:
        breach, stderr = came.breach, came.stderr
        if breach.code in ("no-connection", "exited") and came.stdout:
            breach = Breach(breach.code, breach.came, breach.expected, PRINTED)
        if is_encoded_twice(token, came.body):
            finding = _encoded_twice(token, came.body)
            self.log.add(finding)
            return NotStarted(finding.what)
        if breach.kind == "never-started":
            what = f"never-started ({breach.code}): {breach.came}; expected {breach.expected}"
        else:
            what = f"a hello that is refused: {breach.code}: {breach.came}"
            what += f"; expected {breach.expected}"
        self.log.add(
            Finding(
                Severity.ERROR,
                breach.where,
                what,
                "",
                "",
                breach.advice,
                stderr,
                came.stdout,
                kind=f"{breach.code} {shape(last_line(stderr))}",
            )
        )
        return NotStarted(breach.text)

    def patience_us(self) -> int:
        """Return how long to wait for an answer: as long as a bot may take over it.

        For a bot that was silent in two steps and quick otherwise, a shorter time will do.
        """
        measures = self.runs.measures
        if self.silences < 2 or not measures.decisions_us:
            return ALLOWED_US
        return min(ALLOWED_US, measures.plenty_us())

    async def clear(self) -> None:
        """End the bot that runs, if one does."""
        now, self._now = self._now, None
        if now is not None:
            await now.peer.kill()


def is_encoded_twice(token: str, body: bytes) -> bool:
    """Tell whether this hello has the token's UTF-8 bytes taken for characters and encoded
    again."""
    return not token.isascii() and token.encode().decode("latin-1").encode() in body


def _encoded_twice(token: str, body: bytes) -> Finding:
    return Finding(
        Severity.ERROR,
        "2.3",
        "the token in hello was encoded as UTF-8 twice",
        f"ARENA_TOKEN={token!r}",
        shown_body(body),
        "ARENA_TOKEN holds UTF-8, and your language hands it over as bytes: decode them to text"
        " once, and pack that as text.",
    )
