"""Ways from one bot to another: `python -c TEXT DEED GIVEN STAY`.

Each way is two deeds: one leaves a word, the other finds it.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import socket
import struct
import sys
import time
from pathlib import Path
from typing import Any

Given = dict[str, Any]

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long
LIBC.shmat.restype = ctypes.c_void_p
IPC_CREAT = 0o1000
F_GET_RW_HINT, F_SET_RW_HINT = 1035, 1036
GET_FLAGS, SET_FLAGS, NO_DUMP = 0x80086601, 0x40086602, 0x40
ADD_KEY, KEYCTL, REQUEST_KEY, KEYCTL_READ, USER_KEYRING = 248, 250, 249, 11, -4  # of x86-64
MEMORY_BYTES = 4_096
KEPT: list[Any] = []  # open until the program ends

# A file that both can read, and neither can write to: in their common folder.
COMMON = "sources"


def checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def key_of(given: Given) -> int:
    """A number for System V objects that only this pair uses."""
    return int(given["word"][-7:], 16)


def diary_places(given: Given) -> list[Path]:
    places = [os.environ[name] for name in ("TMPDIR", "HOME") if name in os.environ]
    places += ["/tmp", "/var/tmp", "/dev/shm", "/run", ".", *sys.path]
    return [Path(place, f"diary-{given['word'][-7:]}") for place in places if place]


def writes_a_diary(given: Given) -> int:
    done = 0
    for path in diary_places(given):
        try:
            path.write_text(given["word"])
            done += 1
        except OSError:
            continue
    return done


def reads_a_diary(given: Given) -> str:
    found = ""
    for path in diary_places(given):
        try:
            found = path.read_text()
            path.unlink()
        except OSError:
            continue
    if not found:
        raise OSError("no diary")
    return found


def writes_shared_memory(given: Given) -> bool:
    Path("/dev/shm", given["word"][-7:]).write_text(given["word"])
    return True


def reads_shared_memory(given: Given) -> str:
    path = Path("/dev/shm", given["word"][-7:])
    found = path.read_text()
    path.unlink()
    return found


def writes_a_memory_segment(given: Given) -> bool:
    segment = checked(LIBC.shmget(key_of(given), MEMORY_BYTES, IPC_CREAT | 0o666))
    place = LIBC.shmat(segment, None, 0)
    ctypes.memmove(place, given["word"].encode() + b"\0", len(given["word"]) + 1)
    return True


def reads_a_memory_segment(given: Given) -> str:
    segment = checked(LIBC.shmget(key_of(given), MEMORY_BYTES, 0))
    found = ctypes.string_at(LIBC.shmat(segment, None, 0)).decode()
    LIBC.shmctl(segment, 0, None)  # IPC_RMID
    return found


def writes_to_a_message_queue(given: Given) -> bool:
    queue = checked(LIBC.msgget(key_of(given), IPC_CREAT | 0o666))
    word = given["word"].encode()
    checked(LIBC.msgsnd(queue, struct.pack("l", 1) + word, len(word), 0))
    return True


def reads_from_a_message_queue(given: Given) -> str:
    queue = checked(LIBC.msgget(key_of(given), 0))
    into = ctypes.create_string_buffer(256)
    size = checked(LIBC.msgrcv(queue, into, 200, 0, 0o4000))
    LIBC.msgctl(queue, 0, None)
    return into.raw[8 : 8 + size].decode()


def sets_a_semaphore(given: Given) -> bool:
    checked(LIBC.semget(key_of(given), 1, IPC_CREAT | 0o666))
    return True


def sees_a_semaphore(given: Given) -> str:
    semaphore = checked(LIBC.semget(key_of(given), 1, 0))
    LIBC.semctl(semaphore, 0, 0)
    return str(given["word"])


def queue_of(given: Given) -> bytes:
    return f"/{given['word'][-7:]}".encode()


def writes_to_a_posix_queue(given: Given) -> bool:
    attributes = struct.pack("llll", 0, 1, 64, 0) + bytes(32)
    queue = checked(LIBC.mq_open(queue_of(given), os.O_CREAT | os.O_RDWR, 0o666, attributes))
    word = given["word"].encode()
    checked(LIBC.mq_send(queue, word, len(word), 0))
    return True


def reads_from_a_posix_queue(given: Given) -> str:
    queue = checked(LIBC.mq_open(queue_of(given), os.O_RDONLY | os.O_NONBLOCK))
    into = ctypes.create_string_buffer(64)
    size = checked(LIBC.mq_receive(queue, into, 64, None))
    LIBC.mq_unlink(queue_of(given))
    return into.raw[:size].decode()


def serves_at(sock: socket.socket, given: Given) -> bool:
    """Accept one connection in a child, which ends with it."""
    sock.listen(1)
    sock.settimeout(20)
    if os.fork() == 0:
        try:
            connection, _ = sock.accept()
            connection.send(given["word"].encode())
        except OSError:
            pass
        os._exit(0)
    return True


def serves_at_an_abstract_socket(given: Given) -> bool:
    sock = socket.socket(socket.AF_UNIX)
    sock.bind("\0" + given["word"])
    return serves_at(sock, given)


def asks_an_abstract_socket(given: Given) -> str:
    sock = socket.socket(socket.AF_UNIX)
    sock.settimeout(5)
    sock.connect("\0" + given["word"])
    return sock.recv(100).decode()


def serves_at_a_socket_in_its_scratch(given: Given) -> bool:
    sock = socket.socket(socket.AF_UNIX)
    sock.bind(os.path.join(os.environ["TMPDIR"], given["word"][-7:]))
    return serves_at(sock, given)


def asks_a_socket_in_a_scratch(given: Given) -> str:
    """In the scratch of the other, which it was told."""
    sock = socket.socket(socket.AF_UNIX)
    sock.settimeout(5)
    sock.connect(os.path.join(given["scratch"], given["word"][-7:]))
    return sock.recv(100).decode()


def serves_at_a_port(given: Given) -> bool:
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind(("127.0.0.1", given["free_port"]))
    return serves_at(sock, given)


def asks_a_port(given: Given) -> str:
    return socket.create_connection(("127.0.0.1", given["free_port"]), timeout=5).recv(100).decode()


def locks_a_common_file(given: Given) -> bool:
    KEPT.append(os.open(COMMON, os.O_RDONLY))
    fcntl.flock(KEPT[-1], fcntl.LOCK_SH)
    return True


def sees_a_lock_of_a_common_file(given: Given) -> str:
    with open(COMMON) as file:
        return held(given, lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB))


def locks_a_part_of_a_common_file(given: Given) -> bool:
    KEPT.append(os.open(COMMON, os.O_RDONLY))
    fcntl.lockf(KEPT[-1], fcntl.LOCK_SH, 1, 7)
    return True


def sees_a_lock_of_a_part(given: Given) -> str:
    """Asks who holds a lock, without setting one."""
    with open(COMMON) as file:
        asked = struct.pack("hhllhh", fcntl.F_WRLCK, 0, 7, 1, 0, 0)
        said = fcntl.fcntl(file, fcntl.F_GETLK, asked)
    if struct.unpack("hhllhh", said)[0] == fcntl.F_UNLCK:
        raise OSError("no lock")
    return str(given["word"])


def held(given: Given, lock: Any) -> str:
    try:
        lock()
    except BlockingIOError:
        return str(given["word"])
    raise OSError("no lock")


def leaves_a_key(given: Given) -> bool:
    word = given["word"].encode()
    checked(LIBC.syscall(ADD_KEY, b"user", b"nasty." + word[-7:], word, len(word), USER_KEYRING))
    return True


def finds_a_key(given: Given) -> str:
    name = b"nasty." + given["word"][-7:].encode()
    search = 10
    key = checked(LIBC.syscall(KEYCTL, search, USER_KEYRING, b"user", name, 0))
    into = ctypes.create_string_buffer(100)
    size = checked(LIBC.syscall(KEYCTL, KEYCTL_READ, key, into, 100))
    LIBC.syscall(KEYCTL, 9, key, USER_KEYRING)  # KEYCTL_UNLINK
    return into.raw[:size].decode()


def hints_at_its_sources(given: Given) -> bool:
    """How long the data of a file will live; the kernel keeps it with the file."""
    KEPT.append(os.open("sources", os.O_RDONLY))
    fcntl.fcntl(KEPT[-1], F_SET_RW_HINT, struct.pack("Q", 3))
    return True


def sees_a_hint(given: Given) -> str:
    with open("sources") as file:
        (hint,) = struct.unpack("Q", fcntl.fcntl(file, F_GET_RW_HINT, bytes(8)))
    if hint != 3:
        raise OSError(f"it is {hint}")
    return str(given["word"])


def flags_of_its_sources() -> int:
    said = bytearray(8)
    with open("sources") as file:
        fcntl.ioctl(file, GET_FLAGS, said)
    return int.from_bytes(said, sys.byteorder)


def flags_its_sources(given: Given) -> bool:
    """The mark that a backup leaves a file out; its owner may set it."""
    flags = (flags_of_its_sources() | NO_DUMP).to_bytes(8, sys.byteorder)
    with open("sources") as file:
        fcntl.ioctl(file, SET_FLAGS, flags)
    return True


def sees_a_flag(given: Given) -> str:
    if not flags_of_its_sources() & NO_DUMP:
        raise OSError("no flag")
    return str(given["word"])


if __name__ == "__main__":
    try:
        said = {"did": globals()[sys.argv[1]](json.loads(sys.argv[2]))}
    except OSError as error:
        said = {"refused": str(error)}
    print(json.dumps(said), flush=True)
    if sys.argv[3] == "stay":
        time.sleep(60)
