"""Policies by their names on a command line, and words for those that are not there."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import pytest

from arena.games import GAMES
from arena.policy.finding import NoPolicy, content_of, find_policy
from arena.policy.policy import PolicyFailed

MODULE = """
import random

def policy(decision):
    return decision.legal[0]

def two(decision, other):
    return decision.legal[0]

def fails(decision):
    return decision.nothing

class Counting:
    made = 0
    games = "nyet"
    seats = (2, 3)

    def __init__(self):
        type(self).made += 1
        self.matches = 0

    def reset(self):
        self.matches += 1

    def __call__(self, decision):
        return decision.legal[-1]

class Needy:
    def __init__(self, weights):
        pass

class Net:
    def act(self, decision):
        return decision.names[-1]

net = Net()
number = 3
print("importing")
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module in the current folder, which no other test has."""
    name = f"policies_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return name


STATE = GAMES["nyet"].deal(2, b"found")
SEAT = STATE.to_act()[0]
NAMES = [STATE.game.actions.name(each) for each in STATE.legal(SEAT)]


def words_of(policy: str) -> str:
    with pytest.raises(NoPolicy) as refused:
        find_policy(policy)
    return str(refused.value)


@pytest.mark.parametrize(("name", "place"), [("policy", 0), ("Counting", -1), ("net.act", -1)])
def test_a_function_a_class_and_a_method_of_an_object_are_policies(
    module: str, name: str, place: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found = find_policy(f"{module}:{name}")
    assert found.name == f"{module}:{name}"
    found.reset()
    assert found.choose(STATE.view(SEAT), NAMES) == NAMES[place]
    assert capsys.readouterr().out == ""


def test_a_class_is_called_once_and_its_object_is_reset(module: str) -> None:
    found = find_policy(f"{module}:Counting")
    found.reset()
    found.choose(STATE.view(SEAT), NAMES)
    found.reset()
    assert sys.modules[module].Counting.made == 1
    assert (found.games, found.seats) == (("nyet",), (2, 3))


def test_an_exception_of_a_policy_is_told_from_its_own_first_line(module: str) -> None:
    with pytest.raises(PolicyFailed) as failed:
        find_policy(f"{module}:fails").choose(STATE.view(SEAT), NAMES)
    lines = str(failed.value).splitlines()
    assert lines[:2] == ["it failed:", "Traceback (most recent call last):"]
    assert re.search(rf'File ".*{module}.py", line \d+, in fails', lines[2])
    assert lines[-1].startswith("AttributeError: ")


@pytest.mark.parametrize("words", ["policy", ":policy", "mine:", "mine.py"])
def test_a_name_without_its_parts_is_answered_with_an_example(words: str) -> None:
    assert "named MODULE:NAME, such as my_policy:policy" in words_of(words)


def test_a_file_is_answered_with_the_name_of_its_module() -> None:
    assert "begins with mine:" in words_of("mine.py")
    assert "write mine:policy" in words_of("src/mine.py:policy")


@pytest.mark.parametrize("words", [".mine:policy", "..mine:policy"])
def test_a_module_with_a_dot_before_it_is_another_usage(words: str) -> None:
    with pytest.raises(NoPolicy) as refused:
        find_policy(words)
    assert refused.value.is_usage
    assert str(refused.value).endswith(
        f"without a dot before it; got {words!r}; it may be mine:policy"
    )
    assert words_of(".:policy").endswith("got '.:policy'")


def test_a_module_that_is_not_there_is_answered_with_the_files_that_are(module: str) -> None:
    said = words_of(f"{module[:-1]}:policy")
    assert "neither in the current folder nor installed" in said
    assert f"Did you mean {module!r}?" in said
    assert f"Python files here: {module}." in said


def test_a_function_that_is_not_there_is_answered_with_those_that_are(module: str) -> None:
    said = words_of(f"{module}:polcy")
    assert "has no 'polcy'. Did you mean 'policy'?" in said
    assert "It has Counting, Needy, Net, fails, policy and two." in said


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("number", "is of type int, which cannot be called"),
        ("net", "is of type Net, which cannot be called"),
        ("two", "cannot be called with a decision alone"),
        ("Needy", "is a class, and is called without arguments"),
        ("net.play", "Net (no file) has no 'play'"),
    ],
)
def test_what_is_no_policy_is_told_why(module: str, name: str, told: str) -> None:
    assert told in words_of(f"{module}:{name}").replace(f"({Path.cwd() / module}.py)", "(no file)")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("policy.seats = '2'", "`seats` of a policy is a table size or several, whole numbers"),
        ("policy.seats = []", "such as 2 or [2, 3]; got []"),
        ("policy.seats = [2, True]", "got [2, True]"),
        ("policy.games = 3", "`games` of a policy is the name of a rule set or several"),
    ],
)
def test_attributes_of_another_form_are_refused(module: str, line: str, told: str) -> None:
    name = f"{module}_attributes"
    Path(f"{name}.py").write_text(f"{MODULE}\n{line}\n")
    said = words_of(f"{name}:policy")
    assert said.startswith(f"{name}:policy: ")
    assert told in said


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import nowhere_at_all", "No module named 'nowhere_at_all'"),
        ("raise ValueError('no weights')", "ValueError: no weights"),
        ("def f(:", "SyntaxError"),
        ("raise SystemExit('usage')", "SystemExit: usage"),
    ],
)
def test_a_module_that_fails_is_told_with_its_traceback(module: str, text: str, told: str) -> None:
    name = f"{module}_broken"
    Path(f"{name}.py").write_text(text)
    with pytest.raises(NoPolicy) as refused:
        find_policy(f"{name}:policy")
    said = str(refused.value)
    assert not refused.value.is_usage
    assert said.startswith(f"the module {name} failed while it was imported:")
    assert f"{name}.py" in said
    assert told in said
    assert "importlib" not in said


def test_its_content_is_that_of_the_modules_file(module: str) -> None:
    find_policy(f"{module}:policy")
    before = content_of(f"{module}:policy")
    assert before == content_of(f"{module}:two")
    Path(f"{module}.py").write_text(f"{MODULE}\n# {random.Random(1).random()}\n")
    assert content_of(f"{module}:policy") != before
