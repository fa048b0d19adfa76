"""Start a command as a process in a session of its own."""

from __future__ import annotations

import errno
import os
import resource
import signal
import warnings  # noqa: F401  # loaded before the first fork: a search through PATH loads it
from collections.abc import Mapping, Sequence

from .enter import PR_SET_PDEATHSIG, enter, join_cgroups, memory_files, prctl
from .relay import take_descriptor
from .rules import Rules

# Every signal with a disposition that can be set: exec keeps ignored signals ignored. Python
# ignores SIGPIPE and SIGXFSZ for itself; a shell ignores SIGINT and SIGQUIT in a command with
# `&`; nohup ignores SIGHUP.
_SETTABLE = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}


class SpawnRefused(Exception):
    """A start failed with an errno (`number`) at a stage.

    The stage is "folder", "command", "machine", or "rules" where the kernel refused the rules.
    """

    def __init__(self, stage: str, number: int) -> None:
        super().__init__(stage, number)
        self.stage = stage
        self.number = number


class StartOrder:
    """A command to start. `open_files`: its limit of open files. `folder`: where it begins."""

    __slots__ = ("command", "environment", "folder", "open_files", "rules")

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        folder: str,
        open_files: int,
        rules: Rules | None = None,
    ) -> None:
        self.command = command
        self.environment = environment
        self.folder = folder
        self.open_files = open_files
        self.rules = rules or Rules()


def spawn(start: StartOrder, stdout: int, stderr: int) -> tuple[int, int | None]:
    """Start a command and return its pid after exec has succeeded. Raises SpawnRefused.

    `stdout`, `stderr`: descriptors that become its own. The second value is the descriptor on which
    the kernel reports its `connect` calls, None where the rules do not ask for that.

    With fork and exec rather than `subprocess`, which doubles the start of the warden and does not
    tell which of the steps has failed. No thread is ever started here, so a fork is safe.
    """
    warden = os.getpid()
    reader, writer = os.pipe()
    go_reader, go_writer = os.pipe()
    ours, theirs = (reader, go_writer), (writer, go_reader)
    try:
        pid = os.fork()
    except OSError as error:
        for descriptor in (*ours, *theirs):
            os.close(descriptor)
        raise SpawnRefused("machine", error.errno or 0) from None
    if pid == 0:
        _become(start, stdout, stderr, warden, writer, go_reader)
    for descriptor in theirs:
        os.close(descriptor)
    listener: int | None = None
    try:
        # Exec closes the child's end of this pipe, so its end means that the program has started.
        report = os.read(reader, 256)
        if report.startswith(_LISTENER):
            listener = _take_listener(pid, int(report.removeprefix(_LISTENER)))
            os.write(go_writer, b"g")
            report = os.read(reader, 256)
    except OSError as error:
        os.kill(pid, signal.SIGKILL)
        report = f"rules {error.errno or 0}".encode()
    finally:
        for descriptor in ours:
            os.close(descriptor)
    if report:
        if listener is not None:
            os.close(listener)
        os.waitpid(pid, 0)
        stage, _, number = report.decode().partition(" ")
        raise SpawnRefused(stage, int(number))
    return pid, listener


# Begins the child's report of the descriptor that the warden has to take before exec closes it.
_LISTENER = b"listener "


def _take_listener(pid: int, descriptor: int) -> int:
    pidfd = os.pidfd_open(pid)
    try:
        return take_descriptor(pidfd, descriptor)
    finally:
        os.close(pidfd)


def _become(
    start: StartOrder, stdout: int, stderr: int, warden: int, writer: int, go_reader: int
) -> None:
    """Turn the forked child into the bot: set up the process and exec. Never returns.

    `warden`: the pid of the parent. `writer`: the pipe that takes the stage and errno of a failure.
    `go_reader`: the pipe on which the warden says that it has taken the listener.
    """
    stage = "machine"
    number = errno.EINVAL  # for a zero byte in a command, which raises ValueError
    try:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != warden:  # the warden was killed before the line above took effect
            os._exit(1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(stdout, 1)
        os.dup2(stderr, 2)
        for settable in _SETTABLE:
            signal.signal(settable, signal.SIG_DFL)
        # The mask of blocked signals is inherited across exec, too.
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        most = start.open_files if hard == resource.RLIM_INFINITY else min(start.open_files, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        stage = "folder"
        os.chdir(start.folder)
        stage = "rules"
        rules = start.rules
        files = {name: str(number) for name, number in memory_files(rules.files).items()}
        words = [word[1:-1] if word[:1] == "{" else "" for word in rules.words]
        program = [
            files.get(name, word) for name, word in zip(words, rules.words, strict=True)
        ] + list(start.command)
        join_cgroups(rules)
        listener = enter(rules)
        if listener is not None:
            os.write(writer, _LISTENER + str(listener).encode())
            os.read(go_reader, 1)
        stage = "command"
        os.execvpe(program[0], program, start.environment)
    except OSError as error:
        number = error.errno or number
    finally:
        # After any error: a second warden must not live on in this process.
        os.write(writer, f"{stage} {number}".encode())
        os._exit(127)
