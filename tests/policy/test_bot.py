"""A policy as the function of the kit."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from arena.games import GAMES
from arena.policy import PolicyDecision, as_bot

DOCUMENT = Path(__file__).parents[2] / "docs" / "library.md"


def request(match: str, seed: bytes) -> dict[str, Any]:
    state = GAMES["nope"].deal(2, seed)
    seat = state.to_act()[0]
    legal = [state.game.actions.name(each) for each in state.legal(seat)]
    return {"match": match, "view": state.view(seat), "legal": legal}


class Highest:
    """Takes the legal action with the highest number, and counts decisions by match."""

    matches: list[int]

    def __init__(self) -> None:
        self.matches = []

    def reset(self) -> None:
        self.matches.append(0)

    def __call__(self, decision: PolicyDecision) -> int:
        self.matches[-1] += 1
        return max(decision.legal)


def test_it_answers_a_request_with_the_text_of_the_action_and_is_reset_for_each_match() -> None:
    policy = Highest()
    decide = as_bot(policy)
    for match in ("m-1", "m-1", "m-2"):
        asked = request(match, b"bot")
        actions = GAMES["nope"].actions
        assert decide(asked) == max(asked["legal"], key=actions.code)
    assert policy.matches == [2, 1]


def test_a_class_is_called_for_its_object_and_a_function_is_used_as_it_is() -> None:
    asked = request("m-1", b"bot")
    assert as_bot(Highest)(asked) == as_bot(lambda decision: max(decision.legal))(asked)


def two(decision: PolicyDecision, other: object) -> int:
    return decision.legal[0]


class Uncalled:
    """Has no `__call__`."""


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (two, "the policy of as_bot cannot be called with a decision alone"),
        (3, "the policy of as_bot is of type int, which cannot be called"),
        (Uncalled, "the policy of as_bot is of type Uncalled, which cannot be called"),
    ],
)
def test_what_evaluate_refuses_is_refused_before_the_bot_plays(policy: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        as_bot(policy)


def test_a_mistake_ends_the_program_with_the_policys_own_lines_alone() -> None:
    def fails(decision: PolicyDecision) -> object:
        return decision.nothing  # type: ignore[attr-defined]  # on purpose

    asked = request("m-1", b"bot")
    with pytest.raises(SystemExit) as ended:
        as_bot(fails)(asked)
    lines = str(ended.value.code).splitlines()
    legal = ", ".join(asked["legal"])
    seat = asked["view"]["seat"]
    assert (
        lines[0] == f"The policy was asked as seat {seat} in match m-1, legal: {legal}; it failed:"
    )
    assert lines[-1] == "AttributeError: 'PolicyDecision' object has no attribute 'nothing'"
    assert [line for line in lines if "File " in line and __file__ not in line] == []


@pytest.mark.parametrize("name", ["policy", "Cautious"])
def test_the_policies_of_the_document_play(name: str) -> None:
    section = DOCUMENT.read_text().partition("## A policy, evaluated")[2].partition("\n## ")[0]
    names: dict[str, Any] = {}
    for example in re.findall(r"```python\n(.*?)```", section, re.DOTALL):
        if "import run" not in example:
            exec(example, names)
    asked = request("m-1", b"document")
    assert as_bot(names[name])(asked) in asked["legal"]
