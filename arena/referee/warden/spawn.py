"""From a command to a running process in a session of its own."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import signal
from collections.abc import Mapping, Sequence

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

# Loaded before the first fork: a child that is about to become a bot should load nothing.
_PRCTL = ctypes.CDLL(None, use_errno=True).prctl

# Python ignores these for itself, and what is ignored stays so in a program that is started.
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


class Refused(Exception):
    """It was not started: at which stage ("folder", "command" or "machine"), and the errno."""

    def __init__(self, stage: str, number: int) -> None:
        super().__init__(stage, number)
        self.stage = stage
        self.number = number


def prctl(option: int, value: int) -> None:
    """The system call; raises OSError."""
    if _PRCTL(option, value, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def confined(command: Sequence[str], folder: str) -> Sequence[str]:
    """The command that runs a bot's command: the place for a sandbox, and none is here yet."""
    return command


def spawn(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: str,
    open_files: int,
    stdout: int,
    stderr: int,
) -> int:
    """Start a command and return its pid once it runs as itself; raises Refused.

    By hand rather than with `subprocess`: that doubles our start-up, and does not tell which of
    the steps below has failed. No thread is ever started here, so a fork is safe.
    """
    warden = os.getpid()
    reader, writer = os.pipe()
    try:
        pid = os.fork()
    except OSError as error:
        os.close(reader)
        os.close(writer)
        raise Refused("machine", error.errno or 0) from None
    if pid == 0:
        _become(command, environment, folder, open_files, stdout, stderr, warden, writer)
    os.close(writer)
    # Every descriptor of ours closes as the program starts, so the end of this pipe means
    # that it has started.
    report = os.read(reader, 256)
    os.close(reader)
    if report:
        os.waitpid(pid, 0)
        stage, _, number = report.decode().partition(" ")
        raise Refused(stage, int(number))
    return pid


def _become(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: str,
    open_files: int,
    stdout: int,
    stderr: int,
    warden: int,
    writer: int,
) -> None:
    """Turn the child after the fork into the bot; never returns."""
    stage = "machine"
    number = errno.EINVAL  # a zero byte in a command is no OSError
    try:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != warden:  # it was killed before the line above
            os._exit(1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(stdout, 1)
        os.dup2(stderr, 2)
        for ignored in _IGNORED_BY_PYTHON:
            signal.signal(ignored, signal.SIG_DFL)
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        most = open_files if hard == resource.RLIM_INFINITY else min(open_files, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        stage = "folder"
        os.chdir(folder)
        stage = "command"
        program = list(confined(command, folder))
        os.execvpe(program[0], program, environment)
    except OSError as error:
        number = error.errno or number
    finally:
        # Whatever went wrong, a second warden must not live on here.
        os.write(writer, f"{stage} {number}".encode())
        os._exit(127)
