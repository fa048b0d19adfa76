"""Reads one msgpack map from a bot, byte by byte, and tells exactly the first thing wrong.

The quick decoder says yes or no. After a no this reader finds the reason, so that the bot's
author gets a sentence instead of "malformed". It trusts no length: each is compared with the
bytes that are there, depth and number of values are bounded, and memory is taken only for
bytes that came.
"""

from __future__ import annotations

from protocol.breach import Breach
from protocol.codes import CODES
from protocol.limits import MAX_BOT_DEPTH, MAX_BOT_VALUES

_SHOWN_CHARS = 60
_BEGIN_CHARS = 16


def shown(value: object) -> str:
    """Return a value as a sentence may quote it: in ASCII, on one line, short."""
    match value:
        case None:
            return "nil"
        case bool():
            return "true" if value else "false"
        case int():
            return f"the number {value}"
        case str():
            cut = value[:_SHOWN_CHARS]
            text = ascii(cut)[1:-1].replace("\\'", "'").replace('"', '\\"')
            return f'"{text}"' + (f" ... ({len(value)} characters)" if cut != value else "")
        case list():
            return f"a list of {len(value)}"
        case dict():
            return f"a map of {len(value)}"
        case _:
            return f"a {type(value).__name__}"


def read_map(body: bytes) -> dict[str, object] | Breach:
    """Read the map in a body; a breach names the first thing wrong, from the front."""
    if not body:
        return Breach("cut-short", "an empty body", "one map")
    reader = _BodyReader(body)
    try:
        value = reader.value(1)
    except _Found as found:
        return found.breach
    if reader.at < len(body):
        return _trailing(body, reader.at)
    if not isinstance(value, dict):
        return Breach("not-a-map", f"the body is {shown(value)}", "one map with text keys")
    return value


def _trailing(body: bytes, end: int) -> Breach:
    """Build the breach of a value with more bytes after it.

    A body of JSON is one: its first byte, the brace, is read as the number 123.
    """
    if body[:1] in (b"{", b"["):
        begin = body[:_BEGIN_CHARS].decode("utf-8", "replace")
        came = f"the body begins {shown(begin)}: that is JSON, not msgpack"
        return Breach("trailing-bytes", came, "one map of msgpack", CODES["malformed"].advice)
    left = len(body) - end
    came = f"{left} more byte{'' if left == 1 else 's'} after byte {end - 1}"
    return Breach("trailing-bytes", came, "the end of the body")


class _Found(Exception):
    """Carries the breach out of the recursive reader; never leaves this module."""

    def __init__(self, code: str, came: str, expected: str):
        self.breach = Breach(code, came, expected)


class _BodyReader:
    """Reads the values of one body; `at` is the next byte to read, `values` counts those read."""

    __slots__ = ("at", "body", "values")

    def __init__(self, body: bytes):
        self.body = body
        self.at = 0
        self.values = 0

    def value(self, depth: int) -> object:
        self.values += 1
        if self.values > MAX_BOT_VALUES:
            raise _Found(
                "too-many-values", f"more than {MAX_BOT_VALUES} values", "the fields of SPEC 4"
            )
        start = self.at
        lead = self.take(1)[0]
        if lead <= 0x7F:
            return lead
        if lead >= 0xE0:
            return lead - 0x100
        if lead <= 0x8F:
            return self.map(lead & 0x0F, depth, start)
        if lead <= 0x9F:
            return self.list(lead & 0x0F, depth, start)
        if lead <= 0xBF:
            return self.text(lead & 0x1F)
        match lead:
            case 0xC0:
                return None
            case 0xC2 | 0xC3:
                return lead == 0xC3
            case 0xCC | 0xCD | 0xCE | 0xCF:
                return self.number(1 << (lead - 0xCC), signed=False)
            case 0xD0 | 0xD1 | 0xD2 | 0xD3:
                return self.number(1 << (lead - 0xD0), signed=True)
            case 0xD9 | 0xDA | 0xDB:
                return self.text(self.number(1 << (lead - 0xD9), signed=False))
            case 0xDC | 0xDD:
                return self.list(self.number(2 << (lead - 0xDC), signed=False), depth, start)
            case 0xDE | 0xDF:
                return self.map(self.number(2 << (lead - 0xDE), signed=False), depth, start)
            case 0xCA | 0xCB:
                raise _Found("float", f"a float at byte {start}", _ALLOWED)
            case 0xC4 | 0xC5 | 0xC6:
                raise _Found("bin", f"raw bytes (bin) at byte {start}", _ALLOWED)
            case 0xC1:
                raise _Found("malformed", f"the byte c1 at byte {start}", _ALLOWED)
            case _:
                raise _Found("ext", f"an extension type at byte {start}", _ALLOWED)

    def take(self, count: int) -> bytes:
        end = self.at + count
        taken = self.body[self.at : end]
        if len(taken) < count:
            raise _Found(
                "cut-short",
                f"the body ends after {len(self.body)} bytes, inside the value at byte {self.at}",
                f"{count - len(taken)} more",
            )
        self.at = end
        return taken

    def number(self, size: int, *, signed: bool) -> int:
        return int.from_bytes(self.take(size), "big", signed=signed)

    def text(self, size: int) -> str:
        start = self.at
        try:
            return self.take(size).decode()
        except UnicodeDecodeError:
            raise _Found("bad-utf8", f"the text at byte {start} is not UTF-8", "UTF-8") from None

    def list(self, count: int, depth: int, start: int) -> list[object]:
        self.check_depth(depth, start)
        return [self.value(depth + 1) for _ in range(count)]

    def map(self, count: int, depth: int, start: int) -> dict[str, object]:
        self.check_depth(depth, start)
        read: dict[str, object] = {}
        for _ in range(count):
            at = self.at
            key = self.value(depth + 1)
            if not isinstance(key, str):
                raise _Found("key-not-text", f"the key at byte {at} is {shown(key)}", "text")
            if key in read:
                raise _Found("duplicate-key", f"{shown(key)} a second time at byte {at}", "it once")
            read[key] = self.value(depth + 1)
        return read

    def check_depth(self, depth: int, start: int) -> None:
        if depth > MAX_BOT_DEPTH:
            raise _Found(
                "too-deep", f"depth {depth} at byte {start}", f"at most depth {MAX_BOT_DEPTH}"
            )


_ALLOWED = "whole numbers, text, lists, maps, true, false or nil"
