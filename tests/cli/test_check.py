"""`arena check`: good bots pass, and of each mistake it is said what it is and what to do."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.cli.check import ERRORS, NOT_STARTED
from arena.referee.check.steps import STEPS, Step
from tests.cli.test_main import run

BOTS = Path(__file__).parent.parent / "bots"


def step(words: str) -> Step:
    """The one step with these words in its title."""
    (found,) = (step for step in STEPS if words in step.title)
    return found


@pytest.fixture
def misreads(tmp_path: Path) -> Any:
    """Makes a bot with a mistake; the path of its folder."""

    def make(mistake: str, *arguments: str, connect: str = '["unix"]') -> str:
        file = BOTS / f"{mistake}.py"
        words = [str(file), *arguments] if file.exists() else [str(BOTS / "misreads.py"), mistake]
        (tmp_path / "bot.toml").write_text(
            f'name = "mistaken"\ncommand = {json.dumps([sys.executable, *words])}\n'
            f'games = ["nope", "njet-it"]\nconnect = {connect}\n'
        )
        return str(tmp_path)

    return make


def checked(bot: str, *arguments: str) -> tuple[int, dict[str, Any]]:
    code, output = run("check", bot, "--json", *arguments)
    return code, json.loads(output)


def test_a_step_of_a_good_bot_is_a_line_and_a_summary() -> None:
    code, output = run("check", "python-random", "--game", "nope", "--step", "6")
    lines = output.splitlines()
    assert code == 0
    assert lines[0] == "python-random: 1 step"
    assert lines[1] == "ok     6  a request that comes byte by byte"
    assert lines[-1] == "1 step, 0 errors, 0 warnings"
    assert any(line.startswith("decision:  median ") for line in lines)
    assert any(line.startswith("memory: ") for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["python-random", "python-bare"])
def test_the_sample_bots_pass_every_step(bot: str) -> None:
    code, report = checked(bot)
    assert [finding for finding in report["findings"] if finding["severity"] != "note"] == []
    assert code == 0
    assert report["conforms"]
    assert [each["number"] for each in report["steps"]] == [each.number for each in STEPS]
    assert report["measures"]["decisions"] > 500


@pytest.mark.parametrize(
    ("mistake", "title", "section"),
    [
        ("one-read", "welcome, start and request in one write", "7.3"),
        ("strict-fields", "unknown fields and options in start", "7.3"),
        ("answers-all", "unknown types of message", "5.2"),
        ("trims", "token unchanged", "2.3"),
        ("small-buffer", "the longest body", "7.3"),
        ("picks-last", "njet-it: every kind", "4.5"),
        ("garbage", "it plays a match", "3.3"),
        ("oversized", "it plays a match", "3.2"),
        ("says_hello_again", "it plays a match", "5.2"),
        ("crashes", "it plays a match", "7.3"),
    ],
)
def test_a_mistake_is_an_error_in_the_step_that_is_about_it(
    misreads: Any, mistake: str, title: str, section: str
) -> None:
    code, report = checked(misreads(mistake), "--step", str(step(title).number))
    assert code == ERRORS
    assert section in {each["section"] for each in report["findings"]}
    assert all(each["do"] for each in report["findings"])


@pytest.mark.slow
def test_a_wrong_id_is_told_as_such_and_not_waited_for_like_a_slow_answer(misreads: Any) -> None:
    number = step("it plays a match").number
    code, report = checked(misreads("first-id"), "--game", "nope", "--step", str(number))
    assert code == ERRORS
    (finding,) = report["findings"]
    assert "; an answer with id 1 came, and request 1 is settled: late" in finding["what"]
    assert '"id":1' in finding["came"]
    assert finding["do"] == "Copy `id` from the request you answer."


@pytest.mark.slow
@pytest.mark.parametrize("mistake", ["stays", "small-buffer", "strict-fields"])
def test_a_mistake_is_found_where_it_is_and_not_where_it_is_not(
    misreads: Any, mistake: str
) -> None:
    wrong = {
        "stays": {"bye between", "bye before", "bye while"},
        "small-buffer": {"the longest body"},
        "strict-fields": {"unknown fields", "the longest body", "the deepest"},
    }[mistake]
    code, report = checked(misreads(mistake))
    assert code == ERRORS
    failed = [each["title"] for each in report["steps"] if each["verdict"] == "FAIL"]
    assert failed
    assert [title for title in failed if not any(title.startswith(words) for words in wrong)] == []


def test_a_token_that_is_encoded_twice_is_told_as_such(misreads: Any) -> None:
    number = str(step("token unchanged").number)
    code, report = checked(misreads("encodes-twice"), "--step", number)
    assert code == ERRORS
    (finding,) = report["findings"]
    assert finding["section"] == "2.3"
    assert finding["what"] == "the token in hello was encoded as UTF-8 twice"
    assert finding["sent"].startswith("ARENA_TOKEN=")
    assert "decode them to text once" in finding["do"]


def test_a_bot_that_prints_its_messages_is_told_where_they_go(misreads: Any) -> None:
    code, output = run("check", misreads("prints"))
    assert code == NOT_STARTED
    assert "messages go to the socket that ARENA_CONNECT names (SPEC 2.1, 2.2)" in output
    lines = output.splitlines()
    at = lines.index("  its standard output ends:")
    assert lines[at + 1].startswith("    | {'type': 'hello'")


def test_an_action_first_is_told_to_say_hello(misreads: Any) -> None:
    code, report = checked(misreads("acts_before_hello"))
    assert code == NOT_STARTED
    (finding,) = report["findings"]
    assert "before any hello" in finding["what"]
    assert finding["do"] == "Say hello first (SPEC 4.1)."


@pytest.mark.slow
def test_who_has_never_answered_is_asked_how_it_reads_and_writes(misreads: Any) -> None:
    number = step("it plays a match").number
    code, report = checked(misreads("reads-lines"), "--game", "nope", "--step", str(number))
    assert code == ERRORS
    (finding,) = report["findings"]
    assert finding["what"].startswith("no answer in 10.1 s: late")
    assert "Does it flush what it writes?" in finding["do"]


def test_the_token_is_shown_with_the_frames() -> None:
    number = str(step("token unchanged").number)
    code, output = run("check", "python-random", "--step", number, "-v")
    assert code == 0
    assert "started with ARENA_TOKEN=' %41+/=~" in output


def test_two_writes_for_a_frame_are_a_warning_with_what_they_cost(misreads: Any) -> None:
    bot = misreads("one-write-each", connect='["tcp"]')
    code, report = checked(bot, "--game", "nope", "--step", str(step("one write for").number))
    assert code == 0
    (finding,) = report["findings"]
    assert finding["severity"] == "warning"
    assert "frames came in several pieces (TCP)." in finding["what"]
    assert finding["do"] == "Write header and body with one call; on TCP set TCP_NODELAY as well."


def test_a_finding_says_what_was_sent_what_came_and_what_to_do(misreads: Any) -> None:
    number = step("it plays a match").number
    code, output = run("check", misreads("garbage"), "--step", str(number))
    assert code == ERRORS
    lines = output.splitlines()
    at = lines.index(f"error  step {number}, it plays a match (SPEC 3.3)")
    assert lines[at + 1].startswith(
        "  unreadable (malformed): the byte c1 at byte 0; expected whole numbers, text, lists, maps"
    )
    assert lines[at + 2].startswith("  sent: request 1 (njet-it with 4 seats, seat 0, tokens); ")
    assert lines[at + 3 : at + 5] == [
        "  came: c1",
        "  do:   Pack one map with a msgpack library and send its length first.",
    ]


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("never_connects", "never-started (no-connection): no connection in 500 ms"),
        ("half_a_hello", "bytes your header announces, and no more"),
        ("prints_to_the_socket", 'as text: "Hell"'),
        ("wrong_token", "the token in hello is not what ARENA_TOKEN held"),
        ("crashes_at_start", "never-started (exited): the program ended (exit code 1)"),
    ],
)
def test_of_a_bot_that_does_not_start_it_is_said_why(misreads: Any, bot: str, said: str) -> None:
    code, output = run("check", misreads(bot), "--start-ms", "500")
    assert code == NOT_STARTED
    assert said in output
    assert "steps were left out: it did not start" in output


@pytest.mark.slow
def test_a_bot_that_is_slow_within_its_clock_passes(misreads: Any) -> None:
    bot = misreads("slow", "0.15")
    code, output = run("check", bot, "--game", "nope", "--step", str(step("byte by byte").number))
    assert code == 0
    assert "it would be late after some" in output


def test_what_cannot_be_checked_is_wrong_usage() -> None:
    code, output = run("check", "python-random", "--game", "nopee")
    assert code == 2
    assert "there is no rule set 'nopee'" in output
    assert "Did you mean 'nope'?" in output
    code, output = run("check", "python-random", "--step", "99")
    assert code == 2
    assert f"there are steps 1 to {len(STEPS)}; got 99" in output
    code, output = run("check", "python-randon")
    assert code == 2
    assert "python-random" in output


def test_the_steps_are_listed_without_a_run() -> None:
    code, output = run("check", "python-bare", "--steps")
    assert code == 0
    assert len(output.splitlines()) == len(STEPS)


def test_frames_are_shown_on_request() -> None:
    code, output = run("check", "python-random", "--step", "6", "--game", "nope", "-v")
    assert code == 0
    assert '<- {"type":"request"' in output
    assert '-> {"type":"action"' in output
