"""`arena evaluate`, with real bots."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.exits import INTERRUPTED
from arena.json_formats import EVALUATION
from arena.record import from_json
from tests.cli.json_schemas import misfits

MODULE = """
def first(decision):
    return decision.legal[0]

def illegal(decision):
    return next(number for number, may in enumerate(decision.mask) if not may)

def fails(decision):
    return decision.nothing

def only_nyet(decision):
    return decision.legal[0]

only_nyet.games = ["nyet"]
only_nyet.seats = 4

def both(decision):
    return decision.legal[0]

both.games = ["nyet", "nope"]

def unknown(decision):
    return decision.legal[0]

unknown.games = ["nyett"]

def loops(decision):
    print("asked", flush=True)
    while True:
        pass
"""
FAST = ("-o", "max_turns=3", "--sets", "2")


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"evaluated_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return name


def evaluate(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["evaluate", *arguments])


def document(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    assert misfits(EVALUATION, found) == []
    return found


def test_elo_processor_time_and_faults_are_told(module: str) -> None:
    many = ("nope", "python-random", "-o", "max_turns=3", "--sets", "5", "--seed", "7")
    result = evaluate(f"{module}:first", *many)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == f"{module}:first in nope, 2 seats, max_turns=3"
    assert lines[1] == "5 sets of 2 matches; bars are 95 %, over sets"
    assert re.fullmatch(r"  python-random +\d\.\d{3}( +\S+){3} +(. )?[\d.]+%", lines[3])
    assert re.fullmatch(
        r"CPU a decision: mean \S+ [um]s, 99 % within \S+ [um]s"
        r" \(\d+ decisions; clock: 100 ms and 10 s a match\)",
        lines[4],
    )
    assert lines[5:] == [f"faults of {module}:first: none"]
    assert result.stderr == ""


def test_the_document_has_every_bot_and_the_same_seed_the_same_results(module: str) -> None:
    bots = ("python-bare", "python-bare", "python-high")
    table = ("nope", *bots, *FAST, "--seed", "hex:0102", "--json")
    found = document(evaluate(f"{module}:first", *table))
    assert found["bots"] == ["python-bare", "python-bare-2", "python-high"]
    assert [(each["bot"], each["copies"]) for each in found["each_bot"]] == [
        ("python-bare", 2),
        ("python-high", 1),
    ]
    whole = sum(each["ahead"] * each["copies"] for each in found["each_bot"]) / 3
    assert found["all_bots"]["ahead"] == pytest.approx(whole)
    assert (found["sets"], found["sets_wanted"], found["matches"]) == (2, 2, 8)
    assert found["clock"] == {"decision_ms": 100, "bank_ms": 10_000}
    assert found["seed"] == "0102"


def test_an_end_that_nothing_limits_is_told_from_one_that_is_not_known(module: str) -> None:
    """Every match is forfeited, so that nothing is won in any set."""
    table = ("nope", "python-random", "-o", "max_turns=20", "--seed", "7")
    few = document(evaluate(f"{module}:illegal", *table, "--sets", "2", "--json"))["all_bots"]
    keys = ("ahead", "ahead_low", "elo", "elo_low", "elo_high", "los")
    assert [few[key] for key in keys] == [0, None, None, None, None, None]
    result = evaluate(f"{module}:illegal", *table, "--sets", "5", "--json")
    lost = document(result)["all_bots"]
    assert [lost[key] for key in keys[:4]] == [0, 0, None, None]
    assert 0 < lost["ahead_high"] < 0.7
    assert -400 < lost["elo_high"] < 100
    assert 0 < lost["los"] < 0.1
    told = evaluate(f"{module}:illegal", *table, "--sets", "2").stdout.splitlines()
    assert told[3].split() == ["python-random", "0.000", "-inf", "?", "?", "?"]


@pytest.mark.parametrize("number", [2, 3])
def test_copies_of_a_bot_are_one_bot_also_where_it_has_all_other_seats(
    module: str, number: int
) -> None:
    table = ("nope", *["python-bare"] * number, *FAST, "--seed", "7")
    found = document(evaluate(f"{module}:first", *table, "--json"))
    (each,) = found["each_bot"]
    assert (each["bot"], each["copies"]) == ("python-bare", number)
    assert each["ahead"] == found["all_bots"]["ahead"]
    told = evaluate(f"{module}:first", *table).stdout
    assert f"  python-bare x{number}  " in told
    assert "python-bare-2" not in told


def test_the_game_is_that_which_the_policy_plays_where_none_is_named(module: str) -> None:
    result = evaluate(f"{module}:only_nyet", *["python-bare"] * 3, "-o", "rounds=1", "--sets", "1")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"{module}:only_nyet in nyet, 4 seats")


def test_faults_cost_what_they_cost_in_a_league(module: str) -> None:
    table = ("nope", "python-random", "-o", "max_turns=20", "--sets", "2", "--json")
    result = evaluate(f"{module}:illegal", *table)
    assert result.exit_code == 3
    found = document(result)
    (fault,) = found["faults"]
    assert (fault["bot"], fault["kind"]) == (f"{module}:illegal", "illegal")
    assert (found["forfeits"], found["all_bots"]["ahead"]) == (4, 0)
    assert result.stderr.count("illegal (not-legal, SPEC 4.5): you played") == 1


def test_a_policy_that_fails_is_told_with_its_traceback_and_the_deal(module: str) -> None:
    result = evaluate(f"{module}:fails", "nope", "python-random", *FAST, "--seed", "7")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "AttributeError: 'PolicyDecision' object has no attribute 'nothing'" in result.stderr
    assert f'{module}.py", line' in result.stderr
    assert "That was in match 1.1; --seed hex:37 deals the same cards again" in result.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("first",), "name a game and the bots at the table with the policy"),
        (("first", "nope"), "name a game and the bots"),
        (("first", "nopee", "python-random"), "Did you mean 'nope'?"),
        (("first", "nope", "python-randm"), "Did you mean 'python-random'?"),
        (("first", "njet-it", "python-random"), "name a bot for each other seat"),
        (("first", "nope", "python-random", "-o", "turns=3"), "nope has no option 'turns'"),
        (("only_nyet", "nope", "python-random"), "plays games nyet, not nope"),
        (("only_nyet", "nyet", "python-random"), "plays seats 4, not 2"),
        (("both", "python-bare"), "name the game before the bots, one of nyet, nope"),
        (("unknown", "python-bare"), ":unknown: there is no rule set 'nyett'"),
        (("unknown", "nyet", "python-bare"), "there is no rule set 'nyett'"),
        (("fist", "nope", "python-random"), "Did you mean 'first'?"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(
    module: str, words: tuple[str, ...], told: str
) -> None:
    policy, *rest = words
    result = evaluate(f"{module}:{policy}", *rest)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.split())


def test_records_are_written_and_kept_sets_are_not_played_again(
    module: str, tmp_path: Path
) -> None:
    table = ("nope", "python-random", *FAST, "--keep", "kept.sets")
    first = evaluate(f"{module}:first", *table, "--record", "matches.json", "--json")
    assert first.exit_code == 0, first.output
    records = [from_json(line) for line in Path("matches.json").read_text().splitlines()]
    assert len(records) == 4
    assert {record.names[0] for record in records} == {f"{module}:first", "python-random"}
    again = evaluate(f"{module}:first", *table, "--json")
    assert again.stderr == (
        f"kept.sets: 2 sets are kept, and not played again; the file of {module} is as it was, and"
        " weights and what else it reads are not looked at\n"
    )
    assert document(again) == document(first)
    other = evaluate(f"{module}:first", *table, "--no-clock")
    assert (other.exit_code, "the clock: before" in other.stderr) == (1, True)
    Path(f"{module}.py").write_text(f"{MODULE}\n# another\n")
    changed = evaluate(f"{module}:first", *table)
    assert f"{module}:first has changed since" in changed.stderr


def test_a_bot_that_does_not_start_is_told_with_its_output(module: str, tmp_path: Path) -> None:
    (tmp_path / "dead").mkdir()
    (tmp_path / "dead" / "bot.py").write_text("raise SystemExit('no luck')\n")
    (tmp_path / "dead" / "bot.toml").write_text(
        'name = "dead"\ncommand = ["{python}", "bot.py"]\ngames = ["nope"]\n'
    )
    result = evaluate(f"{module}:first", "nope", "dead", *FAST)
    assert result.exit_code == 4
    assert result.stdout.splitlines()[1:] == ["no set is complete, so there is no Elo"]
    assert "dead did not start: never-started" in result.stderr
    assert "its stderr: no luck" in result.stderr


def test_an_address_is_for_bots_that_dial_in(module: str) -> None:
    told = evaluate(f"{module}:first", "nope", "python-random", "--listen", "tcp:127.0.0.1:0")
    assert told.exit_code == 2
    assert "--listen is for bots that dial in; name one: dial-in:NAME" in told.stderr


def test_without_a_clock_the_document_has_none(module: str) -> None:
    result = evaluate(f"{module}:first", "nope", "python-random", *FAST, "--no-clock", "--json")
    assert document(result)["clock"] is None


def test_ctrl_c_ends_a_policy_that_loops_and_leaves_nothing_behind(
    module: str, tmp_path: Path
) -> None:
    """Also where the policy would never return: its prints say when it was asked."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    command = [
        sys.executable,
        "-m",
        "arena",
        "evaluate",
        f"{module}:loops",
        "nope",
        "python-random",
    ]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )
    assert process.stderr is not None
    # Warnings about this machine may come before.
    while process.stderr.readline() != "asked\n":
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == INTERRUPTED
    assert "no set is complete, so there is no Elo" in out
    assert err.endswith("stopped\n")
    assert list(temporary.iterdir()) == []


def test_ctrl_c_before_the_first_match_prints_the_document_too(module: str) -> None:
    """The notice about bots that dial in comes before sockets are opened and bots are built."""
    command = [sys.executable, "-m", "arena", "evaluate", f"{module}:first", "nope", "dial-in:fox"]
    with subprocess.Popen(
        [*command, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("fox ")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == INTERRUPTED
    found = json.loads(out)
    assert misfits(EVALUATION, found) == []
    assert (found["bots"], found["matches"], found["all_bots"]) == (["fox"], 0, None)
    assert err.endswith("stopped\n")
