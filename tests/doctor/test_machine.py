"""Facts about the machine, on machines that are written down."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import arena.data
from arena.doctor.cgroups import how_to_get, mounted
from arena.doctor.machine import QUICK_CLOCKS, clock_source, facts, kind_of
from arena.doctor.sample_needs import NEEDS
from arena.doctor.toolchains import SampleBot, hidden, packages, to_read

MOUNTS = """\
23 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
24 23 0:5 / /tmp rw,nosuid - tmpfs tmpfs rw,size=1g
25 23 0:6 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
26 23 0:7 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
27 23 0:8 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
"""


@pytest.fixture
def mounts(tmp_path: Path) -> Path:
    file = tmp_path / "mountinfo"
    file.write_text(MOUNTS)
    return file


def test_every_fact_is_told_here() -> None:
    found = facts()
    assert len({fact.name for fact in found}) == len(found)
    assert all(fact.value for fact in found)


def test_a_folder_is_on_the_innermost_file_system_that_is_mounted_above_it(mounts: Path) -> None:
    assert kind_of(Path("/tmp/arena"), mounts) == "tmpfs"
    assert kind_of(Path("/tmpfile"), mounts) == "ext4"


@pytest.mark.parametrize("name", QUICK_CLOCKS)
def test_a_quick_clock_needs_no_advice(name: str, tmp_path: Path) -> None:
    (tmp_path / "clock").write_text(f"{name}\n")
    assert clock_source(tmp_path / "clock").advice == ""


def test_a_slow_clock_is_told_with_what_it_costs(tmp_path: Path) -> None:
    (tmp_path / "clock").write_text("hpet\n")
    assert "slow to read" in clock_source(tmp_path / "clock").advice
    assert clock_source(tmp_path / "missing").value == "not told here"


def test_the_tree_of_a_controller_is_found_among_the_mounts(mounts: Path) -> None:
    assert mounted("memory", mounts) == Path("/sys/fs/cgroup/memory")
    assert mounted("cpu", mounts) == Path("/sys/fs/cgroup/cpu,cpuacct")
    assert mounted("pids", mounts) is None


def test_an_ordinary_user_is_told_the_command_for_groups_and_root_that_there_is_none(
    mounts: Path,
) -> None:
    command = how_to_get(("memory", "cpu"), 1000, mounts).splitlines()[1]
    assert command.startswith(
        "for g in /sys/fs/cgroup/memory /sys/fs/cgroup/cpu,cpuacct; do echo 1"
    )
    assert "even by root" in how_to_get(("memory",), 0, mounts)
    assert "Version 2" in how_to_get(("pids",), 1000, mounts)


def test_what_each_sample_bot_with_a_build_needs_is_known() -> None:
    built = {
        file.parent.name
        for file in arena.data.sample_bots().glob("*/bot.toml")
        if "build" in tomllib.loads(file.read_text())
    }
    assert NEEDS.keys() == built


def test_a_need_is_a_program_or_a_header_of_the_system() -> None:
    for needs in NEEDS.values():
        for need in needs:
            is_header = need.startswith("/usr/include/") and need.endswith((".h", ".hpp"))
            assert is_header or need.replace("+", "").isalpha(), need


def test_missing_packages_are_told_once() -> None:
    bots = [SampleBot("one", {"npm": "npm", "node": "nodejs"}), SampleBot("two", {"npm": "npm"})]
    assert packages(bots) == ["nodejs", "npm"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for program in (".cargo/bin/cargo", ".rustup/toolchains/cargo", "seen/node"):
        file = tmp_path / program
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
        file.chmod(0o755)
    return tmp_path


def test_a_program_in_a_home_folder_is_told_with_all_folders_that_it_reads(home: Path) -> None:
    env = {"HOME": str(home), "PATH": f"{home}/.cargo/bin:{home}/seen"}
    found = hidden((), env, system=[home / "seen"])
    assert [tool.program for tool in found] == ["cargo"]
    assert to_read(found) == (home / ".cargo" / "bin", home / ".rustup")
    elsewhere = hidden((), {**env, "RUSTUP_HOME": str(home / "seen")}, system=[home / "seen"])
    assert to_read(elsewhere) == (home / ".cargo" / "bin", home / "seen")


def test_what_bots_may_read_already_is_not_hidden(home: Path) -> None:
    env = {"HOME": str(home), "PATH": f"{home}/.cargo/bin"}
    assert hidden((home / ".cargo",), env, system=[]) == []
