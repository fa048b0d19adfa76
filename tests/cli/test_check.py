"""`arena check`: good bots pass, and of each mistake it is said what it is and what to do."""

from __future__ import annotations

import json
import shlex
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.check.catalogue import STEPS, CheckStep
from arena.check.findings import Finding, Severity
from arena.check.measure import Measures
from arena.check.run import CheckReport
from arena.cli.check import COMMAND, ERRORS, NOT_REPEATED, NOT_STARTED, command_of
from arena.cli.check_text import lines_of, measured, numbers
from tests.cli.test_main import run

BOTS = Path(__file__).parent.parent / "bots" / "misbehaving"
TELLS = Path(__file__).parent.parent / "league" / "bots" / "tells.py"


def step(words: str) -> CheckStep:
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
    assert lines[0] == "python-random: 1 step, 3 s and the time in which it thinks"
    assert lines[1] == "ok     6  a request that comes byte by byte"
    assert lines[-1] == "1 step, 0 errors, 0 warnings"
    assert any(line.startswith("decision:  median ") for line in lines)
    assert any(line.startswith("memory: ") for line in lines)


@pytest.mark.parametrize(
    ("title", "has_view"), [("it plays a match", True), ("void while a request is open", False)]
)
def test_a_bot_sees_matches_end_with_its_view_and_without(
    tmp_path: Path, title: str, has_view: bool
) -> None:
    """Only where the server failed it is left out, and such a match is void (SPEC 4.7)."""
    notes = tmp_path / "notes"
    (tmp_path / "bot.toml").write_text(
        f'name = "tells"\ncommand = {json.dumps([sys.executable, str(TELLS), str(notes)])}\n'
        'games = ["nope"]\nconnect = ["unix"]\n'
    )
    number = str(step(title).number)
    # Unconfined: it writes into a file that the test reads.
    code, _ = checked(str(tmp_path), "--game", "nope", "--step", number, "--confine", "none")
    assert code == 0
    told = [json.loads(line)[1] for line in notes.read_text().splitlines()]
    seats = [message["seat"] for message in told if message["type"] == "start"]
    ends = [message for message in told if message["type"] == "end"]
    assert ("view" in ends[0]) == has_view
    # The last process may have been ended before it wrote its last `end` down.
    assert len(seats) - len(ends) in (0, 1)
    for seat, end in zip(seats, ends, strict=False):
        assert "view" not in end or end["view"]["seat"] == seat


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("fields in welcome", "welcome"),
        ("fields and options in start", "start"),
        ("fields and options in start", "end"),
        ("fields in request", "request"),
    ],
)
def test_a_bot_hears_unknown_fields_and_is_asked_after_them(
    tmp_path: Path, title: str, kind: str
) -> None:
    """Else it would not show whether it gives up at them."""
    notes = tmp_path / "notes"
    (tmp_path / "bot.toml").write_text(
        f'name = "tells"\ncommand = {json.dumps([sys.executable, str(TELLS), str(notes)])}\n'
        'games = ["nope"]\nconnect = ["unix"]\n'
    )
    number = str(step(title).number)
    code, _ = checked(str(tmp_path), "--game", "nope", "--step", number, "--confine", "none")
    assert code == 0
    told = [json.loads(line)[1] for line in notes.read_text().splitlines()]
    odd = [at for at, message in enumerate(told) if "of_a_later_version" in message]
    assert {told[at]["type"] for at in odd} >= {kind}
    assert "request" in {message["type"] for message in told[odd[-1] :]}


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


def test_an_answer_to_a_ruling_is_a_warning_each_time(misreads: Any) -> None:
    number = step("a fault that settles the request").number
    code, report = checked(misreads("answers-all"), "--game", "nope", "--step", str(number))
    assert code == 0
    (finding,) = report["findings"]
    assert (finding["severity"], finding["section"], finding["times"]) == ("warning", "5.3", 2)
    assert finding["what"] == "request 2 was answered a second time"
    assert finding["do"].startswith("Send one action for each request.")


