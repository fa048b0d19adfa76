"""The kernel's side of a seccomp filter: run a program on one system call, and say what it does.

Only what libseccomp makes is here: loads of 32 bits, masks, jumps and returns (seccomp(2)).
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Sequence

from arena.bots.confine.filters import numbers

ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}[platform.machine()]
ANOTHER_ARCHITECTURE = 0x40000003  # of 32 bits

_JUMP_EQUAL, _JUMP_GREATER, _JUMP_AT_LEAST, _JUMP_BITS = 0x15, 0x25, 0x35, 0x45
_ALLOW, _ERRNO, _NOTIFY = 0x7FFF0000, 0x00050000, 0x7FC00000


def decided(
    program: bytes, name: str, arguments: Sequence[int] = (), architecture: int = ARCHITECTURE
) -> str:
    """Return `allow`, `warden` (it is handed over), or the name of the error."""
    data = struct.pack(
        "=iIQ6Q", numbers([name])[name], architecture, 0, *(*arguments, *(0,) * 6)[:6]
    )
    code = [struct.unpack_from("=HBBI", program, at) for at in range(0, len(program), 8)]
    at = value = 0
    for _ in range(len(code)):
        operation, if_true, if_false, operand = code[at]
        at += 1
        match operation:
            case 0x20:
                (value,) = struct.unpack_from("=I", data, operand)
            case 0x54:
                value &= operand
            case 0x05:
                at += operand
            case 0x15 | 0x25 | 0x35 | 0x45:
                holds = {
                    _JUMP_EQUAL: value == operand,
                    _JUMP_GREATER: value > operand,
                    _JUMP_AT_LEAST: value >= operand,
                    _JUMP_BITS: bool(value & operand),
                }[operation]
                at += if_true if holds else if_false
            case 0x06:
                return _action(operand)
            case _:
                raise AssertionError(f"no such operation: {operation:#x}")
    raise AssertionError("the program does not end")


def _action(word: int) -> str:
    if word & 0xFFFF0000 == _ERRNO:
        return errno.errorcode[word & 0xFFFF]
    return {_ALLOW: "allow", _NOTIFY: "warden"}[word]
