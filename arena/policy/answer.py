"""The answer of a policy read as the text of an action, or refused in words."""

from __future__ import annotations

import operator
from contextlib import suppress
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
    PolicyMistake."""
    actions = decision.game.actions
    try:
        if isinstance(answer, str):
            return actions.name(actions.code(answer))
        return actions.name(_number(answer))
    except UnknownAction as error:
        raise PolicyMistake(
            f"it returned {shown(answer)}, and {_without_came(error)}\n{_legal(decision)}"
        ) from None
    except TypeError as error:
        raise PolicyMistake(
            f"it returned {shown(answer)}: {error}; {EXPECTED}\n{_legal(decision)}"
        ) from None


def _without_came(error: UnknownAction) -> str:
    """Return the words of an error about a number, which end with what came."""
    return str(error).replace(f"; got {error.came!r}", "")


def _number(answer: object) -> int:
    """Return a whole number of any type; raise a TypeError in words."""
    if answer is None:
        raise TypeError("a function without a `return` returns that")
    if isinstance(answer, bool | np.bool_):
        raise TypeError("a truth value is no number of an action")
    value: Any = answer
    with suppress(TypeError, ValueError):
        return operator.index(value)
    if isinstance(answer, float | np.floating):
        raise TypeError("a fraction is no number of an action; int() makes it one")
    if np.shape(value):
        raise TypeError(
            "several numbers are no number of an action; argmax() of values with"
            " decision.mask, or decision.legal[...], gives one"
        )
    raise TypeError(f"{type(answer).__name__} is no type of an action")


def shown(answer: object) -> str:
    """Return an answer as Python writes it, in one line and not too long."""
    text = plain(" ".join(repr(answer).split()))
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def _legal(decision: PolicyDecision) -> str:
    pairs = [f"{decision.game.actions.code(name)} ({name})" for name in decision.names]
    more = len(pairs) - LISTED
    if more > 0:
        pairs[LISTED:] = [f"{more} more"]
    return f"Legal here: {listed(pairs)}"
