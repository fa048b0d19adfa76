"""What a hostile bot would try first, as a program that tries it and says what succeeded.

`selftest.py` runs the text of this file as a confined bot. Standard library only, nothing of
arena: the folder of arena is not visible to a bot. Its argument is a JSON map:

    secret      a file of another user or another bot
    elsewhere   a folder that is not the bot's
    own         the bot's own folder
    door        the Unix socket that it may connect to, as a path
    referee     process number of the referee
    pids        the referee's process namespace
    tcp         a port of 127.0.0.1 where somebody listens, not for this bot
    unix        a Unix socket that is not the door, as a path
    abstract    one with an abstract name

It prints the names of all attempts that succeeded.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
import sys
from collections.abc import Callable
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
PTRACE_SEIZE, PTRACE_DETACH = 0x4206, 17
IO_URING_SETUP, USERFAULTFD, ADD_KEY, BPF, PERF = 425, 323, 248, 321, 298
NEW_USER = 0x10000000


def call(number: int, *arguments: object) -> None:
    """Make a system call, and raise OSError if it fails."""
    if LIBC.syscall(number, *arguments) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def seize(process: int) -> None:
    """Attach as a debugger without stopping the process, and detach."""
    if LIBC.ptrace(PTRACE_SEIZE, process, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    LIBC.ptrace(PTRACE_DETACH, process, 0, 0)


def connect(family: int, address: Any) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        sock.settimeout(2)
        sock.connect(address)


def in_scratch() -> str:
    """Return a path that nobody else has: unconfined, the scratch folder is the /tmp of all."""
    return f"{os.environ.get('TMPDIR', '/tmp')}/arena-probe-{os.getpid()}"


def write(path: str) -> None:
    with open(path, "wb") as file:
        file.write(b"x")
    os.remove(path)


def in_a_child(attempt: Callable[[], object]) -> None:
    """Make an attempt in a process of its own, which it would change."""
    pid = os.fork()
    if pid == 0:
        try:
            attempt()
        except OSError:
            os._exit(1)
        os._exit(0)
    if os.waitpid(pid, 0)[1] != 0:
        raise OSError("it failed")


def of_the_referee(given: dict[str, Any], attempt: Callable[[int], object]) -> None:
    """Do something to the referee, unless its number means another process here."""
    if os.readlink("/proc/self/ns/pid") != given["pids"]:
        raise OSError("it is not in this namespace")
    attempt(given["referee"])


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        found = file.read(64)
    if not found:
        raise OSError("empty")
    return found


def memory(process: int) -> None:
    os.close(os.open(f"/proc/{process}/mem", os.O_RDONLY))


def renice(process: int) -> None:
    os.setpriority(os.PRIO_PROCESS, process, os.getpriority(os.PRIO_PROCESS, process))


ATTEMPTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "read a file of somebody else": lambda given: read(given["secret"]),
    "list a folder of somebody else": lambda given: os.listdir(given["elsewhere"]),
    "write into a folder of somebody else": lambda given: write(given["elsewhere"] + "/x"),
    "change its own sources": lambda given: write(given["own"] + "/x"),
    "read the referee's environment": lambda given: of_the_referee(
        given, lambda process: read(f"/proc/{process}/environ")
    ),
    "read the referee's memory": lambda given: of_the_referee(given, memory),
    "attach to the referee": lambda given: of_the_referee(given, seize),
    "send the referee a signal": lambda given: of_the_referee(given, lambda p: os.kill(p, 0)),
    "change the referee's priority": lambda given: of_the_referee(given, renice),
    "begin a session of its own": lambda given: in_a_child(os.setsid),
    "make a user namespace": lambda given: in_a_child(
        lambda: LIBC.unshare(NEW_USER) and os.listdir("/no such folder")
    ),
    "connect to a TCP port of this machine": lambda given: connect(
        socket.AF_INET, ("127.0.0.1", given["tcp"])
    ),
    "connect to a Unix socket of somebody else": lambda given: connect(
        socket.AF_UNIX, given["unix"]
    ),
    "connect to an abstract Unix socket": lambda given: connect(
        socket.AF_UNIX, "\0" + given["abstract"]
    ),
    "open an AF_VSOCK socket": lambda given: socket.socket(40, socket.SOCK_STREAM).close(),
    "use io_uring": lambda given: call(IO_URING_SETUP, 1, ctypes.create_string_buffer(120)),
    "use userfaultfd": lambda given: call(USERFAULTFD, 1),
    "add a key to a keyring": lambda given: call(ADD_KEY, b"user", b"arena", b"x", 1, -2),
}

# What an honest bot has to be able to do.
NEEDS: dict[str, Callable[[dict[str, Any]], object]] = {
    "read its own folder": lambda given: read(given["own"] + "/readable"),
    "write into its scratch folder": lambda given: write(in_scratch()),
    "connect to its door": lambda given: connect(socket.AF_UNIX, given["door"]),
}


def succeeded(table: dict[str, Callable[[dict[str, Any]], object]], given: dict[str, Any]) -> Any:
    names = []
    for name, attempt in table.items():
        try:
            attempt(given)
        except OSError:
            continue
        names.append(name)
    return names


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    print(json.dumps({"attempts": succeeded(ATTEMPTS, given), "needs": succeeded(NEEDS, given)}))
