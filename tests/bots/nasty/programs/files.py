"""Hostile programs about files: `python -c TEXT DEED GIVEN`. Prints what it managed, as JSON."""

from __future__ import annotations

import ctypes
import json
import os
import sqlite3
import stat
import sys
import time
from typing import Any

Given = dict[str, Any]

LIBC = ctypes.CDLL(None, use_errno=True)
OPEN_BY_HANDLE_AT = 304  # of x86-64; elsewhere the deed fails
INODE_AND_GENERATION = 1  # a kind of handle
LOCKED: list[sqlite3.Connection] = []


def scratch(name: str) -> str:
    return os.path.join(os.environ["TMPDIR"], name)


def text(path: str) -> str:
    with open(path, errors="replace") as file:
        return file.read(4_096)


def checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def reads_the_key(given: Given) -> str:
    return text(given["key"])


def lists_the_operators_folder(given: Given) -> list[str]:
    return os.listdir(given["operator"])


def reads_another_bots_sources(given: Given) -> str:
    return text(given["sources"])


def reads_another_bots_scratch(given: Given) -> str:
    paths = [given["notes"], f"/proc/{given['bot']}/root{given['notes']}"]
    paths += [f"/proc/{name}/root{given['notes']}" for name in os.listdir("/proc")]
    own = os.getpid()
    for path in paths:
        if not path.startswith((f"/proc/{own}/", "/proc/self/", "/proc/thread-self/")):
            try:
                return text(path)
            except OSError:
                continue
    raise OSError("nothing found")


def reads_by_the_referees_folder(given: Given) -> str:
    for way in ("root" + given["key"], "cwd/" + os.path.basename(given["key"])):
        try:
            return text(f"/proc/{given['referee']}/{way}")
        except OSError:
            continue
    raise OSError("neither way")


def follows_a_link_out_of_its_scratch(given: Given) -> str:
    os.symlink(given["key"], scratch("link"))
    return text(scratch("link"))


def links_a_file_into_its_scratch(given: Given) -> str:
    os.link(given["key"], scratch("hard"))
    return text(scratch("hard"))


def opens_by_a_handle(given: Given) -> str:
    """The generation 0 means any, and the number of an inode can be guessed."""
    handle = (8).to_bytes(4, sys.byteorder) + INODE_AND_GENERATION.to_bytes(4, sys.byteorder)
    handle += given["inode"].to_bytes(4, sys.byteorder) + bytes(4)
    here = os.open(".", os.O_RDONLY)
    found = checked(LIBC.syscall(OPEN_BY_HANDLE_AT, here, handle, os.O_RDONLY))
    with os.fdopen(found) as file:
        return file.read(4_096)


def writes_into_the_folders_of_others(given: Given) -> int:
    done = 0
    for folder in (given["operator"], os.path.dirname(given["sources"])):
        try:
            with open(os.path.join(folder, "planted"), "w") as file:
                file.write("it was here")
            done += 1
        except OSError:
            continue
    return done


def moves_a_file_out(given: Given) -> bool:
    with open(scratch("planted"), "w") as file:
        file.write("it was here")
    os.rename(scratch("planted"), os.path.join(given["operator"], "planted"))
    return True


def changes_its_own_sources(given: Given) -> bool:
    with open("planted", "w") as file:
        file.write("it was here")
    return True


def changes_what_others_read(given: Given) -> bool:
    """A file that every bot's Python reads; opened for writing, and left as it is."""
    os.close(os.open(os.__file__, os.O_WRONLY))
    return True


def changes_the_mode_of_the_door(given: Given) -> bool:
    os.chmod(given["door"], 0)
    return True


def touches_a_device(given: Given) -> bool:
    """Everybody may write to it, set its times to now, and read them."""
    os.utime("/dev/null")
    return True


def locks_the_store(given: Given) -> bool:
    store = sqlite3.connect(given["store"], isolation_level=None, timeout=0)
    store.execute("BEGIN EXCLUSIVE")
    LOCKED.append(store)
    return True


def opens_the_kernels_settings(given: Given) -> list[str]:
    """For writing, and writes nothing."""
    done = []
    for path in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"):
        try:
            os.close(os.open(path, os.O_WRONLY))
            done.append(path)
        except OSError:
            continue
    return done


def mounts_a_file_system(given: Given) -> bool:
    place = scratch("mounted").encode()
    os.mkdir(place)
    checked(LIBC.mount(b"none", place, b"tmpfs", 0, None))
    LIBC.umount2(place, 0)
    return True


def makes_a_device(given: Given) -> bool:
    os.mknod(scratch("device"), stat.S_IFBLK | 0o600, os.makedev(7, 0))
    os.unlink(scratch("device"))
    return True


def watches_the_operators_folder(given: Given) -> bool:
    watch = checked(LIBC.inotify_init1(0))
    checked(LIBC.inotify_add_watch(watch, given["operator"].encode(), 0x100))
    return True


def nests_folders_deeper_than_calls_can_be(given: Given) -> bool:
    os.chdir(os.environ["TMPDIR"])
    os.mkdir("closed", 0o300)
    with open("closed/file", "w") as file:
        file.write("x")
    for _ in range(1_200):
        os.mkdir("d")
        os.chdir("d")
    return True


def fills_its_scratch(given: Given) -> int:
    """One file after another of a megabyte."""
    for number in range(100):
        with open(scratch(f"file-{number}"), "wb", buffering=0) as file:
            for _ in range(16):
                if file.write(bytes(65_536)) < 65_536:
                    raise OSError("it is full")
    return 100


def fills_one_file(given: Given) -> int:
    with open(scratch("large"), "wb", buffering=0) as file:
        for number in range(64):
            if file.write(bytes(1_048_576)) < 1_048_576:
                raise OSError(f"it ends at {number} MB")
    return 64


def fills_other_places(given: Given) -> list[str]:
    done = []
    for place in ("/dev/shm", "/var/tmp", "/run", "/dev", "/", "/proc"):
        try:
            name = os.path.join(place, f"arena-nasty-{os.getpid()}")
            with open(name, "wb") as file:
                file.write(bytes(1_048_576))
            os.unlink(name)
            done.append(place)
        except OSError:
            continue
    return done


if __name__ == "__main__":
    try:
        said = {"did": globals()[sys.argv[1]](json.loads(sys.argv[2]))}
    except (OSError, sqlite3.Error) as error:
        said = {"refused": str(error)}
    print(json.dumps(said), flush=True)
    if sys.argv[3] == "stay":
        time.sleep(60)
