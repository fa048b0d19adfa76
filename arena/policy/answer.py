"""The answer of a policy read as the text of an action, or refused in words."""

from __future__ import annotations

import math
import operator
from contextlib import suppress
from traceback import format_exception_only
from typing import Any

import numpy as np

from arena.games import UnknownAction
from arena.policy.decision import PolicyDecision
from arena.text import listed, plain

# The most legal actions in a message; more would drown the sentence.
LISTED = 12
# The longest answer in a message, in characters.
SHOWN = 80

EXPECTED = "a policy returns the number of a legal action, such as decision.legal[0], or its text"


class PolicyMistake(Exception):
    """A mistake in the program of a policy, in words for its author: no fault of play."""


def action_of(answer: object, decision: PolicyDecision) -> str:
    """Return the text of the action that a policy answered, legal or not; else raise
    PolicyMistake, also where a method of the answer itself fails."""
    actions = decision.game.actions
    try:
        # The text itself: str() of an Enum of texts gives the name of its class.
        code = actions.code(str.__str__(answer)) if isinstance(answer, str) else _number(answer)
        return actions.name(code)
    except UnknownAction as error:
        raise PolicyMistake(
            f"it returned {shown(answer)}, and {_without_came(error)}\n{_legal(decision)}"
        ) from None
    except TypeError as error:
        raise PolicyMistake(
            f"it returned {shown(answer)}: {error}; {EXPECTED}\n{_legal(decision)}"
        ) from None
    except (Exception, SystemExit) as error:  # any: an answer may be of a class of the policy's
        failed = plain(" ".join(format_exception_only(error)[-1].split()))
        raise PolicyMistake(
            f"it returned {shown(answer)}, which failed as it was read: {failed}; {EXPECTED}\n"
            f"{_legal(decision)}"
        ) from None


def _without_came(error: UnknownAction) -> str:
    """Return the words of an error about a number, which end with what came."""
    return str(error).replace(f"; got {error.came!r}", "")


def _number(answer: object) -> int:
    """Return a whole number of any type; raise a TypeError in words."""
    if answer is None:
        raise TypeError("a function without a `return` returns that")
    value = _only_number(answer)
    if isinstance(value, bool | np.bool_):
        raise TypeError("a truth value is no number of an action")
    with suppress(TypeError, ValueError):
        return int(operator.index(value))
    if isinstance(value, float | np.floating):
        raise TypeError("a fraction is no number of an action; int() makes it one")
    if isinstance(value, tuple | dict | set):
        raise TypeError(f"a {type(value).__name__} of values is no number; return the action alone")
    if isinstance(value, list) or getattr(value, "shape", None):
        raise TypeError(
            "several numbers are no number of an action; argmax() of values with"
            " decision.mask, or decision.legal[...], gives one"
        )
    raise TypeError(f"{type(answer).__name__} is no type of an action")


def _only_number(value: Any) -> Any:
    """Return the number in an array or a tensor that has one; anything else as it is.

    An array of numpy whose shape is not () is no index, even with a single number in it.
    """
    shape = getattr(value, "shape", None)
    return value.item() if isinstance(shape, tuple) and math.prod(shape) == 1 else value


def shown(answer: object) -> str:
    """Return an answer as Python writes it, in one line and not too long."""
    try:
        text = plain(" ".join(repr(answer).split()))
    except (Exception, SystemExit):  # as in `action_of`
        return f"a {type(answer).__name__} whose repr() fails"
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def _legal(decision: PolicyDecision) -> str:
    pairs = [f"{decision.game.actions.code(name)} ({name})" for name in decision.names]
    more = len(pairs) - LISTED
    if more > 0:
        pairs[LISTED:] = [f"{more} more"]
    return f"Legal here: {listed(pairs)}"
