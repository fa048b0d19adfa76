"""Apply rules to this process, between fork and exec: limits, Landlock, system calls.

The order matters. Limits and cgroups need rights that the later steps take away; Landlock and the
filters come last, because they would refuse the steps before them, and no process can take them
off again.
"""

from __future__ import annotations

import ctypes
import os
import resource

from . import landlock
from .rules import Rules

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
PR_CAPBSET_DROP = 24
# More than there are; the kernel says where they end.
_MOST_CAPABILITIES = 64

_SET_MODE_FILTER = 1
_FLAG_NEW_LISTENER = 1 << 3
# seccomp(2) by machine; all newer ones share one number.
_SECCOMP = {"x86_64": 317, "i686": 354, "armv7l": 383, "ppc64le": 358, "s390x": 348}.get(
    os.uname().machine, 277
)

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long


class _Program(ctypes.Structure):
    """A filter as the kernel takes it (struct sock_fprog)."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def prctl(option: int, value: int) -> None:
    """Call prctl of the C library. Raises OSError."""
    if _LIBC.prctl(option, value, 0, 0, 0) != 0:
        raise _last_error()


def memory_files(files: dict[str, bytes]) -> dict[str, int]:
    """Make a memory file of each content, and return their descriptors by name: exec keeps them."""
    found = {}
    for name, content in files.items():
        descriptor = os.memfd_create(name, 0)
        os.write(descriptor, content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        found[name] = descriptor
    return found


def join_cgroups(rules: Rules) -> None:
    """Move this process into the cgroups that the warden has made for its bot."""
    for folder, _, _ in rules.cgroups:
        with open(os.path.join(folder, "cgroup.procs"), "wb", buffering=0) as file:
            file.write(b"0")  # the writer itself


def enter(rules: Rules) -> int | None:
    """Apply the rest of the rules; everything from here on runs under them. Raises OSError.

    Returns the descriptor that `connect` is reported on, None where the filters report nothing.
    """
    for number, limit in rules.rlimits:
        hard = resource.getrlimit(number)[1]
        most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(number, (most, most))
    if rules.landlock is not None and os.geteuid() == 0:
        _drop_capabilities()
    if rules.landlock is not None or rules.filters:
        prctl(PR_SET_NO_NEW_PRIVS, 1)
    if rules.landlock is not None:
        landlock.restrict(*rules.landlock)
    listener = None
    for place, instructions in enumerate(rules.filters):
        is_last = place == len(rules.filters) - 1
        found = _install(instructions, reports=is_last and rules.reach is not None)
        listener = found if is_last and rules.reach is not None else None
    return listener


def _drop_capabilities() -> None:
    """Have exec give no capability, not even to root: some of them outweigh Landlock."""
    for capability in range(_MOST_CAPABILITIES):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:  # EINVAL: that was the last one
            return


def _install(instructions: bytes, *, reports: bool) -> int:
    """Install a filter; `reports`: return a descriptor on which its reports come."""
    # Eight bytes for each instruction.
    program = _Program(len(instructions) // 8, instructions)
    flags = _FLAG_NEW_LISTENER if reports else 0
    result = int(_LIBC.syscall(_SECCOMP, _SET_MODE_FILTER, flags, ctypes.byref(program)))
    if result < 0:
        raise _last_error()
    return result


def _last_error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
