"""Each fact of a machine, on machines that are written down."""

from __future__ import annotations

import os
import resource
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.bots.confine.controllers import Controllers
from arena.bots.confine.filters import Filter, NoFilters
from arena.doctor import machine, toolchains
from arena.doctor.cgroups import in_words, missing
from arena.doctor.machine import Fact, kind_of
from arena.doctor.sample_needs import NEEDS, is_here
from arena.referee.door.descriptors import KEPT
from arena.referee.door.folder import LONGEST

ALONE = "With one core a bot that thinks takes time from the referee."


@pytest.mark.parametrize(
    ("usable", "there", "fact"),
    [
        (4, 4, Fact("cores", "4")),
        (2, 8, Fact("cores", "2 of 8")),
        (1, 8, Fact("cores", "1 of 8", ALONE)),
        (1, None, Fact("cores", "1", ALONE)),
    ],
)
def test_cores(usable: int, there: int | None, fact: Fact, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {*range(usable)} if pid == 0 else {})
    monkeypatch.setattr("os.cpu_count", lambda: there)
    assert machine.cores() == fact


@pytest.mark.parametrize(
    ("gives", "uid", "value"),
    [
        (True, 0, "root: each bot becomes a user of its own (bubblewrap)"),
        (False, 0, "root, without the rights to give each bot a user of its own"),
        (False, 7, "an ordinary user, number 7"),
    ],
)
def test_the_user(gives: bool, uid: int, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "gives_users", lambda: gives)
    monkeypatch.setattr("os.geteuid", lambda: uid)
    assert machine.user() == Fact("user", value)


def test_a_slow_clock_is_told_with_two_quick_ones(tmp_path: Path) -> None:
    (tmp_path / "clock").write_text("hpet\n")
    assert machine.clock_source(tmp_path / "clock") == Fact(
        "clock source",
        "hpet",
        "hpet is slow to read, which every decision pays for; tsc, kvm-clock are quick.",
    )


ADVICE = ": ulimit -Hn 4096, as root, or `nofile` in limits.conf."


