"""The breaches that are not in the bytes of one message, and the words for each.

The server's end finds the first group itself; the second is for whoever holds the clock,
the sockets and the programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from protocol.breach import Breach
from protocol.codes import CODES
from protocol.durations import told
from protocol.messages import Action
from protocol.strict import shown

_LISTED = 12  # of the legal actions; more would drown the sentence


def wrong_id(action: Action, asked: int) -> Breach:
    """An answer to a request that was never made."""
    return Breach("wrong-id", f"an action with id {action.id}", f"id {asked}, the open request")


def wrong_match(action: Action, match: str) -> Breach:
    """The right id with another match's name."""
    return Breach("wrong-match", f"an action with match {shown(action.match)}", shown(match))


def not_legal(action: Action, legal: Sequence[str], why: str = "") -> Breach:
    """Not one of the legal actions; `why` is the rule broken, if the caller knows it."""
    came = f"you played {shown(action.action)}" + (f", but {why}" if why else "")
    listed = ", ".join(legal[:_LISTED])
    if len(legal) > _LISTED:
        listed += f" and {len(legal) - _LISTED} more"
    return Breach("not-legal", came, listed, _did_you_mean(action.action, legal))


def _did_you_mean(came: str, legal: Sequence[str]) -> str:
    plain = came.strip().casefold()
    near = [each for each in legal if each.casefold() == plain]
    # Likeness is dear to compute: a long list of long texts would take half a millisecond.
    near = near or get_close_matches(came, legal[:_LISTED], n=1, cutoff=0.75)
    return f"Did you mean {near[0]}?" if near else ""


def nothing_asked(what: Action | Breach) -> Breach:
    """Something came while no decision was owed."""
    if isinstance(what, Action):
        came = f"an action with id {what.id}, which was not asked for"
    else:
        came = what.came
    return Breach("nothing-asked", came, "nothing until the next request")


def before_hello(action: Action) -> Breach:
    """An action is the first thing that comes."""
    came = f"an action with id {action.id}, before any hello"
    return Breach("nothing-asked", came, "a hello, first of all", "Say hello first (SPEC 4.1).")


def second_hello() -> Breach:
    """A hello after the first."""
    return Breach("second-hello", "another hello", "one hello, first of all")


def too_many_answers(action: Action, requests: int) -> Breach:
    """Answers to settled requests, more of them than requests were ever made."""
    return Breach(
        "too-many-answers",
        f"an action with id {action.id}, which is settled",
        f"one answer to each of the {requests} requests made so far",
    )


def out_of_time(took_us: int, time_us: int) -> Breach:
    """No answer in the time there was."""
    return Breach("out-of-time", f"no answer in {told(took_us)}", f"one within {told(time_us)}")


def answered_another(
    took_us: int, time_us: int, asked: int, action: Action, *, is_second: bool
) -> Breach:
    """As above, and meanwhile a settled request was answered, maybe for the second time."""
    came = f"no answer to request {asked} in {told(took_us)}"
    came += f"; an answer with id {action.id} came, and request {action.id} is settled"
    # The first answer to a request that was ruled late is only slow.
    advice = CODES["wrong-id"].advice if is_second else ""
    return Breach("out-of-time", came, f"one with id {asked} within {told(time_us)}", advice)


def hung(silent_ms: int, hang_ms: int) -> Breach:
    """Silence long after being late."""
    return Breach("hung", f"nothing for {silent_ms} ms", f"an answer within {hang_ms} ms at most")


def no_connection(start_ms: int) -> Breach:
    """Nobody came."""
    return Breach("no-connection", f"no connection in {start_ms} ms", "one, with a hello on it")


def exited(how: str) -> Breach:
    """The program ended; `how` is its exit code or signal in words."""
    return Breach("exited", f"the program ended ({how}) before its hello", "it to stay until `bye`")


def cannot_start(why: str) -> Breach:
    """There is no program to run; `why` says what to do."""
    return Breach("exited", why.rstrip("."), "a program that runs", "Mend `command` in bot.toml.")


def no_hello(start_ms: int) -> Breach:
    """A connection that says nothing."""
    return Breach("no-hello", f"a connection, but no hello in {start_ms} ms", "a hello at once")


def half_a_hello(begun: Breach) -> Breach:
    """A connection that says the beginning of something; `begun` is what is unfinished."""
    return Breach("no-hello", f"a connection, and on it {begun.came}", "a hello", begun.advice)


def hello_refused(text: str) -> Breach:
    """The hello got a `bye`; `text` is that bye's."""
    return Breach("hello-refused", text.rstrip("."), "a hello as in SPEC 4.1")
