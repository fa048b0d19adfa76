"""What a hostile bot may try besides the self-test: against another bot, and against its limits.

The text of this file is run as a bot, like that of `arena.bots.confine.probe`: one attempt for
each start, because most of them leave their process unusable. Standard library only, nothing of
arena. Its argument is a JSON map:

    attempt     name in ATTEMPTS
    mark        a word on the command line of another bot, written backwards, so that the command
                line of this program does not have it
    folder      the folder of that other bot, with a file `secret` in it
    secret      name of a file that the other bot has in its scratch folder
    warden      process number of the warden
    pids        the warden's process namespace
    port        a UDP port of 127.0.0.1
    name        name of the file in which a diary is kept
    key         key of a shared memory segment
    large_mb    mebibytes, over the limit at once
    each_mb     mebibytes, below the limit, over it three times
    most        limit of processes
    files       limit of open files

It prints "began", and then "succeeded" or "refused". Neither, where the kernel ended it.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import mmap
import os
import resource
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
PTRACE_SEIZE, PTRACE_DETACH = 0x4206, 17
IPC_CREAT, IPC_RMID = 0o1000, 0
MEBIBYTE = 1_048_576
# Longer than any attempt may take; whatever is left is ended with the bot.
LONG_SECONDS = 600


def scratch() -> str:
    return os.environ.get("TMPDIR", "/tmp")


def call(result: int) -> int:
    """Return the result of a function of the C library; raise OSError if it is below 0."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def neighbours(given: dict[str, Any]) -> list[int]:
    """Return the processes of the other bot that can be seen."""
    mark = given["mark"][::-1].encode()
    found = []
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    if mark in file.read():
                        found.append(int(name))
            except OSError:
                continue
    return found


def of_another_bot(given: dict[str, Any], attempt: Callable[[int], object]) -> None:
    """Do something to a process of the other bot; one success is enough."""
    for process in neighbours(given):
        try:
            attempt(process)
        except OSError:
            continue
        return
    raise OSError("no process of another bot can be got at")


def of_the_warden(given: dict[str, Any], attempt: Callable[[int], object]) -> None:
    """Do something to the warden, unless its number means another process here."""
    if os.readlink("/proc/self/ns/pid") != given["pids"]:
        raise OSError("it is not in this namespace")
    attempt(given["warden"])


def read_token(process: int) -> None:
    with open(f"/proc/{process}/environ", "rb") as file:
        if b"ARENA_TOKEN=" not in file.read():
            raise OSError("it has none")


def read(path: str) -> None:
    with open(path, "rb") as file:
        file.read()


def open_memory(process: int) -> None:
    os.close(os.open(f"/proc/{process}/mem", os.O_RDONLY))


def attach(process: int) -> None:
    call(LIBC.ptrace(PTRACE_SEIZE, process, 0, 0))
    LIBC.ptrace(PTRACE_DETACH, process, 0, 0)


def renice(process: int) -> None:
    os.setpriority(os.PRIO_PROCESS, process, os.getpriority(os.PRIO_PROCESS, process))


def write_elsewhere(given: dict[str, Any]) -> None:
    path = os.path.join(given["folder"], "x")
    with open(path, "wb"):
        pass
    os.remove(path)


def read_scratches(given: dict[str, Any]) -> None:
    """Look for the other bot's file in every folder beside the own scratch folder."""
    above = os.path.dirname(scratch())
    for name in [*os.listdir(above), "."]:
        path = os.path.join(above, name, given["secret"])
        if os.path.exists(path):
            return read(path)
    raise OSError("it is nowhere")


