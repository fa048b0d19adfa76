"""What an interpreter is read from."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import arena
import protocol
from arena import games
from arena.bots.confine.needs import (
    folders_to_list,
    folders_to_read,
    links_on_the_way,
    out_of_sight,
    python_needs,
    without_inner,
)
from arena.bots.confine.system import is_within


def test_the_python_that_runs_arena_the_kit_and_the_rules_are_readable() -> None:
    needs = python_needs()
    for needed in (
        *links_on_the_way(Path(sys.executable)),
        Path(sys.executable).resolve(),
        Path(protocol.__file__),
        Path(games.__file__),
        Path(sys.base_prefix),
    ):
        assert any(needed.is_relative_to(path) for path in needs), needed


def test_what_lies_beside_the_kit_is_not_readable_for_its_sake() -> None:
    beside = Path(protocol.__file__).parents[1]
    assert beside not in python_needs()


def test_each_link_on_the_way_is_found(tmp_path: Path) -> None:
    program, middle, link = (tmp_path / name for name in ("program", "in/middle", "link"))
    program.touch()
    middle.parent.mkdir()
    middle.symlink_to("../program")
    link.symlink_to(middle)
    assert links_on_the_way(link) == (link, middle, program)


def test_a_loop_of_links_comes_to_an_end(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert links_on_the_way(tmp_path / "a")[0] == tmp_path / "a"


def test_a_path_below_another_is_left_out() -> None:
    paths = [Path("/a/b"), Path("/a"), Path("/ab")]
    assert without_inner(paths) == (Path("/a"), Path("/ab"))


def test_links_are_followed_as_far_as_the_kernel_does_and_no_further(tmp_path: Path) -> None:
    for number in range(45):
        (tmp_path / str(number)).symlink_to(str(number + 1))
    found = links_on_the_way(tmp_path / "0")
    assert found == tuple(tmp_path / str(number) for number in range(41))


def test_only_the_folder_around_packages_installed_for_editing_is_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packages = {Path(module.__file__ or "").parents[1] for module in (arena, protocol)}
    needs = python_needs()
    expected = sorted(folder for folder in packages if not is_within(folder, needs))
    assert [*folders_to_list()] == expected
    monkeypatch.setattr("sys.base_prefix", "/")
    assert folders_to_list() == ()
    assert python_needs() == (Path("/"),)


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine with a program, a link to it, and scripts for it, below `tools` and `bot`."""
    tools, bot = tmp_path / "tools", tmp_path / "bot"
    tools.mkdir()
    bot.mkdir()
    (tools / "run").write_text("\x7fELF")
    (tools / "env").write_text("\x7fELF")
    (bot / "link").symlink_to(tools / "run")
    (bot / "own").write_text("\x7fELF")
    (bot / "script").write_text(f"#!{tools}/run -x\n")
    (bot / "by-env").write_text(f"#!{tools}/env run\n")
    (bot / "by-bare-env").write_text(f"#!{tools}/env\n")
    (bot / "empty-line").write_text("#!\n")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "seen", "missing"),
    [
        (["./own"], ["bot"], None),
        (["own"], ["bot"], None),
        (["gone"], ["bot"], None),
        (["run"], ["bot"], "tools/run"),
        (["run"], ["bot", "tools"], None),
        (["./link"], ["bot"], "tools/run"),
        (["./link"], ["tools"], "bot/link"),
        (["./script"], ["bot"], "tools/run"),
        (["./script"], ["bot", "tools"], None),
        (["./by-env"], ["bot", "tools/env"], "tools/run"),
        (["./by-bare-env"], ["bot"], "tools/env"),
        (["./by-bare-env"], ["bot", "tools"], None),
        (["./empty-line"], ["bot"], None),
        (["./own", "{top}/tools/run"], ["bot"], "tools/run"),
        (["./own", "x", "{top}/bot/link"], ["bot"], None),
        (["./own", "{top}/gone"], ["bot"], None),
        (["./own", "tools/run"], ["bot"], None),
    ],
)
def test_the_first_file_out_of_sight_is_found(
    machine: Path, command: list[str], seen: list[str], missing: str | None
) -> None:
    words = [word.format(top=machine) for word in command]
    env = {"PATH": f"{machine}/tools:{machine}/bot"}
    found = out_of_sight(words, env, machine / "bot", [machine / each for each in seen])
    assert found == (None if missing is None else machine / missing)


@pytest.mark.parametrize(
    ("missing", "folders"),
    [
        ("{home}/.nvm/v20/bin/node", ["{home}/.nvm"]),
        ("{home}/.cargo/bin/cargo", ["{home}/.cargo/bin", "{home}/.rustup"]),
        ("{home}/tool", ["{home}"]),
        ("/opt/jdk/bin/java", ["/opt/jdk"]),
        ("/opt/jdk/sbin/java", ["/opt/jdk"]),
        ("/opt/jdk/java", ["/opt/jdk"]),
        ("/bin/tool", ["/bin"]),
    ],
)
def test_the_folder_to_read_is_that_of_the_whole_toolchain(
    tmp_path: Path, missing: str, folders: list[str]
) -> None:
    (tmp_path / ".rustup").mkdir()
    found = folders_to_read(Path(missing.format(home=tmp_path)), {"HOME": str(tmp_path)})
    assert [*map(str, found)] == [folder.format(home=tmp_path) for folder in folders]


def test_the_second_folder_of_cargo_is_where_its_variable_says_if_it_is_there(
    tmp_path: Path,
) -> None:
    cargo = tmp_path / ".cargo" / "bin" / "cargo"
    (tmp_path / "rust").mkdir()
    env = {"HOME": str(tmp_path)}
    first = tmp_path / ".cargo" / "bin"
    assert folders_to_read(cargo, env) == (first,)
    there = env | {"RUSTUP_HOME": str(tmp_path / "rust")}
    assert folders_to_read(cargo, there) == (first, tmp_path / "rust")
    assert folders_to_read(cargo, env | {"RUSTUP_HOME": str(tmp_path / "no")}) == (first,)