def test_an_answer_to_a_fault_that_settles_nothing_is_out_of_turn(misreads: Any) -> None:
    """It is heard before the next request goes out, so it is not taken for an answer to that."""
    number = step("faults that settle nothing").number
    code, report = checked(misreads("answers-all"), "--game", "nope", "--step", str(number))
    assert code == ERRORS
    (finding,) = report["findings"]
    assert (finding["section"], finding["times"]) == ("5.2", 2)
    assert finding["what"].startswith("out-of-turn (nothing-asked): ")


@pytest.mark.parametrize("title", ["a match that ends early", "void while a request is open"])
def test_a_second_answer_that_comes_while_nothing_is_asked_is_a_warning(
    misreads: Any, title: str
) -> None:
    """Also where the first one comes as late as it may, for a request of a void match."""
    number = step(title).number
    code, report = checked(misreads("answers_again", "2"), "--game", "nope", "--step", str(number))
    assert code == 0
    (finding,) = report["findings"]
    assert (finding["severity"], finding["times"]) == ("warning", 1)
    assert finding["what"] == "request 2 was answered a second time"


def test_answers_that_are_faults_are_charged_like_others(misreads: Any) -> None:
    """The first answer is legal, and each other one is found to be none."""
    bot = misreads("wrong_field", "action", "none", "1000")
    number = step("it plays a match").number
    _, report = checked(bot, "--game", "nope", "--step", str(number))
    assert all("illegal (not-legal)" in finding["what"] for finding in report["findings"])
    wrong = sum(finding["times"] for finding in report["findings"])
    assert report["measures"]["decisions"] == 1 + wrong > 2


def test_of_a_frame_that_is_too_long_the_first_bytes_are_told(misreads: Any) -> None:
    number = step("it plays a match").number
    _, report = checked(misreads("oversized"), "--game", "nope", "--step", str(number))
    (finding,) = report["findings"]
    assert finding["came"].startswith("bytes that begin 00 0f 42 59")


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
    at = lines.index("  its standard output:")
    assert lines[at + 1].startswith("    | {'type': 'hello'")


def test_an_illegal_action_is_told_the_rule_it_broke(tmp_path: Path) -> None:
    number = str(step("nope: every kind").number)
    bot = tmp_path / "draws.py"
    bot.write_text("from protocol import run\nrun(lambda request: 'draw')\n")
    code, report = checked(f"{sys.executable} {bot}", "--step", number)
    assert code == ERRORS
    found = report["findings"][0]["what"]
    assert found.startswith('illegal (not-legal): you played "draw", but you hold a set for the')
    assert "and must lay (SPEC 12.4); expected " in found


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
    assert "Does it flush its output?" in finding["do"]


def test_without_ipv6_on_this_machine_its_step_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.check.steps.matches.has_ipv6", lambda: False)
    number = step("IPv6 address").number
    code, report = checked("python-random", "--game", "nope", "--step", str(number))
    assert code == 0
    (finding,) = report["findings"]
    assert (finding["severity"], finding["section"]) == ("note", "2.2")
    assert finding["what"] == "not tried: this machine has no IPv6 address to itself"


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


