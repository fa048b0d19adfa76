"""The packets between a referee and `arena door`: one SOCK_SEQPACKET socket for each bot.

A packet has a header and perhaps bytes of the bot's connection, and is read whole or not at all:
so nothing of a half-read one has to be handed over when a connection changes its process, and each
carries its own times. Times are whole microseconds of CLOCK_MONOTONIC, which both processes read.

    door to referee   FROM    the address of the bot's machine, as text; the first packet
                      BYTES   bytes of the bot, the time at which they arrived, and the delay
                      ENDED   the bot's connection has ended; the last packet
                      HERE    the answer to ASK, with its time: all that came before was sent on;
                              and the delay
    referee to door   BYTES   bytes for the bot, and the time at which they were sent
                      ASK     is the door awake?

The delay is the time for which the door has held the last packet for the bot before it went out.
A connection that ends without ENDED was lost with the door, and not by its bot.
Only a process that can open the socket's path, in a folder of the league's owner, can claim any of
this.
"""

from __future__ import annotations

import socket
from enum import IntEnum
from struct import Struct
from typing import Final, NamedTuple, Protocol

from arena.referee.clock import Now
from arena.referee.wire.outbox import Outbox


class HasType(Protocol):
    """A socket, of the standard library or of Trio."""

    @property
    def type(self) -> int: ...


def is_relayed(sock: HasType) -> bool:
    """Tell whether a door is at the other end of this socket."""
    return sock.type == socket.SOCK_SEQPACKET


class Kind(IntEnum):
    """The kind of a packet."""

    FROM = 1
    BYTES = 2
    ENDED = 3
    ASK = 4
    HERE = 5


# Kind, three bytes that are 0, delay, time.
_HEADER: Final = Struct("=B3xIQ")
MOST_PAYLOAD_BYTES: Final = 16_384
MOST_PACKET_BYTES: Final = _HEADER.size + MOST_PAYLOAD_BYTES
MOST_DELAY_US: Final = 0xFFFF_FFFF
# The most that a door may say it has kept bytes, both ways together, and the longest wait for its
# answer to ASK: a door that is slower than that has lost the connection for all that matters.
MOST_CREDIT_US: Final = 5_000_000


class Packet(NamedTuple):
    """One packet. `at_us`: when its bytes arrived or were sent; `delay_us`: as above."""

    kind: Kind
    at_us: int
    delay_us: int = 0
    payload: bytes = b""

    def packed(self) -> bytes:
        """Return the packet as it is sent."""
        delay = min(max(self.delay_us, 0), MOST_DELAY_US)
        return _HEADER.pack(self.kind, delay, self.at_us) + self.payload


def unpacked(packet: bytes) -> Packet:
    """Return the packet in these bytes. Raises ValueError if there is none."""
    if len(packet) < _HEADER.size:
        raise ValueError(f"a packet of {len(packet)} bytes; its header has {_HEADER.size}")
    kind, delay_us, at_us = _HEADER.unpack_from(packet)
    return Packet(Kind(kind), at_us, delay_us, packet[_HEADER.size :])


class RelayStamps:
    """The referee's end of a door's socket: reads packets, with the times that the door gives.

    It takes the place of `Stamps`. `now` is the referee's clock in microseconds.
    """

    __slots__ = (
        "_arrived",
        "_now",
        "_sock",
        "has_ended",
        "here_delay_us",
        "here_us",
        "was_cut",
    )

    def __init__(self, sock: socket.socket, now: Now):
        self._sock = sock
        self._now = now
        self._arrived = now()
        self.has_ended = False  # the door said that the bot's connection has ended
        self.was_cut = False  # the door's end is closed, and it had not said so
        self.here_us = -1  # the time of the last ASK that was answered
        self.here_delay_us = 0  # the delay of the last bytes for the bot, as it was told then

    def arrived(self, found: int | None) -> int:
        """Return when the bytes last read came to the door, less its delay on the way to the bot.

        `found` is not needed.
        """
        return self._arrived

    def acknowledge(self) -> None:
        """Do nothing: the kernel of the door's other socket acknowledges."""

    def read(self, most: int) -> bytes | None:
        """Return the bytes of the next packet; b"" at the end, None if there are none yet.

        `most` is not needed: a packet is read whole, and the sender bounds it.
        """
        has_reset = False
        while True:
            try:
                data = self._sock.recv(MOST_PACKET_BYTES)
            except BlockingIOError:
                return None
            except ConnectionResetError:
                # The other end was closed with packets unread: told once, before the packets it
                # sent.
                if has_reset:
                    return self._at_end()
                has_reset = True
                continue
            except OSError:
                return self._at_end()
            if not data:
                return self._at_end()
            packet = unpacked(data)
            if packet.kind is Kind.HERE:
                self.here_us = packet.at_us
                self.here_delay_us = min(packet.delay_us, MOST_CREDIT_US)
                continue
            self._note(packet)
            if packet.kind is Kind.ENDED:
                self.has_ended = True
                return b""
            if packet.kind is Kind.BYTES and packet.payload:
                return packet.payload

    def _at_end(self) -> bytes:
        self.was_cut = not self.has_ended
        return b""

    def _note(self, packet: Packet) -> None:
        now = self._now()
        arrived = min(packet.at_us, now) - packet.delay_us
        self._arrived = max(arrived, now - MOST_CREDIT_US)


class RelayOutbox(Outbox):
    """Sends bytes to a bot as packets for the door, with the time of each."""

    __slots__ = ("_now",)

    def __init__(self, sock: socket.socket, now: Now):
        super().__init__(sock)
        self._now = now

    def put(self, data: bytes) -> bool:
        """Send kept bytes, then these, as far as the socket takes them; False if some are kept."""
        data = self.unsent + data
        while data:
            packet = Packet(Kind.BYTES, self._now(), 0, data[:MOST_PAYLOAD_BYTES])
            try:
                self._sock.send(packet.packed())
            except BlockingIOError:
                self.unsent = data
                return False
            except OSError:
                break  # the connection is broken; the next read reports it
            data = data[MOST_PAYLOAD_BYTES:]
        self.unsent = b""
        return True