@pytest.mark.parametrize(
    ("hard", "few", "advice"),
    [
        (4096, False, ""),
        (4095, False, f"Many matches at once need more{ADVICE}"),
        (100, True, f"A referee needs {KEPT}{ADVICE}"),
    ],
)
def test_open_files(hard: int, few: bool, advice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {resource.RLIMIT_NOFILE: (50, hard)}
    monkeypatch.setattr("resource.getrlimit", lambda number: limits[number])
    monkeypatch.setattr(machine, "too_few", lambda number: number == hard and few)
    assert machine.open_files() == Fact("open files", f"{hard} (hard limit)", advice)


@pytest.mark.parametrize(("free", "is_little"), [(2 << 30, False), ((2 << 30) - 1, True)])
def test_the_temporary_folder(
    free: int, is_little: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    monkeypatch.setattr(machine, "kind_of", lambda folder: "tmpfs" if folder == tmp_path else "")
    little = "Copies and builds of bots lie there; set TMPDIR to a folder with more space."
    value = f"{tmp_path}: tmpfs, 2.0 GB free"
    assert machine.temporary_folder() == Fact("temporary", value, little * is_little)


@pytest.mark.parametrize("over", [0, 1])
def test_the_path_of_a_socket(over: int, monkeypatch: pytest.MonkeyPatch) -> None:
    size = 107 + over
    folder = "/" + "t" * (size - len(f"/arena-12345678/{LONGEST}") - 1)
    monkeypatch.setattr("tempfile.tempdir", folder)
    value = f"{size} bytes of at most 107"
    long = ": sockets get a folder in /tmp instead" if size > 107 else ""
    assert machine.socket_path() == Fact("socket path", value + long)


def test_the_innermost_mount_counts_and_of_two_at_one_place_the_later(tmp_path: Path) -> None:
    file = tmp_path / "mounts"
    file.write_text(
        "1 1 8:1 / / rw - ext4 x rw\n2 1 0:1 / /a rw - tmpfs x rw\n3 1 0:2 / /a rw - xfs x rw\n"
    )
    assert [kind_of(Path(path), file) for path in ("/a/b", "/a", "/b")] == ["xfs", "xfs", "ext4"]
    file.write_text("1 1 0:1 / /a rw - tmpfs x rw\n2 1 8:1 / / rw - ext4 x rw\n")
    assert kind_of(Path("/a/b"), file) == "tmpfs"
    file.write_text("")
    assert kind_of(Path("/a"), file) == "unknown"


@pytest.mark.parametrize(
    ("controllers", "words", "lacking"),
    [
        (Controllers(), "none", ("memory", "pids", "cpu", "cpuset")),
        (Controllers({"pids": Path("/g")}), "pids (version 1)", ("memory", "cpu", "cpuset")),
        (
            Controllers({"cpu": Path("/g"), "memory": Path("/g")}, is_unified=True),
            "memory, cpu (version 2)",
            ("pids", "cpuset"),
        ),
        (
            Controllers(dict.fromkeys(("cpuset", "cpu", "memory", "pids"), Path("/g"))),
            "memory, pids, cpu, cpuset (version 1)",
            (),
        ),
    ],
)
def test_control_groups(
    controllers: Controllers,
    words: str,
    lacking: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert (in_words(controllers), missing(controllers)) == (words, lacking)
    monkeypatch.setattr(machine, "find_controllers", lambda: controllers)
    monkeypatch.setattr(
        "arena.doctor.cgroups.how_to_get", lambda names, uid: f"get {names} for {uid}"
    )
    advice = f"get {lacking} for {os.geteuid()}" if lacking else ""
    assert machine.control_groups() == Fact("control groups", words, advice)


@pytest.mark.parametrize(
    ("program", "gives", "fact"),
    [
        ("", False, Fact("user namespaces", "work")),
        (
            "import sys; print('first', file=sys.stderr); sys.exit('no room')",
            False,
            Fact("user namespaces", "do not work: no room", "a remedy"),
        ),
        (
            "import sys; sys.exit(1)",
            True,
            Fact("user namespaces", "do not work: unknown (root needs none)"),
        ),
    ],
)
def test_user_namespaces(
    program: str, gives: bool, fact: Fact, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "_USER_NAMESPACE", program)
    monkeypatch.setattr(machine, "gives_users", lambda: gives)
    monkeypatch.setattr(machine, "namespaces_remedy", lambda: "a remedy")
    assert machine.user_namespaces() == fact


NEEDED = "The second way to confine bots needs ABI 6 (Linux 6.12)."


@pytest.mark.parametrize(
    ("abi", "fact"),
    [
        (7, Fact("Landlock", "ABI 7")),
        (6, Fact("Landlock", "ABI 6")),
        (5, Fact("Landlock", "ABI 5", NEEDED)),
        (0, Fact("Landlock", "not in this kernel, or switched off", NEEDED)),
    ],
)
def test_landlock(abi: int, fact: Fact, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.bots.warden.landlock.abi", lambda: abi)
    assert machine.landlock_abi() == fact


def test_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = Fact("bubblewrap", "not installed", "Try: apt install bubblewrap.")
    assert machine.bubblewrap() == missing
    file = tmp_path / "bwrap"
    file.write_text('#!/bin/sh\ntest "$*" = --version && echo bubblewrap 0.11.0\n')
    file.chmod(0o755)
    assert machine.bubblewrap() == Fact("bubblewrap", f"0.11.0 ({file})")


def test_libseccomp(monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.libseccomp() == Fact("libseccomp", "found")

    def none(kind: Filter) -> bytes:
        raise NoFilters("no library")

    monkeypatch.setattr(machine, "program", none)
    advice = "Try: apt install libseccomp2."
    assert machine.libseccomp() == Fact("libseccomp", "not installed", advice)


def test_facts_are_told_in_this_order() -> None:
    assert [fact.name for fact in machine.facts()] == [
        *("user", "cores", "clock source", "open files", "temporary", "socket path"),
        *("bubblewrap", "user namespaces", "Landlock", "libseccomp", "control groups"),
    ]


def test_each_sample_bot_is_told_with_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.doctor.sample_needs.is_here", lambda need: need != "node")
    lacks = {bot.name: dict(bot.lacks) for bot in toolchains.sample_bots()}
    both = ("javascript-random", "typescript-random")
    assert lacks == {name: {"node": "nodejs"} if name in both else {} for name in NEEDS}


def test_a_need_is_a_file_or_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tool").touch()
    (tmp_path / "tool").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = [is_here(need) for need in ("tool", "no-tool", f"{tmp_path}/tool", "/no/such")]
    assert found == [True, False, True, False]
