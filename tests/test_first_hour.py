"""docs/first-hour.md cannot lie: its files are written and its commands run, in its order.

How the document is read:

- a name in backticks and a colon, alone on a line: the fenced block below it is that file;
- a block `sh`: commands for one shell. `sh install` is tried by a test of its own, which fetches
  nothing;
- a block `text`: lines that the commands before it print, in this order, others between them.
  `…` stands for anything. In `text varies` numbers may differ, because bots draw lots there.
"""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENT = (ROOT / "docs" / "first-hour.md").read_text()
README = (ROOT / "README.md").read_text()

BLOCK = re.compile(r"(?:^`([\w./-]+)`:\n\n)?^```([a-z ]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"\d[\d,.]*")
MOST_SECONDS = 300  # for one block of commands, on a machine that does much else


@dataclass(frozen=True)
class Block:
    """A fenced block. `file`: the name above it, if it is a file."""

    file: str
    kind: str
    text: str


BLOCKS = [Block(*found) for found in BLOCK.findall(DOCUMENT)]


def pattern(line: str, *, varies: bool) -> re.Pattern[str]:
    """What a printed line must match, blanks at both ends left out."""

    def literal(part: str) -> str:
        if not varies:
            return re.escape(part)
        return NUMBER.pattern.join(map(re.escape, NUMBER.split(part)))

    return re.compile(".*".join(map(literal, line.strip().split("…"))))


def missing(shown: str, printed: str, *, varies: bool) -> list[str]:
    """Return the shown lines that were not printed, or not in this order."""
    lines = iter(line.strip() for line in printed.splitlines())
    return [
        line
        for line in shown.splitlines()
        if not any(pattern(line, varies=varies).fullmatch(each) for each in lines)
    ]


def shell(commands: str, folder: Path) -> str:
    """Run commands in one shell, with a home folder of its own; return what they print."""
    scripts = sysconfig.get_path("scripts")
    environment = {
        **os.environ,
        "HOME": str(folder),
        "PATH": f"{scripts}:{os.environ['PATH']}",
    }
    ran = subprocess.run(
        ["bash", "-ec", commands],
        cwd=folder / "bots" if (folder / "bots").is_dir() else folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=MOST_SECONDS,
        check=False,
    )
    assert ran.returncode == 0, f"{commands}\n{ran.stdout}"
    return ran.stdout


@pytest.mark.slow
def test_a_reader_who_types_all_of_it_gets_what_it_shows(tmp_path: Path) -> None:
    printed = ""
    for block in BLOCKS:
        if block.file:
            (tmp_path / "bots" / block.file).write_text(block.text)
        elif block.kind == "sh":
            printed = shell(block.text, tmp_path)
        elif block.kind.startswith("text"):
            varies = block.kind == "text varies"
            assert missing(block.text, printed, varies=varies) == [], printed


def test_every_block_is_a_file_or_commands_or_their_output() -> None:
    """A block that the tests do not know would be shown and never tried."""
    kinds = {block.kind for block in BLOCKS if not block.file}
    assert kinds == {"sh install", "sh", "text", "text varies"}
    assert {block.file for block in BLOCKS if block.file} == {
        "fox/bot.toml",
        "fox/decide.py",
        "cup.toml",
    }
    assert len(BLOCKS) == DOCUMENT.count("\n```") // 2


@pytest.mark.parametrize(
    ("shown", "printed", "varies", "lacks"),
    [
        ("a\nb", "a\nx\n  b", False, []),
        ("a\nb", "b\na", False, ["b"]),
        ("seat 1: 12 points", "seat 1: 13 points", False, ["seat 1: 12 points"]),
        ("seat 1: 1.5 points", "seat 0: 13 points", True, []),
        ("seat 1: 12 points", "seat 1: some points", True, ["seat 1: 12 points"]),
        ("1 … 2 (a+b)", "1 or 2 (a+b)", False, []),
        ("1 … 2 (a+b)", "1 or 2 (ab)", True, ["1 … 2 (a+b)"]),
    ],
)
def test_what_is_shown_is_looked_for_in_order_with_its_gaps(
    shown: str, printed: str, varies: bool, lacks: list[str]
) -> None:
    assert missing(shown, printed, varies=varies) == lacks


@pytest.mark.slow
def test_the_first_commands_enter_an_environment_in_which_pip_may_install(tmp_path: Path) -> None:
    """Outside of one Debian's pip refuses (PEP 668). Nothing is installed here."""
    (install,) = (block.text for block in BLOCKS if block.kind == "sh install")
    *_, last = install.splitlines()
    assert last == "pip install ."
    said = shell(install.replace(last, "command -v pip && pip --version"), tmp_path)
    command, version = said.splitlines()[-2:]
    assert command == str(tmp_path / "arena-env" / "bin" / "pip")
    assert str(tmp_path / "arena-env") in version


def test_the_readme_says_the_same_where_pip_refuses() -> None:
    (install,) = (block.text for block in BLOCKS if block.kind == "sh install")
    enter = "".join(install.splitlines(keepends=True)[:-1])
    assert enter in README
    assert "externally-managed-environment" in README