@pytest.mark.parametrize("in_file", [True, False], ids=["bot.toml", "--seats"])
def test_a_bot_that_plays_one_size_of_table_is_checked_at_no_other(
    tmp_path: Path, in_file: bool
) -> None:
    """It would end at any other, as its author knows."""
    (tmp_path / "bot.py").write_text(
        "from protocol import run\n"
        "def decide(request):\n"
        "    assert request['view']['seats'] == 4\n"
        "    return request['legal'][0]\n"
        "run(decide)\n"
    )
    (tmp_path / "bot.toml").write_text(
        'name = "four"\ncommand = ["{python}", "bot.py"]\ngames = ["nyet", "nope"]\n'
        + ("seats = [4]\n" if in_file else "")
    )
    asked = () if in_file else ("--seats", "4")
    code, output = run("check", str(tmp_path), *asked)
    assert code == 0, output
    if in_file:
        code, output = run("check", str(tmp_path), "--seats", "2")
        said = "four says it plays at tables of 4, not of 2; add it to `seats` in its bot.toml if"
        assert (code, said in " ".join(output.split())) == (2, True)
        code, output = run("match", "nope", str(tmp_path), "python-random")
        said = (
            "four says it plays nope at tables of 4, not of 2: name as many bots, or add 2 to"
            " `seats` in its bot.toml if it does"
        )
        assert (code, said in " ".join(output.split())) == (2, True)


def test_games_without_a_table_of_the_size_are_not_checked_and_one_must_be_left() -> None:
    _, output = run("check", "python-random", "--seats", "6", "--steps")
    assert "nope: " in output
    assert "nyet: " not in output
    code, output = run("check", "python-random", "--seats", "9")
    said = "no game to check has a table of 9; there are tables of 2, 3, 4, 5 and 6"
    assert (code, said in " ".join(output.split())) == (2, True)


def test_a_finding_says_what_was_sent_what_came_and_what_to_do(misreads: Any) -> None:
    number = step("it plays a match").number
    code, output = run("check", misreads("garbage"), "--step", str(number))
    assert code == ERRORS
    lines = output.splitlines()
    at = lines.index(f"error  step {number}, it plays a match (SPEC 3.3)")
    assert lines[at + 1].startswith(
        "  unreadable (malformed): the byte c1 at byte 0; expected whole numbers, text, lists, maps"
    )
    assert lines[at + 2] == "  do:   Pack one map with a msgpack library and send its length first."
    assert lines[at + 3].startswith("  sent: request 1 (njet-it with 4 seats, seat 0, tokens); ")
    assert lines[at + 4] == "  came: c1"


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        (
            "never_connects",
            "never-started (no-connection): no connection with a hello on it in 500 ms",
        ),
        ("half_a_hello", "bytes your header announces, and no more"),
        ("prints_to_the_socket", 'as text: "Hell"'),
        ("wrong_token", "the token in hello is not the one in ARENA_TOKEN"),
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


