"""The tutorial of docs/library.md: its examples, files and commands run, and its networks learn."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

DOCUMENT = Path(__file__).parents[2] / "docs" / "library.md"
FILE = re.compile(r"`(?P<name>[\w/.]+)`:\n\n```(?:python|toml)\n(?P<text>.*?)```", re.DOTALL)
EXAMPLE = re.compile(r"```python\n(.*?)```", re.DOTALL)
COMMANDS = re.compile(r"```sh\n(.*?)```", re.DOTALL)

# The commands of the document are for a shell in which arena is installed.
SHELL = """
set -e
python() { "$PYTHON" "$@"; }
arena() { "$PYTHON" -m arena "$@"; }
"""
# The training and the numbers of sets are a matter of minutes.
SHORT = {
    "python learn.py": "python -c 'import learn; learn.train(2, 4).save(\"weights.npz\")'",
    "--sets 200": "--sets 1 --json",
    "--sets 20": "--sets 1",
    "arena check learned": "arena check learned --step 13",
}
SHORT_FILES = {"sets = 300": "sets = 3"}


@pytest.fixture
def tutorial() -> str:
    return DOCUMENT.read_text().partition("## Tutorial")[2].partition("\n## ")[0]


def changed(text: str, changes: Mapping[str, str]) -> str:
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def ran(tutorial: str, folder: Path, files: Mapping[str, str], commands: Mapping[str, str]) -> str:
    """Write the files of the tutorial, run its commands, and return what they print."""
    for name, text in FILE.findall(tutorial):
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(changed(text, {old: new for old, new in files.items() if old in text}))
    script = "\n".join(COMMANDS.findall(tutorial)).replace("mkdir learned", "")
    ended = subprocess.run(
        ["sh", "-c", SHELL + changed(script, commands)],
        cwd=folder,
        env={"PYTHON": sys.executable, "PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def documents(printed: str) -> list[dict[str, Any]]:
    """The JSON documents in what commands print."""
    decoder = json.JSONDecoder()
    found = []
    at = printed.find("{\n")
    while at >= 0:
        document, end = decoder.raw_decode(printed, at)
        found.append(document)
        at = printed.find("{\n", end)
    return found


def test_the_examples_run(tutorial: str) -> None:
    """Those that are no files of their own, and the file that they go on from."""
    names: dict[str, Any] = {}
    files = dict(FILE.findall(tutorial))
    examples = EXAMPLE.findall(tutorial)
    for example in examples:
        if example not in files.values() or example == files["learned/learn.py"]:
            exec(example, names)
    assert names["best"] in names["state"].legal_actions(names["seat"])
    net = names["train"](generations=2, matches=4)
    assert 0 <= names["beats"](net, 2, random.Random(1)) <= 1


def test_the_files_and_commands_of_the_tutorial_work_one_after_the_other(
    tutorial: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = ran(tutorial, tmp_path, SHORT_FILES, SHORT)
    first, second = documents(printed)
    for found in (first, second):
        assert (found["policy"], found["sets"], found["faults"]) == ("player:policy", 1, [])
        assert found["cpu"]["decisions"] > 20
    assert "learned from learned, python-high, python-random" in printed
    assert re.search(r"^learned +\d\.\d+ ", printed, re.MULTILINE)
    kept, league = (
        (tmp_path / "learned" / name).read_bytes() for name in ("from-self-play.npz", "weights.npz")
    )
    assert kept != league
    section = DOCUMENT.read_text().partition("## Exported decisions")[2].partition("\n## ")[0]
    (example,) = EXAMPLE.findall(section)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(example, names)
    assert 0 < len(names["actions"]) == len(names["observations"]) < len(names["mine"])


@pytest.mark.slow
def test_the_networks_are_as_strong_as_the_tutorial_says(tutorial: str, tmp_path: Path) -> None:
    """At least 60 % of 400 matches against python-high by self-play, where play by lot has some
    30 %; and 57 % against python-random by what a league played.

    They were 66 % ±4 each when this was written. Sums of numpy may differ in their last bits from
    machine to machine, and so may the networks.
    """
    last = "arena evaluate player:policy nyet python-high -o rounds=1 --sets 200"
    assert tutorial.count(last) == 2
    head, _, tail = tutorial.rpartition(last)
    by_league = f"{head}{last.replace('python-high', 'python-random')}{tail}"
    printed = ran(by_league, tmp_path, {}, {"--sets 200": "--sets 200 --seed 5 --json"})
    by_self_play, from_league = documents(printed)
    assert by_self_play["all_bots"]["ahead"] >= 0.6
    assert from_league["all_bots"]["ahead"] >= 0.57
