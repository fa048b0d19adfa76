"""Frames: four bytes of length, big-endian, then that many bytes of body (SPEC 3).

Bytes in, bodies out, however they were cut on the way. A length over the limit is refused
as soon as its four bytes are there, so a peer can never make us hold more than one frame and
the rest of one read.
"""

from __future__ import annotations

from protocol.errors import Misuse
from protocol.limits import HEADER_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from protocol.breach import Breach

# A header that announces no more than this may be a real length, of a message too long; one that
# announces more is taken for text, or for something else that is no header.
_MAY_BE_MEANT_BYTES = 1 << 20


def frame(body: bytes, max_body_bytes: int) -> bytes:
    """Join header and body, to be sent with one call; Misuse if the body is over the limit."""
    if len(body) > max_body_bytes:
        raise Misuse(f"a body of {len(body)} bytes; at most {max_body_bytes} may be sent (SPEC 8)")
    return len(body).to_bytes(HEADER_BYTES, "big") + body


class FrameReader:
    """Cuts a stream of bytes into bodies of at most `max_body_bytes`, one at a time.

    `read(data)` adds the bytes received and gives the first whole body, or None if there is
    none yet; `read()` gives the next. A breach is final: every further read gives it again.
    """

    __slots__ = ("_breach", "_max_body_bytes", "held")

    def __init__(self, max_body_bytes: int):
        self._max_body_bytes = max_body_bytes
        self.held = b""  # bytes received of bodies not given yet, headers included
        self._breach: Breach | None = None

    def read(self, data: bytes = b"") -> bytes | Breach | None:
        """Give the next body or a breach; None if more bytes are needed."""
        # Nearly always a read brings exactly one frame: it needs no buffer and one copy.
        # All other cases, a header that is not whole and a length over the limit too, go below.
        if (
            data
            and not self.held
            and int.from_bytes(data[:HEADER_BYTES], "big") == len(data) - HEADER_BYTES
            and len(data) - HEADER_BYTES <= self._max_body_bytes
            and self._breach is None
        ):
            return data[HEADER_BYTES:]
        return self._read_held(data)

    def _read_held(self, data: bytes) -> bytes | Breach | None:
        if self._breach is not None:
            return self._breach
        held = self.held = self.held + data
        header = held[:HEADER_BYTES]
        if len(header) < HEADER_BYTES:
            return None
        length = int.from_bytes(header, "big")
        if length > self._max_body_bytes:
            self._breach = too_long(length, self._max_body_bytes, header)
            self.held = b""
            return self._breach
        end = HEADER_BYTES + length
        if len(held) < end:
            return None
        self.held = held[end:]
        return held[HEADER_BYTES:end]

    @property
    def is_between_frames(self) -> bool:
        """True if no byte of a further frame has come."""
        return not self.held

    def unfinished(self) -> Breach:
        """Build the breach of a peer that began a frame and did not finish it."""
        # Imported here, and below, because a bot starts sooner without the table of codes.
        from protocol.breach import Breach

        held, advice = len(self.held), ""
        if held < HEADER_BYTES:
            came = f"{held} of a header's 4 bytes, and no more"
        else:
            length = int.from_bytes(self.held[:HEADER_BYTES], "big")
            came = f"{held - HEADER_BYTES} of the {length} bytes your header announces, and no more"
            if held == length:
                advice = "Let the header count the body only, without its own four bytes."
        return Breach("frame-unfinished", came, "the whole frame at once", advice)


def too_long(length: int, limit: int, header: bytes) -> Breach:
    """Build the breach of a header that announces `length` bytes, more than `limit`.

    Where the header's bytes are readable text it quotes them: a stray print is a common cause.
    """
    from protocol.breach import Breach

    came, advice = f"a header of {header.hex(' ')}, a length of {length}", ""
    if all(32 <= byte < 127 for byte in header):
        came += f' (as text: "{header.decode()}"; did something print to the socket?)'
    elif length <= _MAY_BE_MEANT_BYTES:
        more = length - limit
        advice = f"If that is its length, the message is {more} bytes too long: shorten it."
    return Breach("frame-too-long", came, f"at most {limit}", advice)
