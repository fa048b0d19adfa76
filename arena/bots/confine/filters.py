"""From the tables of system calls to seccomp programs, by libseccomp.

pyseccomp is the thinnest binding to it that pip can install; it finds the system's own
libseccomp. It is loaded when the first filter is made, because a command that starts no bot
needs none.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from enum import Enum
from functools import cache
from types import ModuleType
from typing import Any

from arena.bots.confine import syscalls
from arena.bots.confine.syscalls import Compare, Rule


class NoFilters(Exception):
    """There is no libseccomp here; the message says how to get it."""


class Filter(Enum):
    """The programs there are.

    A bot gets REFUSE and one of ALONE and SHARED, a build REFUSE_BUILD and one of BUILD and
    BUILD_SHARED. What allows only what is named comes last: it refuses further filters.
    """

    REFUSE = "refuse what is refused to every bot, allow everything else"
    REFUSE_BUILD = "refuse what is refused to every build, allow everything else"
    BUILD = "allow what is named, for a build in the network of the machine"
    BUILD_SHARED = "as BUILD, for one that shares the file system too; hand connect to the warden"
    ALONE = "allow what is named, for a bot with a network and a file system of its own"
    SHARED = "allow what is named, for a bot that shares both; hand connect to the warden"
    CONNECT = "allow everything, and hand connect to the warden"


@cache
def program(kind: Filter) -> bytes:
    """Return a filter as the kernel takes it; raises NoFilters."""
    seccomp = _library()
    unknown = seccomp.ERRNO(errno.ENOSYS)
    match kind:
        case Filter.REFUSE | Filter.REFUSE_BUILD:
            made = _Maker(seccomp, seccomp.ALLOW)
            for refusal in syscalls.REFUSALS if kind is Filter.REFUSE else syscalls.REFUSED:
                made.add(seccomp.ERRNO(refusal.error), refusal.name, refusal.conditions)
        case Filter.CONNECT:
            made = _Maker(seccomp, seccomp.ALLOW)
            made.add(seccomp.NOTIFY, "connect")
        case Filter.BUILD | Filter.BUILD_SHARED:
            made = _Maker(seccomp, unknown)
            made.allow(syscalls.ALWAYS)
            made.allow(syscalls.names(syscalls.METADATA, syscalls.TIMES))
            made.allow_if((*syscalls.CONDITIONAL, *syscalls.SOCKETS_OF_BUILDS))
            made.add(seccomp.ALLOW if kind is Filter.BUILD else seccomp.NOTIFY, "connect")
        case Filter.ALONE:
            made = _Maker(seccomp, unknown)
            made.allow(syscalls.ALWAYS)
            made.allow(syscalls.names(syscalls.METADATA, syscalls.ALONE, "connect"))
            made.allow_if((*syscalls.CONDITIONAL, *syscalls.SOCKETS_ALONE))
        case Filter.SHARED:
            made = _Maker(seccomp, unknown)
            made.allow(syscalls.ALWAYS)
            made.allow_if((*syscalls.CONDITIONAL, *syscalls.SOCKETS_SHARED))
            made.add(seccomp.NOTIFY, "connect")
    return made.exported()


def numbers(names: Iterable[str]) -> dict[str, int]:
    """Return the numbers of system calls here, of those that libseccomp knows."""
    seccomp = _library()
    found = {name: seccomp.resolve_syscall(seccomp.Arch.NATIVE, name) for name in names}
    return {name: number for name, number in found.items() if number >= 0}


class _Maker:
    """A filter in the making."""

    def __init__(self, seccomp: ModuleType, default: int) -> None:
        self._seccomp = seccomp
        self._filter: Any = seccomp.SyscallFilter(default)
        # Programs of another architecture (32 bits on 64) would meet other numbers.
        self._filter.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.ERRNO(errno.ENOSYS))
        # A binary tree instead of a chain of comparisons.
        self._filter.set_attr(seccomp.Attr.CTL_OPTIMIZE, 2)

    def allow(self, names: Iterable[str]) -> None:
        for name in names:
            self.add(self._seccomp.ALLOW, name)

    def allow_if(self, rules: Iterable[Rule]) -> None:
        for rule in rules:
            self.add(self._seccomp.ALLOW, rule.name, rule.conditions)

    def add(self, action: int, name: str, conditions: tuple[Compare, ...] = ()) -> None:
        """Add a rule, unless this machine's libseccomp knows no such system call."""
        seccomp = self._seccomp
        if seccomp.resolve_syscall(seccomp.Arch.NATIVE, name) < 0:
            return
        compared = (_argument(seccomp, condition) for condition in conditions)
        self._filter.add_rule(action, name, *compared)

    def exported(self) -> bytes:
        descriptor = os.memfd_create("filter")
        with os.fdopen(descriptor, "r+b") as file:
            self._filter.export_bpf(file)
            file.seek(0)
            return file.read()


def _argument(seccomp: ModuleType, condition: Compare) -> Any:
    if condition.mask == syscalls.WHOLE:
        return seccomp.Arg(condition.index, seccomp.EQ, condition.value)
    return seccomp.Arg(condition.index, seccomp.MASKED_EQ, condition.mask, condition.value)


def _library() -> ModuleType:
    try:
        import pyseccomp
    except RuntimeError as error:  # what it raises where the library is missing
        raise NoFilters(
            "libseccomp is not installed; on Debian and Ubuntu: apt install libseccomp2"
        ) from error
    module: ModuleType = pyseccomp
    return module
