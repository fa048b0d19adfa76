"""Hostile programs about processes: `python -c TEXT DEED GIVEN`. Prints what it managed."""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

Given = dict[str, Any]

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long
PTRACE_SEIZE, PTRACE_DETACH = 0x4206, 17
PROCESS_VM_READV, SETNS_NET = 310, 0x40000000  # the first of x86-64
PIDFD_GETFD = 438
NEW_USER = 0x10000000
SCHED_FIFO = 1
SPINNERS, SPIN_SECONDS = 24, 0.2
MOST_PROCESSES = 200
DAEMON_SECONDS = 60


def checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def stops_the_referee(given: Given) -> bool:
    os.kill(given["referee"], signal.SIGSTOP)
    return True


def stops_another_bot(given: Given) -> bool:
    os.kill(given["bot"], signal.SIGSTOP)
    return True


def stops_its_parent(given: Given) -> bool:
    os.kill(os.getppid(), signal.SIGSTOP)
    return True


def kills_the_runner(given: Given) -> bool:
    os.kill(given["referee"], signal.SIGKILL)
    return True


def kills_the_warden(given: Given) -> bool:
    for process in (given["warden"], os.getppid()):
        try:
            os.kill(process, signal.SIGKILL)
        except OSError:
            continue
    return True


def signals_all_at_once(given: Given) -> bool:
    """With a signal that programs ignore."""
    os.kill(-1, signal.SIGURG)
    return True


def signals_by_an_alarm_of_a_pipe(given: Given) -> bool:
    """The kernel sends the signal, when there is something to read."""
    reader, writer = os.pipe()
    fcntl.fcntl(reader, fcntl.F_SETOWN, given["referee"])
    fcntl.fcntl(reader, 10, signal.SIGSTOP)  # F_SETSIG
    fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC)
    os.write(writer, b"x")
    return True


def signals_by_a_descriptor(given: Given) -> bool:
    signal.pidfd_send_signal(os.pidfd_open(given["referee"]), signal.SIGSTOP)
    return True


def attaches_to_the_referee(given: Given) -> bool:
    checked(LIBC.ptrace(PTRACE_SEIZE, given["referee"], 0, 0))
    LIBC.ptrace(PTRACE_DETACH, given["referee"], 0, 0)
    return True


def reads_the_referees_memory(given: Given) -> str:
    memory = os.open(f"/proc/{given['referee']}/mem", os.O_RDONLY)
    return os.pread(memory, given["hand_bytes"], given["hand"]).decode("latin-1")


def copies_the_referees_memory(given: Given) -> str:
    class Span(ctypes.Structure):
        _fields_ = (("start", ctypes.c_void_p), ("bytes", ctypes.c_size_t))

    size = given["hand_bytes"]
    into = ctypes.create_string_buffer(size)
    ours, theirs = Span(ctypes.addressof(into), size), Span(given["hand"], size)
    one, none = ctypes.c_ulong(1), ctypes.c_ulong(0)
    spans = ctypes.byref(ours), one, ctypes.byref(theirs), one, none
    checked(LIBC.syscall(PROCESS_VM_READV, given["referee"], *spans))
    return into.raw.decode("latin-1")


def takes_an_open_file_of_the_referee(given: Given) -> str:
    taken = checked(
        LIBC.syscall(PIDFD_GETFD, os.pidfd_open(given["referee"]), given["open_file"], 0)
    )
    return os.pread(taken, 4_096, 0).decode()


def takes_tokens(given: Given) -> list[str]:
    found = of_others("environ", b"ARENA_TOKEN=")
    if not found:
        raise OSError("no token")
    return found


def reads_command_lines(given: Given) -> list[str]:
    found = of_others("cmdline", given["called"].encode())
    if not found:
        raise OSError("no such command line")
    return found


