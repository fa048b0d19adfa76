"""Processes of tests told apart from all others on the machine."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.bots.programs import Family, processes_called

SCRIPT = "echo ready; read line"  # ends with its input


@contextmanager
def shell(word: str | bytes) -> Iterator[int]:
    """The number of a shell that runs, with this word in its command."""
    pipe = subprocess.PIPE
    with subprocess.Popen(["/bin/sh", "-c", SCRIPT, word], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield process.pid


def test_a_process_is_found_by_its_command_beside_one_whose_command_is_no_text() -> None:
    mark = Family().name
    with shell(b"\xff"), shell(mark) as pid:
        assert processes_called(f"/bin/sh -c {SCRIPT} {mark}") == {pid}
    assert processes_called(f"/bin/sh -c {SCRIPT} {mark}") == set()
