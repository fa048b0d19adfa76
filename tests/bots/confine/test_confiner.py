"""From a program to its whole launch on each rung, on a machine that is written down."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.confine import bubblewrap, kernel
from arena.bots.confine.confinement import Confinement, Rung
from arena.bots.confine.confiner import Confiner, Means, name_servers
from arena.bots.confine.controllers import Controllers
from arena.bots.confine.limits import BUILD_LIMITS, Limits
from arena.bots.confine.system import System
from arena.bots.launch import Launch
from arena.bots.program import Program
from arena.bots.refused import CannotStart
from arena.bots.warden.rules import Rules
from tests.bots.confine.bots import TOOLS

SYSTEM = System((Path("/usr"), Path("/bin")))
LIMITS = Limits(memory_mb=64, processes=10, scratch_mb=8, open_files=99, cores=2)
DOOR = "unix:/door/7"
PLACE = Path("/place")
OWN = {"ARENA_CONNECT": DOOR, "ARENA_TOKEN": "t"}
GROUPS = Controllers({"memory": Path("/groups"), "pids": Path("/groups")}, is_unified=True)


@pytest.fixture(autouse=True)
def operator(monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator's environment that is the same everywhere."""
    kept = {"PATH": "/usr/bin:/bin", "HOME": "/home/ada", "LANG": "C", "SECRET": "x"}
    for name in (*os.environ,):
        if name not in ("PYTEST_CURRENT_TEST",):
            monkeypatch.delenv(name)
    for name, value in kept.items():
        monkeypatch.setenv(name, value)


def means(rung: Rung, **more: object) -> Means:
    made = Means(rung, system=SYSTEM, tools=TOOLS, abi=6, controllers=GROUPS)
    made = replace(made, read=(Path("/venv"),), listed=(Path("/listed"),))
    return replace(made, **more)  # type: ignore[arg-type]


def program(folder: Path, **more: object) -> Program:
    fields = {"env": {"LEVEL": "3", "ARENA_TOKEN": "mine"}, "limits": LIMITS, "uid": 70_000}
    return Program("fox", ("/bin/sh", "bot.sh"), folder, **(fields | more))  # type: ignore[arg-type]


def seen(folder: Path, **more: object) -> Confinement:
    """The confinement that a bot in this folder has, but for its group."""
    made = Confinement(
        folder=folder,
        files=(folder,),
        scratch=PLACE / "scratch-1",
        door=DOOR,
        read=(Path("/venv"),),
        listed=(Path("/listed"),),
        env=(("LEVEL", "3"),),
        limits=LIMITS,
    )
    return replace(made, **more)  # type: ignore[arg-type]


def without_groups(launch: Launch) -> Launch:
    return replace(launch, rules=launch.rules.with_cgroups((), None))


