"""`arena match` with bots that print: shown, kept, told of, or none of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.bots.warden.outputs import SHOWN_BYTES
from arena.cli import main

QUICK = ("-o", "max_turns=6", "--seed", "1")

FIRST = """\
import sys
from protocol import run

def decide(request):
    return request['legal'][0]

run(decide)
"""
CHAT = """\
    print('hoo \\x1b[31m', file=sys.stderr)
    print('hee')
    sys.stdout.flush()
"""


@pytest.fixture
def chatty(tmp_path: Path) -> str:
    """A bot that prints a line to each output for each decision."""
    return a_bot(tmp_path / "chatty", FIRST.replace("    return", f"{CHAT}    return"))


def a_bot(folder: Path, source: str) -> str:
    folder.mkdir()
    (folder / "bot.py").write_text(source)
    (folder / "bot.toml").write_text(
        f'name = "{folder.name}"\ncommand = ["{{python}}", "bot.py"]\ngames = "any"\n'
    )
    return str(folder)


def match(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["match", "nope", *arguments])


def test_each_line_of_every_bot_is_printed_with_its_name_and_copies_are_told_apart(
    chatty: str,
) -> None:
    ran = match(chatty, chatty, *QUICK, "--stderr")
    assert ran.exit_code == 0
    lines = ran.stderr.splitlines()
    assert {*lines} == {
        "chatty: hoo \ufffd[31m",
        "chatty (stdout): hee",
        "chatty-2: hoo \ufffd[31m",
        "chatty-2 (stdout): hee",
    }
    assert "place 1: seat " in ran.stdout
    assert "chatty: " not in ran.stdout


def test_a_match_whose_bots_printed_something_says_how_to_see_it(chatty: str) -> None:
    ran = match(chatty, "python-random", *QUICK)
    (line,) = ran.stderr.splitlines()
    assert line.startswith("chatty printed ")
    assert line.endswith(" bytes: --stderr shows them as they come, --logs FOLDER keeps them")
    assert match("python-random", "python-random", *QUICK).stderr == ""


def test_output_is_kept_in_a_folder_of_each_bot_and_the_match_says_where(
    chatty: str, tmp_path: Path
) -> None:
    logs = tmp_path / "some" / "logs"
    ran = match(chatty, chatty, *QUICK, "--logs", str(logs))
    assert ran.exit_code == 0
    for name in ("chatty", "chatty-2"):
        files = {stream: logs / name / f"{stream}.txt" for stream in ("stderr", "stdout")}
        assert {*files["stdout"].read_text().splitlines()} == {"hee"}
        assert {*files["stderr"].read_text().splitlines()} == {"hoo \x1b[31m"}
        size = sum(file.stat().st_size for file in files.values())
        told = f"{name} printed {size:,} bytes: {files['stderr']} and {files['stdout']}"
        assert told in ran.stderr.splitlines()


def test_files_of_a_match_before_are_not_mixed_with_those_of_this_one(
    chatty: str, tmp_path: Path
) -> None:
    kept = []
    for _ in range(2):
        assert (
            match(chatty, "python-random", *QUICK, "--logs", str(tmp_path / "logs")).exit_code == 0
        )
        kept.append((tmp_path / "logs" / "chatty" / "stdout.txt").read_text())
        (tmp_path / "logs" / "chatty" / "stderr.1.txt").write_text("of another match")
    assert kept[0].count("hee") < 20
    assert kept[1].count("hee") < 20
    ran = match("python-random", chatty, *QUICK, "--logs", str(tmp_path / "logs"))
    assert "stderr.1.txt" not in ran.stderr


def test_all_processes_of_a_bot_write_to_its_files(chatty: str, tmp_path: Path) -> None:
    ran = match(chatty, "python-random", "--sets", "2", *QUICK, "--logs", str(tmp_path / "logs"))
    size = sum(file.stat().st_size for file in (tmp_path / "logs" / "chatty").iterdir())
    assert f"chatty printed {size:,} bytes: " in ran.stderr


def test_a_folder_that_cannot_be_made_is_refused_before_anything_is_played(
    chatty: str, tmp_path: Path
) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "chatty").write_text("a file")
    ran = match(chatty, "python-random", *QUICK, "--logs", str(tmp_path / "logs"))
    assert ran.exit_code == 2
    said = " ".join(ran.stderr.split())
    assert (
        f"{tmp_path / 'logs' / 'chatty'} cannot be made or emptied: File exists. Name a folder"
        in said
    )
    assert ran.stdout == ""


def test_a_file_in_the_place_of_the_folder_is_refused_as_an_argument(
    chatty: str, tmp_path: Path
) -> None:
    (tmp_path / "logs").write_text("a file")
    ran = match(chatty, "python-random", *QUICK, "--logs", str(tmp_path / "logs"))
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "is a file" in " ".join(ran.stderr.split())


def test_quiet_prints_only_the_result(chatty: str) -> None:
    ran = match(chatty, "python-random", *QUICK, "--quiet")
    first, second, last = ran.stdout.splitlines()
    assert first.startswith("place 1: seat ")
    assert second.startswith(("place 1: seat ", "place 2: seat "))
    assert re.fullmatch(r"\d+ moves; ending: (last|turns)", last)
    assert ran.stderr == ""


def test_quiet_prints_the_table_of_sets_and_no_progress(chatty: str) -> None:
    ran = match(chatty, "python-random", "--sets", "2", *QUICK, "--quiet")
    assert "2 sets of 2 matches" in ran.stdout
    assert "set 1 of 2" not in ran.stdout
    assert ran.stderr == ""


def test_quiet_and_stderr_contradict_each_other() -> None:
    ran = match("python-random", "python-random", "--quiet", "--stderr")
    assert ran.exit_code == 2
    assert "--quiet prints only the result, and --stderr more: take one" in ran.stderr


def test_a_document_stays_one_beside_lines_of_bots(chatty: str) -> None:
    ran = match(chatty, "python-random", *QUICK, "--json", "--stderr")
    json.loads(ran.stdout)
    assert "chatty (stdout): hee" in ran.stderr.splitlines()


def test_repeated_faults_of_a_bot_are_one_line_with_their_number(tmp_path: Path) -> None:
    bot = a_bot(tmp_path / "wrong", FIRST.replace("request['legal'][0]", "'nonsense'"))
    ran = match(bot, "python-random", "--seed", "1")
    faults = [line for line in ran.stdout.splitlines() if line.startswith("wrong ! ")]
    assert len(faults) == 1
    assert faults[0].endswith(" (3 times in this match)")
    ran = match(bot, "python-random", "--seed", "1", "--sets", "2")
    assert ran.stdout.count("wrong ! ") == 1
    assert "wrong: illegal (not-legal) 12 times, in 4 matches" in ran.stdout.splitlines()


@pytest.mark.slow
def test_a_bot_that_floods_its_output_is_shown_a_bounded_part_of_it(tmp_path: Path) -> None:
    ours = "import os, threading\n\n\ndef flood():\n    while True:\n"
    ours += "        os.write(2, b'hoo' * 9999)\n\n\n"
    ours += "threading.Thread(target=flood, daemon=True).start()\n"
    bot = a_bot(tmp_path / "flood", FIRST.replace("run(", f"{ours}run("))
    ran = match(bot, "python-random", "--seed", "1", "--stderr", "-o", "max_turns=6")
    assert ran.exit_code == 0
    assert " bytes are left out here]" in ran.stderr
    # A second has room for so much; a short match of these takes few of them.
    assert len(ran.stderr) < 30 * SHOWN_BYTES
