"""Found before a start: would exec take this command? Held against what exec says."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path

import pytest

from arena.bots.executable import exec_error, found, programs_on_path, shebang


def put(file: Path, text: str, mode: int = 0o755) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    file.chmod(mode)
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    bot, bin_ = tmp_path / "bot", tmp_path / "bin"
    put(bot / "run.sh", "#!/bin/sh\n")
    put(bot / "blanks.sh", "#! \t/bin/sh -e \n")
    put(bot / "own.sh", "#!./run.sh\n")
    put(bot / "closed.sh", "#!/bin/sh\n", 0o644)
    put(bot / "windows.sh", "#!/bin/sh\r\nexit 0\r\n")
    put(bot / "gone.sh", "#!/no/such/sh\n")
    put(bot / "relative.sh", "#!no-such-sh\n")
    (bot / "folder").mkdir()
    (bot / "loop").symlink_to("loop")
    put(bin_ / "tool", "#!/bin/sh\n")
    put(bin_ / "not-yet", "#!/bin/sh\n", 0o644)
    put(tmp_path / "more" / "not-yet", "#!/bin/sh\n")
    put(bin_ / "never", "#!/bin/sh\n", 0o644)
    return bot


def path_of(folder: Path) -> dict[str, str]:
    places = [folder.parent / "bin", "/no/such/place", folder.parent / "more"]
    return {"PATH": ":".join([*map(str, places), "inside"])}


@pytest.mark.parametrize(
    ("program", "error"),
    [
        ("./run.sh", None),
        ("./blanks.sh", None),
        ("./own.sh", None),
        ("/bin/sh", None),
        ("./closed.sh", errno.EACCES),
        ("./windows.sh", errno.ENOENT),
        ("./gone.sh", errno.ENOENT),
        ("./relative.sh", errno.ENOENT),
        ("./no-such-file", errno.ENOENT),
        ("./run.sh/file", errno.ENOTDIR),
        ("./folder", errno.EACCES),
        ("./loop", errno.ELOOP),
        ("tool", None),
        ("not-yet", None),
        ("never", errno.EACCES),
        ("no-such-tool", errno.ENOENT),
        ("run.sh", errno.ENOENT),
        ("within", None),
    ],
)
def test_it_says_what_exec_would_say(folder: Path, program: str, error: int | None) -> None:
    put(folder / "inside" / "within", "#!/bin/sh\n")
    env = path_of(folder)
    said = exec_error((program,), env, folder)
    assert said == error or {said, error} == {errno.ENOENT, errno.ENOTDIR}
    pid = os.fork()
    if pid == 0:
        try:
            os.chdir(folder)
            os.execvpe(program, [program], env)
        except OSError as refused:
            os._exit(refused.errno or 255)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert code == (error or 0)


@pytest.mark.parametrize(
    ("line", "starts"),
    [
        ("#!/usr/bin/env tool", True),
        ("#!/usr/bin/env no-such-tool", False),
        ("#!/usr/bin/env tool\r", False),
        ("#!/usr/bin/env -S tool --quick", True),
        ("#!/usr/bin/env LEVEL=3 tool", True),
        ("#!/usr/bin/env", True),
    ],
)
def test_a_script_for_env_needs_the_program_that_env_looks_for(
    folder: Path, line: str, starts: bool
) -> None:
    put(folder / "script", f"{line}\n")
    assert (exec_error(("./script",), path_of(folder), folder) is None) is starts


def test_a_script_for_env_with_line_ends_of_windows_ends_at_once(folder: Path) -> None:
    """What the kernel takes and `env` does not: so we look for it ourselves."""
    put(folder / "script", "#!/usr/bin/env sh\r\n")
    ran = subprocess.run([folder / "script"], check=False, capture_output=True)
    assert ran.returncode == 127
    assert exec_error(("./script",), dict(os.environ), folder) == errno.ENOENT


def test_the_file_that_a_command_means_is_found(folder: Path) -> None:
    env = path_of(folder)
    assert found("tool", env, folder) == folder.parent / "bin" / "tool"
    assert found("./gone.sh", env, folder) == folder / "gone.sh"
    assert found("gone.sh", env, folder) is None
    assert found("./folder", env, folder) is None


def test_the_programs_on_path_are_those_that_may_be_executed(folder: Path) -> None:
    assert sorted(programs_on_path(path_of(folder))) == ["not-yet", "tool"]


def test_the_first_line_of_a_script_is_kept_with_its_carriage_return(folder: Path) -> None:
    assert shebang(folder / "windows.sh") == "#!/bin/sh\r"
    assert shebang(put(folder / "plain", "exit 0\n")) == ""
    assert shebang(folder / "no-such-file") == ""
    assert shebang(folder / "folder") == ""


def test_a_folder_of_path_that_cannot_be_looked_into_holds_no_program(tmp_path: Path) -> None:
    """As exec has it. A name that is too long is refused to root too."""
    program = tmp_path / "fox"
    program.write_text("#!/bin/sh\n")
    closed = tmp_path / ("x" * 300)
    assert found("fox", {"PATH": f"{closed}:{tmp_path}"}, tmp_path) == program