@pytest.mark.parametrize("with_memory_group", [True, False])
@pytest.mark.parametrize("uids", [True, False])
def test_in_bubblewrap_only_the_bots_own_program_gets_what_its_author_chose(
    tmp_path: Path, *, uids: bool, with_memory_group: bool
) -> None:
    controllers = GROUPS if with_memory_group else Controllers({"pids": Path("/groups")})
    confiner = Confiner(means(Rung.BUBBLEWRAP, uids=uids, controllers=controllers), PLACE)
    logs = tmp_path / "logs"
    launch = confiner.launch(program(tmp_path, logs=logs), OWN, DOOR)
    bot = seen(tmp_path, uid=70_000 if uids else None)
    assert without_groups(launch) == Launch(
        "fox",
        ("/bin/sh", "bot.sh"),
        {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C", "TMPDIR": "/tmp"} | OWN,
        tmp_path,
        99,
        logs,
        bubblewrap.rules(bot, SYSTEM, TOOLS, memory_cgroup=with_memory_group),
        LIMITS,
    )
    ((group, settings, _),) = launch.rules.cgroups
    assert group.startswith("/groups/arena-")
    assert ("pids.max", "10") in settings


@pytest.mark.parametrize("with_memory_group", [True, False])
def test_under_landlock_its_home_is_its_scratch(tmp_path: Path, *, with_memory_group: bool) -> None:
    controllers = GROUPS if with_memory_group else Controllers({"pids": Path("/groups")})
    confiner = Confiner(means(Rung.LANDLOCK, controllers=controllers), PLACE)
    launch = confiner.launch(program(tmp_path), OWN, DOOR)
    scratch = {"HOME": "/place/scratch-1", "TMPDIR": "/place/scratch-1"}
    assert without_groups(launch) == Launch(
        "fox",
        ("/bin/sh", "bot.sh"),
        {"PATH": "/usr/bin:/bin", "LANG": "C", "LEVEL": "3"} | OWN | scratch,
        tmp_path,
        99,
        None,
        kernel.rules(seen(tmp_path), SYSTEM, 6, memory_cgroup=with_memory_group),
        LIMITS,
    )


def test_an_unconfined_bot_is_held_together_and_has_the_operators_home(tmp_path: Path) -> None:
    alone = means(Rung.NONE, controllers=Controllers({"pids": Path("/groups")}))
    launch = Confiner(alone, PLACE).launch(program(tmp_path), OWN, DOOR)
    assert without_groups(launch) == Launch(
        "fox",
        ("/bin/sh", "bot.sh"),
        {"PATH": "/usr/bin:/bin", "HOME": "/home/ada", "LANG": "C", "LEVEL": "3"} | OWN,
        tmp_path,
        99,
        None,
        Rules(),
    )
    ((group, settings, gauges),) = launch.rules.cgroups
    assert group.startswith("/groups/arena-")
    assert (settings, gauges) == ((), ())


def test_each_start_has_a_scratch_and_a_group_of_its_own(tmp_path: Path) -> None:
    confiner = Confiner(means(Rung.LANDLOCK), PLACE)
    launches = [confiner.launch(program(tmp_path), OWN, DOOR) for _ in range(2)]
    assert [launch.env["HOME"] for launch in launches] == ["/place/scratch-1", "/place/scratch-3"]
    first, second = (launch.rules.cgroups[0][0] for launch in launches)
    assert (first[-2:], second[-2:]) == ("/2", "/4")
    assert first[:-1] == second[:-1]
    other = Confiner(means(Rung.LANDLOCK), PLACE).launch(program(tmp_path), OWN, DOOR)
    assert other.rules.cgroups[0][0][:-1] != first[:-1]


def test_a_bare_command_line_sees_what_it_names_and_its_folder_but_for_leagues(
    tmp_path: Path,
) -> None:
    for name in ("b.py", "a", ".hidden", "old.arena"):
        (tmp_path / name).touch()
    named = tmp_path.parent / f"{tmp_path.name}.named"
    named.touch()
    command = ("/bin/sh", "b.py", str(named), "/no/such/file", str(tmp_path))
    bare = replace_program(program(tmp_path, is_bare=True), command)
    confiner = Confiner(means(Rung.LANDLOCK), PLACE)
    with pytest.raises(CannotStart) as caught:
        confiner.launch(bare, OWN, DOOR)
    assert str(tmp_path) in str(caught.value)  # a folder is not a file that it names
    launch = confiner.launch(replace_program(bare, command[:-1]), OWN, DOOR)
    files = (tmp_path / "a", tmp_path / "b.py", named)
    bot = seen(tmp_path, files=files, scratch=PLACE / "scratch-2")
    assert launch.rules.landlock == kernel.rules(bot, SYSTEM, 6, memory_cgroup=True).landlock


def replace_program(made: Program, command: tuple[str, ...]) -> Program:
    return Program(
        made.name, command, made.folder, made.env, limits=made.limits, is_bare=made.is_bare
    )


@pytest.mark.parametrize("network", [True, False])
@pytest.mark.parametrize("uids", [True, False])
@pytest.mark.parametrize("rung", [Rung.BUBBLEWRAP, Rung.LANDLOCK])
def test_a_build_writes_to_its_folder_reads_more_and_reaches_servers(
    tmp_path: Path,
    rung: Rung,
    monkeypatch: pytest.MonkeyPatch,
    *,
    network: bool,
    uids: bool,
) -> None:
    monkeypatch.setattr("arena.bots.confine.confiner.name_servers", lambda: ("udp:1.1.1.1:53",))
    monkeypatch.setattr("arena.bots.confine.confiner.NETWORK_FILES", (Path("/etc/hosts"),))
    monkeypatch.setattr("arena.bots.confine.confiner.build_files", lambda: (Path("/etc/m2"),))
    bundle = tmp_path / "bundle"
    bundle.touch()
    env = {"PATH": "/bin", "SSL_CERT_FILE": str(bundle), "HOME": "/home/ada"}
    confiner = Confiner(means(rung, build_network=network, uids=uids), PLACE)
    launch = confiner.build(
        "fox", ("/bin/make", "all"), env, tmp_path, chosen={"O": "2"}, limits=BUILD_LIMITS, uid=9
    )
    more = (Path("/etc/m2"), bundle, *([Path("/etc/hosts")] if network else []))
    bot = Confinement(
        folder=tmp_path,
        files=(),
        scratch=PLACE / "scratch-1",
        door="",
        write=(tmp_path,),
        servers=("public", "udp:1.1.1.1:53") if network else (),
        read=(Path("/venv"), *more),
        listed=(Path("/listed"),),
        env=(("O", "2"),),
        limits=BUILD_LIMITS,
        uid=9 if uids else None,
    )
    home = "/tmp" if rung is Rung.BUBBLEWRAP else "/place/scratch-1"
    whole = {
        "MAVEN_OPTS": f"-Duser.home={home}",
        "GRADLE_USER_HOME": f"{home}/.gradle",
        "PATH": "/bin",
        "SSL_CERT_FILE": str(bundle),
        "HOME": home,
        "TMPDIR": home,
    }
    if network:
        whole["RES_OPTIONS"] = "single-request"
    if rung is Rung.LANDLOCK:
        whole["O"] = "2"
        rules = kernel.rules(bot, SYSTEM, 6, memory_cgroup=True)
    else:
        rules = bubblewrap.rules(bot, SYSTEM, TOOLS, memory_cgroup=True)
    assert without_groups(launch) == Launch(
        "fox", ("/bin/make", "all"), whole, tmp_path, 65_536, None, rules, BUILD_LIMITS
    )


@pytest.mark.parametrize("rung", [Rung.BUBBLEWRAP, Rung.LANDLOCK])
def test_a_program_out_of_sight_is_refused_before_it_is_launched(
    tmp_path: Path, rung: Rung
) -> None:
    folder, tools = tmp_path / "bot", tmp_path / "opt" / "bin"
    folder.mkdir()
    tools.mkdir(parents=True)
    (tools / "tool").touch()
    bot = replace_program(program(folder), (str(tools / "tool"), "x"))
    confiner = Confiner(means(rung), PLACE)
    words = (
        f"'fox' was not started: '{tools}/tool' needs '{tools}/tool', which is not found inside"
        " the sandbox: a bot sees its own folder and the system's programs only. Let bots read"
        f' where it is installed: `read = ["{tmp_path}/opt"]` under [confine] in league.toml,'
        f" `--read {tmp_path}/opt`, or for all commands `export ARENA_READ={tmp_path}/opt`."
    )
    for start in (confiner.check, lambda each: confiner.launch(each, OWN, DOOR)):
        with pytest.raises(CannotStart) as caught:
            start(bot)
        assert (caught.value.code, str(caught.value)) == ("out-of-sight", words)
    confiner.check(program(folder))
    Confiner(means(Rung.NONE), PLACE).check(bot)
    told = means(rung, read=(tmp_path / "opt",))
    Confiner(told, PLACE).check(bot)


def test_what_is_found_by_the_authors_path_is_looked_at(tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "tool").touch()
    folder = tmp_path / "bot"
    folder.mkdir()
    bot = Program("fox", ("tool",), folder, {"PATH": str(tools)})
    with pytest.raises(CannotStart):
        Confiner(means(Rung.LANDLOCK), PLACE).check(bot)


@pytest.mark.parametrize(
    ("rung", "word"),
    [
        (Rung.BUBBLEWRAP, "bubblewrap"),
        (Rung.LANDLOCK, "landlock 6"),
        (Rung.NONE, "unconfined"),
    ],
)
def test_the_rung_is_told_with_its_abi(rung: Rung, word: str) -> None:
    assert Confiner(means(rung), PLACE).word == word


def test_name_servers_are_read_from_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "resolv.conf"
    assert name_servers(file) == ()
    file.write_text(
        "# nameserver 9.9.9.9\nsearch lan\nnameserver 1.2.3.4\n\noptions x\n nameserver  fe80::1\n"
    )
    assert name_servers(file) == (
        "udp:1.2.3.4:53",
        "tcp:1.2.3.4:53",
        "udp:[fe80::1]:53",
        "tcp:[fe80::1]:53",
    )


def test_means_without_a_word_confine_nothing() -> None:
    assert Means() == Means(
        Rung.NONE, (), (), None, 0, System(), Controllers(), build_network=True, uids=False
    )
    assert json.dumps(Means().rung) == '"unconfined"'
