"""A policy as it is called: from views and legal actions to the text of an action."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from arena.games.options import whole
from arena.policy.answer import PolicyMistake, action_of
from arena.policy.decision import PolicyDecision

Chooses: TypeAlias = Callable[[PolicyDecision], object]

RESET = "reset"  # the method of a policy that is called at the beginning of a match, if there


class PolicyFailed(PolicyMistake):
    """An exception in the program of a policy, with its traceback."""


class Policy:
    """A function, or an object with `__call__` and perhaps `reset`.

    `name`: of its row. `games`, `seats`: the names of the games and the table sizes that it says
    it plays; None for any. TypeError if these attributes have no such form.
    """

    def __init__(self, chooses: Chooses, name: str):
        self.name = name
        self.games = _games(getattr(chooses, "games", None))
        self.seats = _seats(getattr(chooses, "seats", None))
        self._chooses = chooses
        reset = getattr(chooses, RESET, None)
        self._reset: Callable[[], object] = reset if callable(reset) else _nothing

    def __repr__(self) -> str:
        return f"<Policy {self.name}>"

    def reset(self) -> None:
        """Begin a match. Raises PolicyFailed."""
        try:
            self._reset()
        except (Exception, SystemExit) as error:  # any: it is the program of somebody else
            raise PolicyFailed(f"{RESET}() failed:\n{told(error, __file__)}") from None

    def choose(self, view: Mapping[str, Any], names: Sequence[str]) -> str:
        """Return the action that it chooses, legal or not. Raises PolicyMistake."""
        decision = PolicyDecision(view, names)
        try:
            answer = self._chooses(decision)
        except (Exception, SystemExit) as error:  # as in `reset`
            raise PolicyFailed(f"it failed:\n{told(error, __file__)}") from None
        return action_of(answer, decision)


def told(error: BaseException, *ours: str) -> str:
    """Return the traceback of an exception without the first frames, those of the files `ours`
    and of Python's own import."""
    frames = error.__traceback__
    while frames is not None and _is_left_out(frames.tb_frame.f_code.co_filename, ours):
        frames = frames.tb_next
    # A SyntaxError in the module itself has no frame of its own, and tells its file.
    return "".join(traceback.format_exception(error.with_traceback(frames))).rstrip()


def _is_left_out(file: str, ours: tuple[str, ...]) -> bool:
    return file in ours or file.startswith("<frozen importlib") or "/importlib/" in file


def check_policy(found: Any, words: str) -> None:
    """Raise TypeError, in words, unless this can be called for each decision."""
    if not callable(found):
        raise TypeError(
            f"{words} is of type {type(found).__name__}, which cannot be called; a policy is a"
            " function of a decision, or an object with __call__(self, decision)"
        )
    if not _takes_one(found):
        raise TypeError(
            f"{words} cannot be called with a decision alone; a policy is a function of one"
            " argument: def policy(decision): ..."
        )


def _takes_one(found: Callable[..., object]) -> bool:
    try:
        inspect.signature(found).bind(None)
    except TypeError:
        return False
    except ValueError:  # Python does not know the arguments of some functions written in C
        return True
    return True


def _games(told: Any) -> tuple[str, ...] | None:
    """Return the games that a policy says it plays; a single one stands for itself."""
    found = _each(told)
    if found is None or (found and all(isinstance(each, str) for each in found)):
        return found
    raise TypeError(
        f'`games` of a policy is the name of a rule set or several, such as ["nyet"]; got {told!r}'
    )


def _seats(told: Any) -> tuple[int, ...] | None:
    """Return the table sizes that a policy says it plays; a single one stands for itself."""
    found = _each(told)
    if found is None:
        return None
    with suppress(ValueError):
        if found:
            return tuple(map(whole, found))
    raise TypeError(
        f"`seats` of a policy is a table size or several, whole numbers such as 2 or [2, 3];"
        f" got {told!r}"
    )


def _each(told: Any) -> tuple[Any, ...] | None:
    if told is None:
        return None
    is_many = isinstance(told, Iterable) and not isinstance(told, str)
    return tuple(told) if is_many else (told,)


def _nothing() -> None:
    """Do nothing: the policy keeps nothing."""
