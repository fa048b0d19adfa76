"""A confinement as rules of the kernel."""

from __future__ import annotations

import pytest

from arena.bots.confine.filters import Filter, program
from arena.bots.confine.kernel import paths, rules
from arena.bots.warden import landlock
from tests.bots.confine.bots import BOT, SYSTEM

WRITING = (
    landlock.WRITE_FILE | landlock.TRUNCATE | landlock.MAKE_REG | landlock.REMOVE_FILE
) | landlock.MAKE_DIR


def test_all_that_can_be_written_to_is_the_scratch_and_devices_that_keep_nothing() -> None:
    writable = {path for path, access in paths(BOT, SYSTEM) if access & WRITING}
    devices = {f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom")}
    assert writable == {"/var/arena/scratch"} | devices


def test_a_bot_reads_its_folder_the_system_its_interpreter_and_proc() -> None:
    readable = {path for path, access in paths(BOT, SYSTEM) if access & landlock.READ_DIR}
    assert readable == {
        "/usr",
        "/etc/ssl",
        "/home/ada/venv",
        "/var/arena/bots/fox",
        "/var/arena/scratch",
        "/proc",
    }


def test_nobody_makes_sockets_or_devices() -> None:
    making = landlock.MAKE_SOCK | landlock.MAKE_CHAR | landlock.MAKE_BLOCK
    assert not any(access & making for _, access in paths(BOT, SYSTEM))


@pytest.mark.parametrize(
    ("abi", "files", "tcp", "scopes"),
    [(1, 13, 0, 0), (2, 14, 0, 0), (3, 15, 0, 0), (4, 15, 2, 0), (5, 16, 2, 0), (6, 16, 2, 2)],
)
def test_every_right_that_an_abi_knows_is_handled(
    abi: int, files: int, tcp: int, scopes: int
) -> None:
    assert landlock.rights_of(abi) == ((1 << files) - 1, (1 << tcp) - 1, (1 << scopes) - 1)


def test_a_later_abi_is_used_as_far_as_it_is_known() -> None:
    assert landlock.rights_of(99) == landlock.rights_of(6)


def test_connect_is_handed_to_the_warden_by_the_last_filter() -> None:
    made = rules(BOT, SYSTEM, 6, memory_cgroup=False)
    assert made.filters == (program(Filter.REFUSE), program(Filter.SHARED))
    assert made.reach == (BOT.door,)


def test_the_scratch_is_made_for_one_process() -> None:
    assert rules(BOT, SYSTEM, 6, memory_cgroup=False).folders == ("/var/arena/scratch",)
