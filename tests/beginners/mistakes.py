"""Thirty mistakes of beginners, and what each command says of them: the cause and the remedy.

A command that a mistake does not reach, because what is wrong does no harm there, says nothing of
it; `harmless` says why.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Told:
    """Two sentences, or parts of them, of what is printed."""

    cause: str
    remedy: str


@dataclass(frozen=True)
class Mistake:
    """A bot with a mistake. `program`: as `write_bot` takes it. `step`: of the check that finds
    it. `league`: None where it is told as in a match. `harmless`: why only a check finds it."""

    program: str
    match: Told
    check: Told
    step: int = 3
    league: Told | None = None
    exit: int = 3
    harmless: str = field(default="", kw_only=True)

    @property
    def name(self) -> str:
        return self.program.split()[0]

    @property
    def in_league(self) -> Told:
        return self.match if self.league is None else self.league


ENDED = Told(
    "the program ended (exit code {}) before its hello; expected a program that stays until `bye`",
    "`arena check` with this bot tells it too.",
)
GONE = Told(
    "the connection ended; expected it open until `bye`",
    "A program that ends takes its connection along: look at what it printed, and stay until",
)
CONNECT = "Connect first to the address in ARENA_CONNECT, say hello, and flush it;"
HALF = "bytes your header announces, and no more"
SEND_ALL = "Send header and body in one call, and all of it."
LENGTH = "Write the length as four bytes, big-endian; nothing else may write to the socket"
PACK = "Pack one map with a msgpack library and send its length first"
LATE = Told(
    "expected one within 500 ms",
    "Look at `time_us` and answer sooner, with a worse action if need be.",
)
HUNG = Told(
    "expected an answer within 1500 ms at most",
    "Bound your thinking by `time_us`; look for an endless loop.",
)
ASKED = Told(
    "no answer in 10.",
    "It has answered nothing yet. Does it read four bytes of length, then exactly that many bytes",
)
TWICE = Told(
    "request 1 was answered a second time",
    "Send one action for each request. Second answers are ignored until they outnumber the"
    " requests; from then on each is a fault.",
)
BAD_TOKEN = Told("No entrant has this token.", "Send what ARENA_TOKEN holds, unchanged (SPEC 2.3)")
AWAY = Told("no connection", CONNECT)  # what the league sees of a wrong token
NOTHING = Told("", "")
MAY_NOT_RUN = Told("'./bot' may not be executed.", "Try: `chmod +x ./bot`")
AS_ON_WINDOWS = Told(
    "the first line of './bot', '#!/bin/sh\\r', ends as on Windows, in a carriage return and a"
    " line feed.",
    "Save the file with line feeds alone, for instance: `sed -i 's/\\r$//' ./bot`",
)
BUILD = Told(
    "the build of 'half_a_build' failed: exit code 2",
    "Mend what it complains of, or `build` in ",
)


def told(cause: str, remedy: str) -> Told:
    return Told(cause, remedy)


def ended(code: int) -> Told:
    return Told(ENDED.cause.format(code), ENDED.remedy)


# Bots that get as far as a match, or to its door.
PLAYED = (
    # Before there is a match.
    Mistake(
        "crashes_at_start",
        ended(1),
        told(ENDED.cause.format(1), "Look at its exit code and at what it printed;"),
        exit=4,
    ),
    Mistake(
        "exits_with_code 3",
        ended(3),
        told(
            ENDED.cause.format(3),
            "messages go to the socket that ARENA_CONNECT names (SPEC 2.1, 2.2)",
        ),
        exit=4,
    ),
    Mistake(
        "never_connects",
        told("no connection with a hello on it in 3000 ms", CONNECT),
        told("no connection with a hello on it in 3000 ms", CONNECT),
        exit=4,
    ),
    Mistake(
        "silent_at_start",
        told(
            "a connection, but no hello in 3000 ms",
            "Send hello right after connecting, and flush it;",
        ),
        told("a connection, but no hello in 3000 ms", "the server says nothing before it."),
        exit=4,
    ),
    Mistake("half_a_hello", told(HALF, SEND_ALL), told(HALF, SEND_ALL), exit=4),
    Mistake(
        "wrong_token",
        BAD_TOKEN,
        told(
            "the token in hello is not the one in ARENA_TOKEN",
            "Send it unchanged: do not shorten, trim, quote or decode it.",
        ),
        exit=4,
    ),
    Mistake(
        "old_protocol",
        told("This server does not speak the protocol you asked for.", "it speaks 1 (SPEC 9)"),
        told("You said protocol 0, it speaks 1", "`protocol` is the number in SPEC 9."),
        exit=4,
    ),
    Mistake(
        "acts_before_hello",
        told("Your first message was not a hello.", "Say hello first (SPEC 4.1)"),
        told("an action with id 1, before any hello", "Say hello first (SPEC 4.1)."),
        exit=4,
    ),
    Mistake(
        "garbage_for_a_hello",
        told("Your first message could not be read.", PACK),
        told("malformed: the byte c1 at byte 0", PACK),
        exit=4,
    ),
    Mistake(
        "prints_to_the_socket",
        told('(as text: "Hell"; did something print to the socket?)', LENGTH),
        told('(as text: "Hell"; did something print to the socket?)', LENGTH),
        exit=4,
    ),
    Mistake(
        "little_endian",
        told("a length of 1442840576; expected at most 4096", LENGTH),
        told("a length of 1040187392; expected at most 4096", LENGTH),
        exit=4,
    ),
    # In a match.
    Mistake("crashes", GONE, GONE),
    Mistake("quits", GONE, GONE),
    Mistake(
        "garbage",
        told("the byte c1 at byte 0; expected whole numbers, text, lists, maps", PACK),
        told("the byte c1 at byte 0; expected whole numbers, text, lists, maps", PACK),
    ),
    Mistake(
        "oversized",
        told("a length of 1000025; expected at most 4096", "bytes too long: shorten it."),
        told("a length of 1000025; expected at most 4096", "bytes too long: shorten it."),
    ),
    Mistake("truncated", told(HALF, SEND_ALL), told(HALF, SEND_ALL)),
    Mistake(
        "wrong_field action R99 1000",
        told('you played "R99", but nyet has no such action', "Answer with one of the texts in"),
        told('you played "R99", but nyet has no such action', "Answer with one of the texts in"),
    ),
    Mistake(
        "says_hello_again",
        told("another hello; expected one hello", "Say hello once, as the first message"),
        told("another hello; expected one hello", "Say hello once, as the first message"),
    ),
    Mistake("never_answers", HUNG, ASKED),
    Mistake(
        "slow 3",
        LATE,
        told(
            "with the default clock (100 ms each and 10 s a match) it would be late after",
            "look at `time_us` and answer sooner",
        ),
        step=2,
    ),
    Mistake("endless", HUNG, ASKED),
    Mistake(
        "stale_id",
        NOTHING,
        TWICE,
        harmless="an answer that comes twice, now and then, is ignored (SPEC 5.3)",
    ),
    Mistake(
        "answers_twice",
        NOTHING,
        TWICE,
        harmless="as many second answers as requests are ignored (SPEC 5.3)",
    ),
    Mistake(
        "exits_on_end",
        NOTHING,
        GONE,
        harmless="the match is over, and a bot that we start is started again",
    ),
)

# Bots that are never started, and so end the command.
REFUSED = (
    Mistake("no_exec_bit", MAY_NOT_RUN, MAY_NOT_RUN, step=1, exit=1),
    Mistake("crlf", AS_ON_WINDOWS, AS_ON_WINDOWS, step=1, exit=1),
    Mistake("half_a_build", BUILD, BUILD, step=1, exit=1),
)

# Told by tests of their own: they are mistakes of leagues.
OF_LEAGUES = ("a wrong token when dialling in", "a changed file", "a misspelt command")
