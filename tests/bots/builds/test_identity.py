"""What makes one build another: files, command, compilers, and how it is confined."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.botfile import Bot
from arena.bots.builds import identity as module
from arena.bots.builds.identity import identity


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder for PATH with a compiler, and programs that run others."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name, text in {
        "compile": "",
        "make": "",
        "cc": "",
        "npm": "",
        "script": f"#!{folder}/other -x\n",
        "node": "",
        "other": "",
    }.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return folder


def a_bot(folder: Path, *build: str, **env: str) -> Bot:
    return Bot("fox", ("./fox",), folder, build=build, env=env)


def of(bot: Bot, tools: Path, rung: str = "bubblewrap", content: str = "c", **env: str) -> str:
    return identity(bot, content, {"PATH": str(tools), **env}, rung)


def is_changed_by(bot: Bot, tools: Path, program: str, **env: str) -> bool:
    """Whether another version of a program makes it another build."""
    before = of(bot, tools, **env)
    state = (tools / program).stat()
    os.utime(tools / program, ns=(state.st_atime_ns, state.st_mtime_ns + 1))
    return of(bot, tools, **env) != before


def test_the_same_build_has_the_same_identity(tools: Path) -> None:
    bot = a_bot(tools, "compile")
    assert of(bot, tools) == of(bot, tools)
    assert len(of(bot, tools)) == 64


def test_the_name_of_the_bot_does_not_matter(tools: Path) -> None:
    bot = a_bot(tools, "compile")
    assert of(bot, tools) == of(replace(bot, name="owl"), tools)


def test_everything_that_may_change_the_outcome_changes_the_identity(
    tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = a_bot(tools, "compile")
    found = [
        of(bot, tools),
        of(bot, tools, content="other"),
        of(bot, tools, rung="unconfined"),
        of(a_bot(tools, "compile", "-O2"), tools),
        of(a_bot(tools, "compile", LEVEL="3"), tools),
        of(bot, tools, RUSTUP_TOOLCHAIN="nightly"),
        of(bot, tools, JAVA_HOME="/opt/java"),
    ]
    monkeypatch.setattr(module, "FORMAT", 0)
    found.append(of(bot, tools))
    assert len(set(found)) == len(found)


def test_certificates_and_registries_do_not_matter(tools: Path) -> None:
    bot = a_bot(tools, "compile")
    assert of(bot, tools) == of(bot, tools, SSL_CERT_FILE="/x", GOPROXY="https://x")


def test_another_version_of_the_compiler_makes_another_build(tools: Path) -> None:
    assert is_changed_by(a_bot(tools, "compile"), tools, "compile")
    assert not is_changed_by(a_bot(tools, "compile"), tools, "other")


def test_programs_in_a_line_for_a_shell_count(tools: Path) -> None:
    assert is_changed_by(a_bot(tools, "sh", "-c", "compile x && other y"), tools, "other")


def test_a_line_that_no_shell_could_read_is_a_word(tools: Path) -> None:
    assert of(a_bot(tools, "compile", "it's"), tools)


def test_interpreters_and_companions_of_a_program_count(tools: Path) -> None:
    assert is_changed_by(a_bot(tools, "script"), tools, "other")
    assert is_changed_by(a_bot(tools, "npm", "ci"), tools, "node")
    assert is_changed_by(a_bot(tools, "make"), tools, "cc")


def test_a_link_to_another_version_makes_another_build(tools: Path) -> None:
    for version in ("1", "2"):
        (tools / version).write_text("")
        (tools / version).chmod(0o755)
        os.utime(tools / version, ns=(0, 0))
    (tools / "java").symlink_to("1")
    bot = a_bot(tools, "java")
    before = of(bot, tools)
    (tools / "java").unlink()
    (tools / "java").symlink_to("2")
    assert of(bot, tools) != before


def test_what_is_behind_the_shims_of_rustup_counts(tools: Path, tmp_path: Path) -> None:
    home = tmp_path / "rustup"
    rustc = home / "toolchains" / "stable" / "bin" / "rustc"
    rustc.parent.mkdir(parents=True)
    rustc.write_text("1")
    bot = a_bot(tools, "compile")
    before = of(bot, tools, RUSTUP_HOME=str(home))
    rustc.write_text("22")
    assert of(bot, tools, RUSTUP_HOME=str(home)) != before


def test_a_link_to_nothing_behind_the_shims_hides_no_compiler_after_it(
    tools: Path, tmp_path: Path
) -> None:
    home = tmp_path / "rustup"
    cargo, rustc = (home / "toolchains" / "stable" / "bin" / name for name in ("cargo", "rustc"))
    cargo.parent.mkdir(parents=True)
    bot = a_bot(tools, "compile")
    for gone, there in ((cargo, rustc), (rustc, cargo)):
        gone.unlink(missing_ok=True)
        there.unlink(missing_ok=True)
        gone.symlink_to(home / "gone")
        there.write_text("1")
        before = of(bot, tools, RUSTUP_HOME=str(home))
        there.write_text("22")
        assert of(bot, tools, RUSTUP_HOME=str(home)) != before


def test_programs_in_the_bots_own_folder_are_in_its_content(tools: Path) -> None:
    assert not is_changed_by(a_bot(tools, "./compile"), tools, "compile")


@pytest.mark.skipif(os.geteuid() == 0, reason="no folder is closed to root")
def test_a_folder_that_is_closed_to_this_user_holds_no_compiler(
    tools: Path, tmp_path: Path
) -> None:
    closed = tmp_path / "closed"
    (closed / "inner").mkdir(parents=True)
    closed.chmod(0)
    env = {"PATH": f"{closed}/inner:{tools}", "RUSTUP_HOME": f"{closed}/inner"}
    assert identity(a_bot(tools, "compile"), "c", env, "bubblewrap")
    closed.chmod(0o700)
