"""The breaches that one message alone does not show, and the words for each.

The server's end finds those from `wrong_id` to `too_many_answers`. The rest are found by the
referee, which has the clock, the sockets and the programs. Times are in microseconds (`_us`)
or milliseconds (`_ms`).
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from protocol.breach import Breach
from protocol.codes import CODES
from protocol.durations import told
from protocol.messages import Action
from protocol.strict import shown

# The most legal actions in a list; more would drown the sentence.
_LISTED = 12


def wrong_id(action: Action, asked: int) -> Breach:
    """An answer to a request that was never made; `asked` is the id of the open request."""
    return Breach("wrong-id", f"an action with id {action.id}", f"id {asked}, the open request")


def wrong_match(action: Action, match: str) -> Breach:
    """An answer with the right id and the name of another match than `match`."""
    return Breach("wrong-match", f"an action with match {shown(action.match)}", shown(match))


def not_legal(action: Action, legal: Sequence[str]) -> Breach:
    """Not one of the legal actions."""
    came = f"you played {shown(action.action)}"
    listed = ", ".join(legal[:_LISTED])
    if len(legal) > _LISTED:
        listed += f" and {len(legal) - _LISTED} more"
    advice = _did_you_mean(action.action, legal)
    return Breach("not-legal", came, listed, advice, action.action)


def _did_you_mean(came: str, legal: Sequence[str]) -> str:
    plain = came.strip().casefold()
    near = [each for each in legal if each.casefold() == plain]
    # Likeness is slow to compute: a long list of long texts would take half a millisecond.
    near = near or get_close_matches(came, legal[:_LISTED], n=1, cutoff=0.75)
    return f"Did you mean {near[0]}?" if near else ""


def nothing_asked(what: Action | Breach) -> Breach:
    """An action, or a body that cannot be read, while no decision was owed."""
    if isinstance(what, Action):
        came = f"an action with id {what.id}, which was not asked for"
    else:
        came = what.came
    return Breach("nothing-asked", came, "nothing until the next request")


def before_hello(action: Action) -> Breach:
    """An action as the first message of a connection."""
    came = f"an action with id {action.id}, before any hello"
    return Breach("nothing-asked", came, "a hello, first of all", "Say hello first (SPEC 4.1).")


def second_hello() -> Breach:
    """A hello after the first."""
    return Breach("second-hello", "another hello", "one hello, first of all")


def too_many_answers(action: Action, requests: int) -> Breach:
    """More answers to settled requests than requests were made; `requests` counts the latter."""
    return Breach(
        "too-many-answers",
        f"an action with id {action.id}, which is settled",
        f"one answer to each of the {requests} requests made so far",
    )


def out_of_time(took_us: int, time_us: int) -> Breach:
    """No answer after `took_us` microseconds; `time_us` were allowed."""
    return Breach("out-of-time", f"no answer in {told(took_us)}", f"one within {told(time_us)}")


def answered_another(
    took_us: int, time_us: int, asked: int, action: Action, *, is_second: bool
) -> Breach:
    """No answer in time to request `asked`, while `action` answered a settled request.

    `is_second`: that request had an answer before, so the bot confuses its ids.
    """
    came = f"no answer to request {asked} in {told(took_us)}"
    came += f"; an answer with id {action.id} came, and request {action.id} is settled"
    # The first answer to a request that was ruled late shows a slow bot, not a wrong id.
    advice = CODES["wrong-id"].advice if is_second else ""
    return Breach("out-of-time", came, f"one with id {asked} within {told(time_us)}", advice)


def hung(silent_ms: int, hang_ms: int) -> Breach:
    """No answer for `silent_ms` milliseconds after a `late`; `hang_ms` are allowed."""
    return Breach("hung", f"nothing for {silent_ms} ms", f"an answer within {hang_ms} ms at most")


def no_connection(start_ms: int) -> Breach:
    """No connection within `start_ms` of the start of the program."""
    came = f"no connection with a hello on it in {start_ms} ms"
    return Breach("no-connection", came, "a connection and a hello in that time")


def exited(how: str, advice: str = "") -> Breach:
    """The end of the program before its hello; `how` is its exit code or signal in words."""
    came = f"the program ended ({how}) before its hello"
    return Breach("exited", came, "a program that stays until `bye`", advice)


def cannot_start(why: str) -> Breach:
    """A program that cannot be started; `why`: the reason, and the remedy if one is known."""
    advice = "Mend the program, or `command` in bot.toml."
    return Breach("exited", why.rstrip("."), "a program that runs", advice)


def no_hello(start_ms: int) -> Breach:
    """A connection on which nothing came within `start_ms`."""
    return Breach("no-hello", f"a connection, but no hello in {start_ms} ms", "a hello at once")


def half_a_hello(begun: Breach) -> Breach:
    """A connection on which an unfinished frame came; `begun`: the breach of that frame."""
    return Breach("no-hello", f"a connection, and on it {begun.came}", "a hello", begun.advice)


def hello_refused(text: str) -> Breach:
    """A hello that was answered with a `bye`; `text` is the text of that bye."""
    came = f'your hello was answered with `bye`: "{text}"'
    return Breach("hello-refused", came, "a hello as in SPEC 4.1")