def lock() -> None:
    with open(sys.executable, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


def touch(block: Any) -> None:
    """Write to every page of a block of memory: until then it is not really there."""
    for place in range(0, len(block), mmap.PAGESIZE):
        block[place] = 1


def take(megabytes: int) -> bytearray:
    """Take memory, and write to all of it."""
    block = bytearray(megabytes * MEBIBYTE)
    touch(block)
    return block


def take_in_processes(given: dict[str, Any]) -> None:
    """Have three children take memory at the same time, less than the limit each."""
    readers = []
    for _ in range(3):
        reader, writer = os.pipe()
        readers.append(reader)
        if os.fork() == 0:
            try:
                held = take(given["each_mb"])
                os.write(writer, b"x" if held else b"")
                time.sleep(LONG_SECONDS)
            finally:
                os._exit(0)
        os.close(writer)
    # At the end of one that was killed there is nothing to read.
    if not all(os.read(reader, 1) for reader in readers):
        raise OSError("not all of them got it")


def take_shared(given: dict[str, Any]) -> None:
    """Take memory that is shared with children, and write to each page of it."""
    touch(mmap.mmap(-1, given["large_mb"] * MEBIBYTE))


def fork_often(given: dict[str, Any]) -> None:
    for _ in range(given["most"] + 1):
        if os.fork() == 0:
            time.sleep(LONG_SECONDS)
            os._exit(0)


def write_files(sizes: list[int]) -> None:
    """Write files of these sizes, in mebibytes, to the scratch folder; remove them again."""
    paths = [os.path.join(scratch(), f"arena-doctor-{os.getpid()}-{i}") for i in range(len(sizes))]
    try:
        for path, size in zip(paths, sizes, strict=True):
            with open(path, "wb", buffering=0) as file:
                for _ in range(size):
                    if file.write(bytes(MEBIBYTE)) < MEBIBYTE:
                        raise OSError("it is full")
    finally:
        for path in paths:
            if os.path.exists(path):
                os.remove(path)


def open_often(given: dict[str, Any]) -> None:
    opened = [os.open("/dev/null", os.O_RDONLY) for _ in range(given["files"])]
    assert opened


def raise_limit(given: dict[str, Any]) -> None:
    more = given["files"] + 1
    resource.setrlimit(resource.RLIMIT_NOFILE, (more, more))


def spin() -> None:
    """Keep more than one core busy."""
    for _ in range(2):
        if os.fork() == 0:
            while True:
                pass
    time.sleep(LONG_SECONDS)


def leave_a_daemon(given: dict[str, Any]) -> None:
    """Start a process that leaves its parents, its session and its environment behind."""
    words = [sys.executable, "-I", "-S", "-c", f"import time; time.sleep({LONG_SECONDS})"]
    reader, writer = os.pipe()
    if os.fork() == 0:
        with contextlib.suppress(OSError):
            os.setsid()
        if os.fork() == 0:
            os.execve(sys.executable, [*words, given["name"]], {})
        os._exit(0)
    os.close(writer)
    os.read(reader, 1)  # until exec has closed the last copy of the other end


def send_datagram(given: dict[str, Any]) -> None:
    """Send one; in a network of its own that succeeds too, and it arrives nowhere."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.sendto(given["name"].encode(), ("127.0.0.1", given["port"]))


def diaries(given: dict[str, Any]) -> list[str]:
    """Return the places where a diary might last until the next process of this bot."""
    folders = [scratch(), os.environ.get("HOME", "/"), os.getcwd(), "/tmp", "/var/tmp", "/dev/shm"]
    return [os.path.join(folder, given["name"]) for folder in folders]


def keep_diary(given: dict[str, Any]) -> None:
    written = 0
    for path in diaries(given):
        try:
            with open(path, "wb") as file:
                file.write(b"hands")
            written += 1
        except OSError:
            continue
    if not written:
        raise OSError("there is no place to write to")


def find_diary(given: dict[str, Any]) -> None:
    found = 0
    for path in diaries(given):
        try:
            read(path)
            found += 1
            os.remove(path)
        except OSError:
            continue
    if not found:
        raise OSError("there is none")


def keep_segment(given: dict[str, Any]) -> None:
    call(LIBC.shmget(given["key"], mmap.PAGESIZE, IPC_CREAT | 0o600))


def find_segment(given: dict[str, Any]) -> None:
    LIBC.shmctl(call(LIBC.shmget(given["key"], mmap.PAGESIZE, 0o600)), IPC_RMID, None)


ATTEMPTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "read another bot's token": lambda given: of_another_bot(given, read_token),
    "read another bot's memory": lambda given: of_another_bot(given, open_memory),
    "attach to another bot": lambda given: of_another_bot(given, attach),
    "send another bot a signal": lambda given: of_another_bot(given, lambda p: os.kill(p, 0)),
    "change another bot's priority": lambda given: of_another_bot(given, renice),
    "read another bot's folder": lambda given: read(os.path.join(given["folder"], "secret")),
    "write into another bot's folder": write_elsewhere,
    "ask whether another bot has a file": lambda given: os.stat(
        os.path.join(given["folder"], "secret")
    ),
    "read another bot's scratch folder": read_scratches,
    "send the warden a signal": lambda given: of_the_warden(given, lambda p: os.kill(p, 0)),
    "change the warden's priority": lambda given: of_the_warden(given, renice),
    "lock a file that all bots can read": lambda given: lock(),
    "use more memory": lambda given: take(given["large_mb"]),
    "use more memory in several processes together": take_in_processes,
    "use more shared memory": take_shared,
    "start more processes": fork_often,
    "write a larger file": lambda given: write_files([given["large_mb"]]),
    "write larger files together": lambda given: write_files([given["each_mb"]] * 3),
    "open more files": open_often,
    "raise its limit of open files": raise_limit,
    "use more cores": lambda given: spin(),
    "leave a process behind": leave_a_daemon,
    "send a datagram to this machine": send_datagram,
    "keep a file": keep_diary,
    "find a file of its last process": find_diary,
    "keep shared memory": keep_segment,
    "find shared memory of its last process": find_segment,
}


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    print("began", flush=True)
    try:
        ATTEMPTS[given["attempt"]](given)
    except (OSError, MemoryError, ValueError):  # ValueError: a limit above the hard one
        print("refused", flush=True)
    else:
        print("succeeded", flush=True)
