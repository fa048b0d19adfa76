"""Why a program was not started, in words for its author, and what went wrong on our side.

ProcessError
├── CannotStart    its command cannot be run: the author's to mend; see `code`
├── HostFull       the machine would not let us start one more: nobody's fault
└── WardenDied     our own helper process has ended: our mistake, never a bot's
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from arena.referee.launch import Exit, Launch


class ProcessError(Exception):
    """Something about processes; the message is for people."""


class CannotStart(ProcessError):
    """The command of a bot cannot be run. `code` is one of the keys of CODES."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


CODES = {
    "folder-missing": "the folder it should run in is not there",
    "folder-closed": "the folder it should run in may not be entered",
    "command-not-found": "no such program",
    "interpreter-not-found": "the program is there, but not what should run it",
    "not-executable": "the program may not be executed",
    "not-a-program": "the file is not a program for this machine",
    "command-too-long": "arguments and environment are longer than the system takes",
    "command-unusable": "anything else that the system has against the command",
}


class HostFull(ProcessError):
    """Out of processes, descriptors, memory or disk; no bot may be blamed for it."""


class WardenDied(ProcessError):
    """The warden has ended before it was asked to; its bots were ended with it."""

    def __init__(self, pid: int, end: Exit, trouble: str | None) -> None:
        message = (
            f"the warden (process {pid}), which starts and watches the bots, has ended:"
            f" {end}. All its bots were ended with it. Unless somebody killed it, this is a bug"
            " in arena; it is no fault of any bot, and no match that was being played counts."
        )
        super().__init__(f"{message}\n{trouble}" if trouble else message)
        self.end = end


def why_refused(launch: Launch, stage: str, number: int) -> ProcessError:
    """The error for a start that failed at a stage with an errno."""
    match stage:
        case "folder":
            return _folder_refused(launch, number)
        case "command":
            return _command_refused(launch, number)
        case "logs":
            return HostFull(
                f"{launch.name!r} was not started: its output cannot be written to a file in"
                f" {str(launch.logs)!r}: {os.strerror(number)}. This is no fault of the bot."
            )
        case _:
            return HostFull(
                f"the machine would not start {launch.name!r}: {os.strerror(number)}. This is no"
                " fault of the bot; let fewer matches run at once (--jobs), or raise the limits"
                " of this user (ulimit -u, ulimit -n)."
            )


def _folder_refused(launch: Launch, number: int) -> ProcessError:
    folder = str(launch.folder)
    if number == errno.ENOENT:
        said = f"its folder {folder!r} does not exist."
        return CannotStart("folder-missing", f"{launch.name!r} was not started: {said}")
    if number == errno.ENOTDIR:
        said = f"{folder!r} is not a folder."
        return CannotStart("folder-missing", f"{launch.name!r} was not started: {said}")
    said = f"its folder {folder!r} cannot be entered: {os.strerror(number)}."
    return CannotStart("folder-closed", f"{launch.name!r} was not started: {said}")


def _command_refused(launch: Launch, number: int) -> ProcessError:
    program = launch.command[0]
    file = launch.folder / program
    begin = f"{launch.name!r} was not started: "
    match number:
        case errno.ENOENT | errno.ENOTDIR if "/" not in program:
            hint = "Is it installed, and in the PATH of who runs arena?"
            if " " in program:
                words = ", ".join(f'"{word}"' for word in program.split())
                hint = f"No shell splits a command into words; write [{words}]."
            if file.is_file():
                hint = f"There is a file of that name in its folder: write './{program}'."
            return CannotStart(
                "command-not-found", f"{begin}no program {program!r} in any folder of PATH. {hint}"
            )
        case errno.ENOENT if file.exists():
            return CannotStart(
                "interpreter-not-found",
                f"{begin}{program!r} is there, but what should run it is not:{_first_line(file)}"
                " the interpreter after '#!', or the loader it was linked for, is missing on"
                " this machine. (Line ends of Windows after '#!' do that too.)",
            )
        case errno.ENOENT | errno.ENOTDIR if program.startswith("~"):
            said = f"there is no {program!r}: '~' is a shell's, and no shell reads a command."
            return CannotStart("command-not-found", f"{begin}{said} Write the whole path.")
        case errno.ENOENT | errno.ENOTDIR if ".." in Path(program).parts:
            return CannotStart(
                "command-not-found",
                f"{begin}there is no {program!r} beside it: a bot runs in a copy of its folder,"
                " which has no neighbours. Put the file into the folder, or write its whole path.",
            )
        case errno.ENOENT | errno.ENOTDIR:
            return CannotStart(
                "command-not-found",
                f"{begin}there is no {program!r} in {str(launch.folder)!r}. Did it build? Run its"
                " build there by hand, or give the command for it as `build` in its bot.toml.",
            )
        case errno.EACCES if file.is_dir():
            return CannotStart("not-executable", f"{begin}{program!r} is a folder, not a program.")
        case errno.EACCES:
            return CannotStart(
                "not-executable",
                f"{begin}{program!r} may not be executed. Try: chmod +x {program}",
            )
        case errno.ENOEXEC:
            return CannotStart(
                "not-a-program",
                f"{begin}{program!r} is not a program for this machine. A script must begin with"
                " a line like '#!/bin/sh', or be given to its interpreter in `command`.",
            )
        case errno.E2BIG:
            return CannotStart(
                "command-too-long",
                f"{begin}its command and environment are longer than the system takes.",
            )
        case errno.ENOMEM | errno.EMFILE | errno.ENFILE | errno.EAGAIN:
            return why_refused(launch, "machine", number)
        case _:
            return CannotStart(
                "command-unusable", f"{begin}{program!r} cannot be run: {os.strerror(number)}."
            )


def _first_line(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            line = opened.read(80).split(b"\n")[0]
    except OSError:
        return ""
    return f" its first line is {line.decode(errors='replace')!r};" if line[:2] == b"#!" else ""