def of_others(file: str, begins: bytes) -> list[str]:
    """Entries that begin so, of a file in /proc of every other process."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdecimal() and int(name) != os.getpid():
            try:
                with open(f"/proc/{name}/{file}", "rb") as opened:
                    entries = opened.read().split(b"\0")
            except OSError:
                continue
            found += [entry.decode() for entry in entries if entry.startswith(begins)]
    return found


def slows_the_referee(given: Given) -> bool:
    os.setpriority(os.PRIO_PROCESS, given["referee"], 19)
    return True


def ties_the_referee_to_one_processor(given: Given) -> bool:
    os.sched_setaffinity(given["referee"], {min(os.sched_getaffinity(0))})
    return True


def limits_the_referee(given: Given) -> bool:
    resource.prlimit(given["referee"], resource.RLIMIT_NOFILE, (7, 7))
    return True


def goes_before_all_others(given: Given) -> bool:
    os.sched_setscheduler(0, SCHED_FIFO, os.sched_param(1))
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return True


def spins_in_many_sessions(given: Given) -> int:
    done = 0
    children = []
    for _ in range(SPINNERS):
        child = os.fork()
        if child == 0:
            failed = 1
            try:
                os.setsid()
                failed = 0
            except OSError:
                pass
            until = time.monotonic() + SPIN_SECONDS
            while time.monotonic() < until:
                pass
            os._exit(failed)
        children.append(child)
    for child in children:
        done += os.waitpid(child, 0)[1] == 0
    if not done:
        raise OSError("no session")
    return done


def forks_and_forks(given: Given) -> int:
    """A bomb that stops at so many."""
    for number in range(MOST_PROCESSES):
        try:
            child = os.fork()
        except OSError as error:
            raise OSError(f"refused at {number}: {error}") from error
        if child == 0:
            time.sleep(DAEMON_SECONDS)
            os._exit(0)
    return MOST_PROCESSES


def leaves_a_daemon(given: Given) -> bool:
    """With an empty environment, and a session of its own where it gets one."""
    if os.fork() == 0:
        try:
            os.setsid()
        except OSError:
            os.setpgid(0, 0)
        if os.fork() == 0:
            sleep = f"import time; time.sleep({DAEMON_SECONDS})"
            os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", sleep, given["mark"]], {})
        os._exit(0)
    os.wait()
    return True


def leaves_a_daemon_and_kills_the_warden(given: Given) -> bool:
    leaves_a_daemon(given)
    return kills_the_warden(given)


def hops_from_process_to_process(given: Given) -> bool:
    """Each forks the next, in a group of its own, and ends: a killer comes too late."""
    print(json.dumps({"did": True}), flush=True)
    until = time.monotonic() + 5
    if os.fork() == 0:
        while time.monotonic() < until:
            if os.fork():
                os._exit(0)
            try:
                os.setpgid(0, 0)
            except OSError:
                continue
        os._exit(0)
    return True


def becomes_another_user(given: Given) -> int:
    os.setresuid(12_345, 12_345, 12_345)
    return os.getuid()


def runs_a_program_of_another_user(given: Given) -> str:
    """A file with the set-user-ID bit."""
    ran = subprocess.run([given["set_uid"], "-u"], capture_output=True, text=True, check=False)
    if ran.stdout.strip() != "12345":
        raise OSError(f"it is still {ran.stdout}")
    return ran.stdout


def makes_a_user_namespace(given: Given) -> bool:
    checked(LIBC.unshare(NEW_USER))
    return True


def enters_the_referees_namespace(given: Given) -> bool:
    place = os.open(f"/proc/{given['referee']}/ns/net", os.O_RDONLY)
    checked(LIBC.setns(place, SETNS_NET))
    return True


def sets_the_clock(given: Given) -> bool:
    """To the frequency that it has: the right to do so is the same."""
    about = ctypes.create_string_buffer(512)
    checked(LIBC.adjtimex(about))
    ADJ_FREQUENCY = 2  # noqa: N806  # as in the kernel
    ctypes.memmove(about, ADJ_FREQUENCY.to_bytes(4, sys.byteorder), 4)
    checked(LIBC.adjtimex(about))
    return True


def dumps_its_memory_to_disk(given: Given) -> bool:
    os.chdir(os.environ["TMPDIR"])
    child = os.fork()
    if child == 0:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, (1 << 30, 1 << 30))
        os.abort()
    os.waitpid(child, 0)
    if not any(name.startswith("core") for name in os.listdir(".")):
        raise OSError("no core")
    return True


def writes_its_own_memory(given: Given) -> bool:
    cell = ctypes.c_long(1)
    with open("/proc/self/mem", "r+b", buffering=0) as memory:
        memory.seek(ctypes.addressof(cell))
        memory.write(bytes(ctypes.c_long(2)))
    return cell.value == 2


def reads_the_load(given: Given) -> str:
    with open("/proc/loadavg") as file:
        said = file.read()
    if said.startswith("0.00 0.00 0.00 1/1 1"):
        raise OSError("masked")
    return said


def has_descriptors_of_others(given: Given) -> list[str]:
    found = []
    for name in os.listdir("/proc/self/fd"):
        try:
            if int(name) > 2:
                found.append(os.readlink(f"/proc/self/fd/{name}"))
        except OSError:
            continue  # the one that listed the folder
    if not found:
        raise OSError("none")
    return found


def opens_many_files(given: Given) -> int:
    return len([os.open("/dev/null", os.O_RDONLY) for _ in range(2_000)])


def call(number: int, *arguments: object) -> Callable[[Given], bool]:
    def make(given: Given) -> bool:
        checked(LIBC.syscall(number, *arguments))
        return True

    return make


uses_io_uring = call(425, 1, ctypes.create_string_buffer(120))
uses_userfaultfd = call(323, 1)  # of x86-64
uses_bpf = call(321, 0, (2).to_bytes(4, "little") + b"\4\0\0\0" * 2 + b"\1" + bytes(59), 72)


if __name__ == "__main__":
    try:
        said = {"did": globals()[sys.argv[1]](json.loads(sys.argv[2]))}
    except (OSError, ValueError) as error:
        said = {"refused": str(error)}
    print(json.dumps(said), flush=True)
    if sys.argv[3] == "stay":
        time.sleep(60)
