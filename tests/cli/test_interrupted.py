"""Ctrl-C, however early: a word and an exit code, and no trace of Python."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.exits import INTERRUPTED, TERMINATED
from tests.audit.honest import Honest, honest

# Ctrl-C comes when a module is asked for.
PROGRAM = """
import os, signal, sys

class Ctrl:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

# Whoever runs the tests in the background has it switched off.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Ctrl)
from arena.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("click", "--help"),
        ("arena.cli.match", "match nope python-random python-bare"),
        ("trio", "league"),
        ("numpy", "table LEAGUE"),
        ("arena.outputs.pages", "publish LEAGUE --to PUBLIC"),
        ("arena.audit.league", "verify LEAGUE"),
    ],
)
def test_ctrl_c_ends_a_command_in_a_word_while_it_is_loaded(
    module: str, command: str, tmp_path: Path
) -> None:
    words = command.replace("PUBLIC", str(tmp_path / "public"))
    if "LEAGUE" in words:
        words = words.replace("LEAGUE", str(honest(tmp_path, Honest(sets=1))))
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(module=module), *words.split()],
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (INTERRUPTED, "", "stopped\n")


# Ctrl-C comes while a class of a module is made.
PART = """
class Part:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGINT)

class Ctrl:
"""
IN_A_CLASS = PROGRAM.replace(
    "os.kill(os.getpid(), signal.SIGINT)", "type('Made', (), {{'part': Part()}})"
).replace("class Ctrl:\n", PART.lstrip())


@pytest.mark.parametrize("module", ["click", "rich.console"])
def test_ctrl_c_ends_a_command_in_a_word_while_a_class_is_made(module: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", IN_A_CLASS.format(module=module), "match", "nope"],
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (INTERRUPTED, "", "stopped\n")


# The signal comes when workers have begun to replay, as they do in a long league.
WITH_WORKERS = """
import os, signal
from arena.audit import league, replays

in_order = replays.Replays.in_order

def interrupted(self, sets):
    for each in in_order(self, sets):
        os.kill(os.getpid(), {signal})
        yield each

signal.signal(signal.SIGINT, signal.default_int_handler)
replays.Replays.in_order = interrupted
league.processes_for = lambda matches: 2
from arena.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, INTERRUPTED), (signal.SIGTERM, TERMINATED)]
)
def test_a_signal_ends_an_audit_with_its_workers_in_a_word(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    league = str(honest(tmp_path, Honest(sets=4)))
    ran = subprocess.run(
        [sys.executable, "-c", WITH_WORKERS.format(signal=int(number)), "verify", league],
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (code, "", "stopped\n")


def test_the_package_is_the_command() -> None:
    command = [sys.executable, "-m", "arena", "--version"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("arena, version ")
