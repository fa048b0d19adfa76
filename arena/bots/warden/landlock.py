"""The three system calls of Landlock, and its rights by ABI.

By hand, because they are made between fork and exec in a process that loads no packages.
Numbers and layouts are the kernel's (include/uapi/linux/landlock.h), the same on every machine.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys

_CREATE_RULESET = 444
_ADD_RULE = 445
_RESTRICT_SELF = 446
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1

EXECUTE = 1 << 0
WRITE_FILE = 1 << 1
READ_FILE = 1 << 2
READ_DIR = 1 << 3
REMOVE_DIR = 1 << 4
REMOVE_FILE = 1 << 5
MAKE_CHAR = 1 << 6
MAKE_DIR = 1 << 7
MAKE_REG = 1 << 8
MAKE_SOCK = 1 << 9
MAKE_FIFO = 1 << 10
MAKE_BLOCK = 1 << 11
MAKE_SYM = 1 << 12
REFER = 1 << 13
TRUNCATE = 1 << 14
IOCTL_DEV = 1 << 15

BIND_TCP = 1 << 0
CONNECT_TCP = 1 << 1

SCOPE_ABSTRACT_UNIX_SOCKET = 1 << 0
SCOPE_SIGNAL = 1 << 1

# The only rights that a rule for a file, not a folder, may have.
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

# What each ABI added: files, TCP, scopes.
_ADDED = {
    1: ((1 << 13) - 1, 0, 0),
    2: (REFER, 0, 0),
    3: (TRUNCATE, 0, 0),
    4: (0, BIND_TCP | CONNECT_TCP, 0),
    5: (IOCTL_DEV, 0, 0),
    6: (0, 0, SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL),
}

_SYSCALL = ctypes.CDLL(None, use_errno=True).syscall
_SYSCALL.restype = ctypes.c_long


def abi() -> int:
    """Return the ABI of this kernel's Landlock; 0 if it has none, or has it switched off."""
    version = int(_SYSCALL(_CREATE_RULESET, None, ctypes.c_size_t(0), _CREATE_RULESET_VERSION))
    return max(version, 0)


def rights_of(version: int) -> tuple[int, int, int]:
    """Return all rights that an ABI knows: files, TCP, scopes."""
    files = tcp = scopes = 0
    for since, (more_files, more_tcp, more_scopes) in _ADDED.items():
        if since <= version:
            files |= more_files
            tcp |= more_tcp
            scopes |= more_scopes
    return files, tcp, scopes


def restrict(files: int, tcp: int, scopes: int, paths: tuple[tuple[str, int], ...]) -> None:
    """Refuse this process and its children all of these rights but for the given paths.

    A path that is not there, or that this user cannot reach, is left out: nothing can be done
    with it anyway. Raises OSError. The caller has set PR_SET_NO_NEW_PRIVS.
    """
    attributes = b"".join(value.to_bytes(8, sys.byteorder) for value in (files, tcp, scopes))
    # Older kernels know a shorter structure, and take a longer one whose rest is zero.
    ruleset = _call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    try:
        for path, access in paths:
            try:
                descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except (FileNotFoundError, NotADirectoryError, PermissionError):
                continue
            try:
                if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
                    access &= _OF_FILES
                access &= files
                if access:
                    rule = access.to_bytes(8, sys.byteorder) + descriptor.to_bytes(4, sys.byteorder)
                    _call(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
            finally:
                os.close(descriptor)
        _call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _call(number: int, *arguments: object) -> int:
    result = int(_SYSCALL(number, *arguments))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result
