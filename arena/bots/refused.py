"""Reasons why a program was not started, in words for its author, and errors on our side.

ProcessError
├── CannotStart    the command cannot be run: for the author to mend; see `code`
├── NotStartable   commands that cannot be run, found before the first start
├── HostFull       the machine could not start one more process: no bot's fault
└── WardenDied     our own helper process has ended: our fault, never a bot's
"""

from __future__ import annotations

import errno
import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from arena.bots.executable import NOT_THERE, found, programs_on_path, shebang
from arena.bots.launch import Exit, Launch
from arena.text import did_you_mean, plain


class ProcessError(Exception):
    """An error with processes; the message is for people."""


class CannotStart(ProcessError):
    """The command of a bot cannot be run. `code` is one of the keys of CODES."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class NotStartable(ProcessError):
    """Commands that cannot be run, one line each, found before any bot was started."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


CODES = {
    "folder-missing": "the folder it should run in is not there",
    "folder-closed": "the folder it should run in may not be entered",
    "command-not-found": "no such program",
    "interpreter-not-found": "the program is there, but its interpreter or loader is not",
    "out-of-sight": "the program or what it needs is not visible to a confined bot",
    "not-executable": "the program may not be executed",
    "not-a-program": "the file is not a program for this machine",
    "command-too-long": "arguments and environment are longer than the system takes",
    "command-unusable": "the system refuses the command for another reason",
}


class HostFull(ProcessError):
    """The machine is out of processes, descriptors, memory or disk; no bot is at fault."""


class WardenDied(ProcessError):
    """The warden has ended without being asked to; its bots were ended with it."""

    def __init__(self, pid: int, end: Exit, trouble: str | None) -> None:
        message = (
            f"the warden (process {pid}), which starts and watches the bots, has ended:"
            f" {end}. All its bots were ended with it. Unless somebody killed it, this is a bug"
            " in arena; it is no fault of any bot, and no match that was being played counts."
        )
        super().__init__(f"{message}\n{trouble}" if trouble else message)
        self.end = end


def why_refused(launch: Launch, stage: str, number: int) -> ProcessError:
    """Return the error for a start that failed.

    `stage`: the step of `warden.spawn` that failed. `number`: its errno.
    """
    if stage == "folder":
        return _cannot_start(launch, *_folder_refused(launch, number))
    if stage == "command" and number not in _MACHINE_IS_FULL:
        return _cannot_start(launch, *_command_refused(launch, number))
    if stage == "rules":
        return HostFull(
            f"{launch.name!r} was not started: the kernel refused the rules that confine it:"
            f" {os.strerror(number)}. This is no fault of the bot; `arena doctor` says what"
            " works here."
        )
    return HostFull(
        f"the machine would not start {launch.name!r}: {os.strerror(number)}. This is no"
        " fault of the bot; let fewer matches run at once (--jobs), or raise the limits"
        " of this user (ulimit -u, ulimit -n)."
    )


_Refused: TypeAlias = tuple[str, str]
"""One of CODES, and the message after "... was not started: "."""

_MACHINE_IS_FULL = frozenset({errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EAGAIN})

# By the errno of exec, if it says enough by itself. `program` is the first word of the command,
# `shown` the same in quotes.
_BY_ERRNO: Mapping[int, _Refused] = {
    errno.EACCES: ("not-executable", "{shown} may not be executed. Try: `chmod +x {program}`."),
    errno.ENOEXEC: (
        "not-a-program",
        "{shown} is not a program for this machine. A script must begin with a line like"
        " '#!/bin/sh', or be given to its interpreter in `command`.",
    ),
    errno.E2BIG: (
        "command-too-long",
        "its command and environment are longer than the system allows.",
    ),
}


def _cannot_start(launch: Launch, code: str, said: str) -> CannotStart:
    return CannotStart(code, f"{launch.name!r} was not started: {said}")


def _folder_refused(launch: Launch, number: int) -> _Refused:
    folder = str(launch.folder)
    if number == errno.ENOENT:
        return "folder-missing", f"its folder {folder!r} does not exist."
    if number == errno.ENOTDIR:
        return "folder-missing", f"{folder!r} is not a folder."
    return "folder-closed", f"its folder {folder!r} cannot be entered: {os.strerror(number)}."


def _command_refused(launch: Launch, number: int) -> _Refused:
    program = launch.command[0]
    if number in NOT_THERE:
        file = found(program, launch.env, launch.folder)
        if file is not None:
            return "interpreter-not-found", _no_interpreter(program, file)
        is_searched = "/" not in program
        return "command-not-found", (_not_in_path if is_searched else _not_in_folder)(launch)
    if number == errno.EACCES and (launch.folder / program).is_dir():
        return "not-executable", f"{program!r} is a folder, not a program."
    otherwise = ("command-unusable", f"{{shown}} cannot be run: {os.strerror(number)}.")
    code, said = _BY_ERRNO.get(number, otherwise)
    return code, said.format(program=plain(shlex.quote(program)), shown=repr(program))


def _not_in_path(launch: Launch) -> str:
    """Explain that a program, named without a folder, is not on PATH."""
    program = launch.command[0]
    if (launch.folder / program).is_file():
        hint = f" There is a file of that name in its folder: write {f'./{program}'!r}."
    elif " " in program:
        words = ", ".join(f'"{word}"' for word in program.split())
        hint = f" No shell splits a command into words; write [{words}]."
    else:
        near = did_you_mean(program, programs_on_path(launch.env))
        hint = near or " Is it installed, and in the PATH of the user who runs arena?"
    return f"no program {program!r} in any folder of PATH.{hint}"


def _not_in_folder(launch: Launch) -> str:
    """Explain that a program, named with its folder, is not there."""
    program = launch.command[0]
    if program.startswith("~"):
        return (
            f"there is no {program!r}: only a shell replaces '~', and no shell reads a command."
            " Write the whole path."
        )
    if ".." in Path(program).parts:
        return (
            f"there is no {program!r}: a bot runs in a copy of its folder, and '..' leads out of"
            " that copy. Put the file into the folder, or write its whole path."
        )
    place, name = (launch.folder / program).parent, Path(program).name
    near = did_you_mean(name, os.listdir(place) if os.access(place, os.R_OK) else ())
    build = (
        " If a build makes it, run that build there by hand, or name it as `build` in a bot.toml."
    )
    return f"there is no {program!r} in {str(launch.folder)!r}.{near or build}"


def _no_interpreter(program: str, file: Path) -> str:
    """Explain that a file is there, but its interpreter or loader is not."""
    line = shebang(file)
    if line.endswith("\r"):
        return (
            f"the first line of {program!r}, {line!r}, ends as on Windows, in a carriage return and"
            " a line feed. The system takes the carriage return for a part of the interpreter's"
            f" name, and finds none. Save the file with line feeds alone, for instance:"
            f" `sed -i 's/\\r$//' {shlex.quote(program)}`."
        )
    its = f" its first line is {line!r};" if line else ""
    return (
        f"{program!r} is there, but cannot be run:{its} the interpreter after '#!', or the loader"
        " that it was linked for, is missing on this machine."
    )
