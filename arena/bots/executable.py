"""Find out before a start if the kernel would execute a command.

Only the files are looked at: the program is there and may be executed, and the interpreter that its
first line names is there. A file in a format that this machine cannot run is only noticed by
starting it.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR})

# The kernel reads this much of a script to find its interpreter.
SHEBANG_BYTES = 256


def exec_error(command: Sequence[str], env: Mapping[str, str], folder: Path) -> int | None:
    """Return the errno that exec would fail with in this folder, None if it would succeed.

    As with exec, a search through PATH goes on after a file that may not be executed, and fails
    with that file's error if it finds no better one. A script for `env` with a missing program is
    treated like one with a missing interpreter: exec would succeed, and `env` would fail.
    """
    errors = []
    for file in _candidates(command[0], env, folder):
        error = _file_error(file, env, folder)
        if error is None:
            return None
        errors.append(error)
    return next((error for error in errors if error not in NOT_THERE), errno.ENOENT)


def found(program: str, env: Mapping[str, str], folder: Path) -> Path | None:
    """Return the first file that a command of this name means in this folder, None without one."""
    files = _candidates(program, env, folder)
    # `Path.is_file` raises for a file in a folder that may not be entered.
    return next((file for file in files if os.path.isfile(file)), None)


def programs_on_path(env: Mapping[str, str]) -> Iterator[str]:
    """Yield the names of all executable files in the folders of PATH."""
    for folder in os.get_exec_path(env):
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        yield from (name for name in names if os.access(os.path.join(folder, name), os.X_OK))


def shebang(file: Path) -> str:
    """Return the first line of a script that names its interpreter, empty for any other file.

    A carriage return at its end is part of it, as it is for the kernel.
    """
    try:
        with file.open("rb") as opened:
            line = opened.read(SHEBANG_BYTES).split(b"\n")[0]
    except OSError:
        return ""
    return line.decode(errors="replace") if line.startswith(b"#!") else ""


def _candidates(program: str, env: Mapping[str, str], folder: Path) -> list[Path]:
    if "/" in program:
        return [folder / program]
    return [folder / place / program for place in os.get_exec_path(env)]


def _file_error(file: Path, env: Mapping[str, str], folder: Path) -> int | None:
    try:
        is_folder = stat.S_ISDIR(file.stat().st_mode)
    except OSError as error:
        return error.errno
    if is_folder or not os.access(file, os.X_OK):
        return errno.EACCES
    # Read the #! line as the kernel does: blanks around the interpreter are skipped, the rest of
    # the line is one argument, and a carriage return is a character like any other.
    interpreter, *arguments = re.split(r"[ \t]+", shebang(file)[2:].strip(" \t"), maxsplit=1)
    if not interpreter:
        return None
    if not (folder / interpreter).exists():
        return errno.ENOENT
    runs_env = Path(interpreter).name == "env" and re.fullmatch(r"[^-=][^=]*", "".join(arguments))
    if runs_env and exec_error(arguments, env, folder) is not None:
        return errno.ENOENT
    return None
