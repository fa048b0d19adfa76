"""The low priority of a process that leads its session, and of one that does not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.outputs.priority import AUTOGROUP

SHOW = """
import os, sys
from pathlib import Path
from arena.outputs.priority import lower_priority
lower_priority(3, *map(Path, sys.argv[1:]))
print(os.getpriority(os.PRIO_PROCESS, 0))
file = Path("/proc/self/autogroup")
print(file.read_text().split()[-1] if file.exists() else "")
"""


BACK = """
from pathlib import Path
from arena.outputs.priority import lower_priority, nice_session
lower_priority(3)
nice_session(0)
print(Path("/proc/self/autogroup").read_text().split()[-1])
"""

BUSY = """
from arena.outputs.priority import nice_session

class Busy:
    times = 0

    def write_text(self, text):
        self.times += 1
        if self.times < 3:
            raise BlockingIOError
        print(self.times, text)

nice_session(4, Busy())
"""

# A process that leads its session, and runs another in it.
BESIDE = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]], check=True)"


def lowered(*autogroup: str) -> list[str]:
    """The nice values of a process and of the session it leads, after it lowered its priority."""
    ran = subprocess.run(
        [sys.executable, "-c", SHOW, *autogroup],
        capture_output=True,
        text=True,
        check=True,
        start_new_session=True,
    )
    return ran.stdout.splitlines()


def nicer(steps: int) -> str:
    return str(min(19, os.getpriority(os.PRIO_PROCESS, 0) + steps))


@pytest.mark.skipif(not AUTOGROUP.exists(), reason="this kernel has no autogroups")
def test_the_session_that_it_leads_gets_the_nice_value() -> None:
    assert lowered() == [nicer(3), "3"]


@pytest.mark.skipif(not AUTOGROUP.exists(), reason="this kernel has no autogroups")
def test_a_session_can_be_given_its_priority_back_though_the_kernel_takes_one_value_at_a_time() -> (
    None
):
    ran = subprocess.run(
        [sys.executable, "-c", BACK],
        capture_output=True,
        text=True,
        check=True,
        start_new_session=True,
    )
    assert ran.stdout == "0\n"


def test_a_file_that_takes_no_value_yet_is_written_again() -> None:
    """As the kernel answers a process without privileges that wrote a value just before."""
    ran = subprocess.run(
        [sys.executable, "-c", BUSY],
        capture_output=True,
        text=True,
        check=True,
        start_new_session=True,
    )
    assert ran.stdout == "3 4\n"


@pytest.mark.skipif(not AUTOGROUP.exists(), reason="this kernel has no autogroups")
def test_the_session_of_somebody_else_keeps_its_own() -> None:
    # In a session made for this: the first of a machine has no autogroup, and its file is empty.
    ran = subprocess.run(
        [sys.executable, "-c", BESIDE, SHOW],
        capture_output=True,
        text=True,
        check=True,
        start_new_session=True,
    )
    assert ran.stdout.splitlines() == [nicer(3), "0"]


def test_the_value_is_written_as_the_kernel_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "autogroup"
    assert lowered(str(file))[0] == nicer(3)
    assert file.read_text() == "3"


@pytest.mark.parametrize("place", ["no/such/folder", "."])
def test_where_it_cannot_be_written_nothing_happens(tmp_path: Path, place: str) -> None:
    assert lowered(str(tmp_path / place))[0] == nicer(3)