def test_a_finding_is_told_with_all_that_helps_and_both_ends_of_the_output(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    found = Finding(
        Severity.WARNING,
        "5.2",
        "it answered \x1b[31m",
        sent="a welcome",
        came="an action",
        advice="Wait.",
        output="\n".join(f"line {number}" for number in range(1, 21)),
        times=2,
    )
    odd = CheckStep(7, "odd things", "5.2", STEPS[0].run, about="this is odd")
    lines = lines_of(odd, found, "arena check 'my bot'")
    first = [f"    | line {number}" for number in range(1, 5)]
    last = [f"    | line {number}" for number in range(13, 21)]
    assert lines == [
        "warning  step 7, odd things (SPEC 5.2)",
        "  it answered \N{REPLACEMENT CHARACTER}[31m (2 times)",
        "  this step: this is odd",
        "  do:   Wait.",
        "  sent: a welcome",
        "  came: an action",
        "  its standard error:",
        *first,
        "    | [8 lines are left out here]",
        *last,
        "  again: arena check 'my bot' --step 7 -v",
    ]
    once = lines_of(odd, replace(found, times=1, stdout="out", output=""), "arena check b")
    assert once[1] == "  it answered \N{REPLACEMENT CHARACTER}[31m"
    assert once[5:] == [
        "  came: an action",
        "  its standard output:",
        "    | out",
        "  again: arena check b --step 7 -v",
    ]
    note = lines_of(odd, Finding(Severity.NOTE, "5.2", "it is slow"), "arena check b")
    assert note == ["note  step 7, odd things (SPEC 5.2)", "  it is slow"]


@pytest.mark.parametrize(
    ("steps", "words"),
    [((4,), "4"), ((4, 5), "4 to 5"), ((4, 5, 6, 9, 11, 12), "4 to 6, 9, 11 to 12")],
)
def test_numbers_in_a_row_are_told_as_one(steps: tuple[int, ...], words: str) -> None:
    assert numbers(steps) == words


def test_measures_are_told_in_words() -> None:
    report = CheckReport((), (), True, None, Measures())
    assert measured(report) == []
    report.measures.starts_us += [40_000, 50_000, 60_000]
    report.measures.decisions_us += [150_000] * 98 + [200_000, 900_000]
    report.measures.most_memory_kb, report.measures.processes = 2_048, 3
    assert measured(report) == [
        "start:     50 ms from start to hello (median of 3)",
        "decision:  median 150 ms, 99 % within 900 ms, longest 900 ms (100 decisions)",
        "           with the default clock (100 ms each and 10 s a match) it would"
        " be late after some 200 decisions of a match: look at `time_us` and answer sooner",
        "memory:    2.0 MiB at most in 3 processes",
    ]


def again(*arguments: str) -> str:
    """The command that checks once more what these arguments check."""
    return command_of(COMMAND.make_context("check", [*arguments]))


@pytest.fixture
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the variable that stands for an option; the tests' own may be set."""
    monkeypatch.delenv("ARENA_READ", raising=False)


# Every option that changes what is checked, or how.
DOOR = ("--at", "wss://a.org/bots", "--listen", "tcp:127.0.0.1:4000")
GIVEN = (*("--game", "nope", "--game", "njet-it", "--seats", "3", "--start-ms", "900"), *DOOR)


@pytest.mark.usefixtures("bare_environment")
def test_the_command_that_checks_again_has_every_option_that_was_given(tmp_path: Path) -> None:
    reads = ("--confine", "none", "--read", str(tmp_path), "--read", "/")
    assert again("my bot") == "arena check 'my bot'"
    assert again("b", *GIVEN, *reads) == shlex.join(["arena", "check", "b", *GIVEN, *reads])
    assert again(*GIVEN, "b") == shlex.join(["arena", "check", "b", *GIVEN])
    named = {each for each in (*GIVEN, *reads) if each.startswith("--")}
    others = {option.opts[0] for option in COMMAND.params if option.name in NOT_REPEATED}
    assert named | others == {each.opts[0] for each in COMMAND.params} - {"bot"}


@pytest.mark.usefixtures("bare_environment")
def test_the_command_that_checks_again_names_neither_the_step_nor_what_is_shown() -> None:
    assert again("b", "--step", "2", "-v", "--json", "--game", "nope") == (
        "arena check b --game nope"
    )


def test_the_command_that_checks_again_names_what_the_environment_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ARENA_READ", f"{tmp_path}:/")
    assert again("b") == f"arena check b --read {tmp_path} --read /"
    assert again("b", "--read", "/") == "arena check b --read /"


@pytest.mark.usefixtures("bare_environment")
def test_a_finding_tells_the_command_that_met_it(misreads: Any) -> None:
    bot = misreads("picks-last")
    number = str(step("njet-it: every kind").number)
    options = ["--game", "njet-it", "--seats", "4", "--start-ms", "9000", "--confine", "none"]
    command = ["check", bot, *options, "--step", number, "-v"]
    code, output = run(*command)
    assert code == ERRORS
    assert f"  again: {shlex.join(['arena', *command])}" in output.splitlines()


def test_a_place_behind_a_door_that_is_taken_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"tcp:127.0.0.1:{taken.getsockname()[1]}"
        code, output = run(
            "check", "python-random", "--at", "wss://localhost/bots", "--listen", place
        )
    assert code == 1
    assert f"cannot listen at {place}: Address already in use" in output
