"""The control groups that are found, and the settings that bound a bot with them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.bots.confine.controllers import Controllers, find_controllers
from arena.bots.confine.limits import Limits

OLD = {name: f"{name} /sys/fs/cgroup/{name} cgroup rw,{name}" for name in ("memory", "pids", "cpu")}
NEW = "unified /sys/fs/cgroup/unified cgroup2 rw,nsdelegate"
LIMITS = Limits(memory_mb=64, processes=10, cores=2)


def machine(root: Path, mounts: list[str], groups: list[str]) -> Path:
    """Make a file system with these mounts, told as "NAME POINT KIND OPTIONS", and own groups."""
    rows = ["23 1 8:1 / / rw,relatime - ext4 /dev/sda rw"]
    for mount in mounts:
        name, point, kind, options = mount.split()
        rows.append(f"32 31 0:29 / {point} rw,nosuid - {kind} {name} {options}")
        (root / point.replace("\\040", " ").lstrip("/")).mkdir(parents=True, exist_ok=True)
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/mountinfo").write_text("".join(f"{row}\n" for row in rows))
    (root / "proc/self/cgroup").write_text("".join(f"{group}\n" for group in groups))
    return root


def grouped(root: Path, controllers: str, own: str = "user/ada") -> Path:
    """Make the group of version 2 that this process is in; return its folder."""
    folder = root / "sys/fs/cgroup/unified" / own
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cgroup.subtree_control").write_text(f"{controllers}\n")
    return folder


def test_a_machine_that_tells_no_mounts_has_no_controllers(tmp_path: Path) -> None:
    assert find_controllers(tmp_path) == Controllers()


def test_each_controller_of_version_1_is_found_below_this_process_own_group(
    tmp_path: Path,
) -> None:
    machine(tmp_path, [*OLD.values()], ["8:pids:/", "4:memory:/user/ada", "2:cpu,cpuacct:/"])
    own = tmp_path / "sys/fs/cgroup/memory/user/ada"
    own.mkdir(parents=True)
    top = tmp_path / "sys/fs/cgroup"
    found = find_controllers(tmp_path)
    assert found.folders == {"memory": own, "pids": top / "pids", "cpu": top / "cpu"}
    assert not found.is_unified
    assert [*own.iterdir()] == []  # the trial is gone again


def test_what_is_enabled_for_groups_below_is_found_in_version_2(tmp_path: Path) -> None:
    machine(tmp_path, [NEW], ["0::/user/ada"])
    folder = grouped(tmp_path, "cpuset cpu memory")
    found = find_controllers(tmp_path)
    assert found.folders == {"memory": folder, "cpu": folder, "cpuset": folder}
    assert found.names == ("memory", "cpu", "cpuset")
    assert found.is_unified


@pytest.mark.parametrize("groups", [[], ["4:memory:/user/ada"]])
def test_a_tree_in_which_this_process_has_no_group_is_passed_over(
    tmp_path: Path, groups: list[str]
) -> None:
    machine(tmp_path, [NEW], groups)
    grouped(tmp_path, "memory pids cpu")
    assert find_controllers(tmp_path) == Controllers()


def test_with_both_versions_the_one_that_has_controllers_is_used(tmp_path: Path) -> None:
    machine(tmp_path, [OLD["pids"], NEW], ["8:pids:/", "0::/"])
    grouped(tmp_path, "", own="")
    assert find_controllers(tmp_path) == Controllers(
        {"pids": tmp_path / "sys/fs/cgroup/pids"}, is_unified=False
    )


def test_a_group_below_which_none_can_be_made_is_no_controller(tmp_path: Path) -> None:
    machine(tmp_path, [OLD["pids"], NEW], ["8:pids:/gone", "0::/user/ada"])
    folder = grouped(tmp_path, "memory")
    assert find_controllers(tmp_path) == Controllers({"memory": folder}, is_unified=True)


def test_blanks_in_the_path_of_a_mount_are_read(tmp_path: Path) -> None:
    machine(tmp_path, ["pids /my\\040groups/pids cgroup rw,pids"], ["8:pids:/"])
    assert find_controllers(tmp_path).folders == {"pids": tmp_path / "my groups/pids"}


def test_a_bot_has_one_group_in_version_2_with_all_its_settings_and_gauges() -> None:
    found = Controllers(dict.fromkeys(("memory", "pids", "cpu"), Path("/groups")), is_unified=True)
    ((folder, settings, gauges),) = found.of("arena/3", LIMITS)
    assert folder == "/groups/arena/3"
    assert settings == (
        ("../cgroup.subtree_control", "+memory +pids +cpu"),
        ("memory.max", "67108864"),
        ("pids.max", "10"),
        ("cpu.max", "20000 10000"),
    )
    assert gauges == (("memory.events", "oom_kill", "memory"), ("pids.events", "max", "processes"))


def test_a_bot_has_a_group_of_each_controller_in_version_1() -> None:
    found = Controllers({"memory": Path("/memory"), "pids": Path("/pids"), "cpu": Path("/cpu")})
    assert found.of("arena/3", LIMITS) == (
        (
            "/memory/arena/3",
            (("memory.limit_in_bytes", "67108864"),),
            (("memory.oom_control", "oom_kill", "memory"),),
        ),
        ("/pids/arena/3", (("pids.max", "10"),), (("pids.events", "max", "processes"),)),
        ("/cpu/arena/3", (("cpu.cfs_period_us", "10000"), ("cpu.cfs_quota_us", "20000")), ()),
    )


def test_a_bots_processors_are_those_of_this_process() -> None:
    """Version 1 must be told them for each group, with its memory nodes; version 2 need not."""
    folders = {"cpu": Path("/cpu"), "cpuset": Path("/cpuset")}
    found = Controllers(folders, nodes="0-1", processors=(2, 3, 7))
    _, (folder, settings, gauges) = found.of("arena/3", LIMITS)
    assert folder == "/cpuset/arena/3"
    assert settings == (
        ("../cpuset.cpus", "2,3,7"),
        ("../cpuset.mems", "0-1"),
        ("cpuset.cpus", "2,3,7"),
        ("cpuset.mems", "0-1"),
    )
    assert gauges == ()
    (only,) = Controllers(
        dict.fromkeys(folders, Path("/groups")), is_unified=True, processors=(2, 3, 7)
    ).of("arena/3", LIMITS)
    assert only[1] == (
        ("../cgroup.subtree_control", "+cpu +cpuset"),
        ("cpu.max", "20000 10000"),
        ("cpuset.cpus", "2,3,7"),
    )
    assert Controllers().processors == tuple(sorted(os.sched_getaffinity(0)))


def test_a_bot_is_kept_together_by_the_count_of_one_group_and_the_processors_of_another() -> None:
    found = Controllers({"cpu": Path("/cpu"), "cpuset": Path("/cpuset")}, nodes="0")
    assert found.spread("arena/3", LIMITS) == (
        "/cpu/arena/3/cpu.stat",
        "/cpuset/arena/3/cpuset.cpus",
        2,
    )
    for name in ("cpu", "cpuset"):
        assert Controllers({name: Path("/groups")}).spread("arena/3", LIMITS) is None


@pytest.mark.parametrize(("nodes", "names"), [("0-3\n", ("pids", "cpuset")), ("\n", ("pids",))])
def test_a_cpuset_of_version_1_is_used_where_this_process_has_memory_nodes(
    tmp_path: Path, nodes: str, names: tuple[str, ...]
) -> None:
    cpuset = "cpuset /sys/fs/cgroup/cpuset cgroup rw,cpuset"
    machine(tmp_path, [OLD["pids"], cpuset], ["8:pids:/", "3:cpuset:/"])
    (tmp_path / "sys/fs/cgroup/cpuset/cpuset.mems").write_text(nodes)
    found = find_controllers(tmp_path)
    assert found.names == names
    assert found.nodes == nodes.strip()


def test_without_limits_a_group_only_holds_the_processes_of_a_bot_together() -> None:
    found = Controllers({"memory": Path("/memory"), "pids": Path("/pids")})
    assert found.of("arena/3", None) == (("/pids/arena/3", (), ()),)
