"""Answers of policies: whole numbers of any type and texts are taken, others refused in words."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from arena.games import GAMES
from arena.policy import PolicyDecision
from arena.policy.answer import LISTED, PolicyMistake, action_of, shown

STATE = GAMES["nyet"].deal(2, b"answer")
SEAT = STATE.to_act()[0]
NAMES = [STATE.game.actions.name(each) for each in STATE.legal(SEAT)]
DECISION = PolicyDecision(STATE.view(SEAT), NAMES)
FIRST = DECISION.legal[0]


class Tensor:
    """A whole number of a type of its own, as other libraries have it."""

    def __index__(self) -> int:
        return FIRST


class Broken:
    """An answer of which every method fails."""

    @property
    def shape(self) -> tuple[int, ...]:
        raise RuntimeError("no shape")

    def __index__(self) -> int:
        raise RuntimeError("no number")

    def __repr__(self) -> str:
        raise RuntimeError("no words")


class Exits:
    """A number that ends the program where it is read."""

    def __index__(self) -> int:
        raise SystemExit("good-bye")


class Named(str):
    """A text that shows itself by another name, as members of an Enum of texts do."""

    def __str__(self) -> str:
        return "the first"


@pytest.mark.parametrize(
    "answer",
    [
        FIRST,
        np.int64(FIRST),
        np.array(FIRST),
        np.array([FIRST]),
        np.array([[FIRST]], np.uint8),
        Tensor(),
        NAMES[0],
        np.str_(NAMES[0]),
        Named(NAMES[0]),
    ],
)
def test_a_number_of_any_whole_type_and_a_text_are_the_action(answer: object) -> None:
    assert action_of(answer, DECISION) == NAMES[0]


def test_an_action_that_is_not_legal_now_is_left_to_the_referee() -> None:
    assert "R1" not in NAMES
    assert action_of("R1", DECISION) == "R1"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (None, "it returned None: a function without a `return` returns that"),
        (True, "it returned True: a truth value is no number"),
        (np.True_, "a truth value is no number"),
        (3.0, "it returned 3.0: a fraction is no number of an action; int() makes it one"),
        (np.float32(3), "a fraction is no number of an action"),
        (np.zeros(4), "several numbers are no number of an action"),
        (np.zeros(0, np.int64), "several numbers are no number of an action"),
        ([1, 2], "several numbers are no number of an action"),
        ([[1], [2, 3]], "several numbers are no number of an action"),
        ((3, np.zeros(4)), "a tuple of values is no number; return the action alone"),
        ({"action": 3}, "a dict of values is no number; return the action alone"),
        (np.array([2.0]), "a fraction is no number of an action"),
        (np.array([True]), "a truth value is no number"),
        (np.array(["R1"]), "ndarray is no type of an action"),
        (
            Broken(),
            "it returned a Broken whose repr() fails, which failed as it was read:"
            " RuntimeError: no shape; a policy returns the number of a legal action",
        ),
        (Exits(), "which failed as it was read: SystemExit: good-bye"),
        (Fraction(1, 2), "Fraction is no type of an action"),
        (b"R1", "bytes is no type of an action"),
        (-1, "it returned -1, and actions are numbered 0 to 124 (SPEC 10.2)"),
        (125, "it returned 125, and actions are numbered 0 to 124 (SPEC 10.2)"),
        ("trmp:R", "no action of this game is called 'trmp:R'. Did you mean 'trump:R'?"),
    ],
)
def test_what_is_no_action_is_refused_in_words_with_the_legal_ones(
    answer: object, told: str
) -> None:
    with pytest.raises(PolicyMistake) as refused:
        action_of(answer, DECISION)
    assert told in str(refused.value)
    assert f"Legal here: {FIRST} ({NAMES[0]})" in str(refused.value)


def test_of_many_legal_actions_the_first_are_listed_and_the_others_counted() -> None:
    names = [STATE.game.actions.name(code) for code in range(LISTED + 3)]
    with pytest.raises(PolicyMistake) as refused:
        action_of(None, PolicyDecision(STATE.view(SEAT), names))
    told = str(refused.value)
    assert f"{LISTED - 1} ({names[LISTED - 1]})" in told
    assert names[LISTED] not in told
    assert "3 more" in told


def test_a_long_answer_is_cut_and_control_characters_are_harmless() -> None:
    assert len(shown("x" * 500)) == 80
    assert "\x1b" not in shown("\x1b[31m")
