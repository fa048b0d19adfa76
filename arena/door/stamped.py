"""A TCP stream of Trio whose reads carry the kernel's arrival times."""

from __future__ import annotations

import contextlib
import socket

import trio
from trio.lowlevel import checkpoint_if_cancelled, wait_readable, wait_writable

from arena.referee.clock import Now
from arena.referee.wire.stamps import Stamps

READ_BYTES = 16_384
# The kernel keeps no more for us to read, so that input is soon read however small its pieces are;
# all that a bot says to one request is below a twentieth of it.
UNREAD_BYTES = 65_536
# A connection that has not taken a few kilobytes after so long does not read at all: the kernels of
# both machines hold hundreds of requests. It must be over well before a referee gives up waiting
# for the door (`MOST_CREDIT_US`), or a bot could have a match void that way.
TAKES_SECONDS = 2.0


class StampedStream(trio.abc.Stream):
    """Bytes of one socket, which it owns. `now` returns microseconds, as in `Stamps`.

    A broken connection is an ended one: a read gets b"".
    """

    def __init__(self, sock: socket.socket, now: Now):
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, UNREAD_BYTES)
        self._sock = sock
        self._stamps = Stamps(sock, now)
        self.now = now
        self.is_parked = False  # a reader waits, because all that has come is read
        self.sent_us = 0  # when the kernel was given the beginning of the last frames sent
        self.full_until_us = 0  # when the kernel last took bytes again after it had taken no more

    def __repr__(self) -> str:
        return f"<StampedStream at descriptor {self._sock.fileno()}>"

    @property
    def arrived_us(self) -> int:
        """The time at which the last of the bytes that were read arrived."""
        return self._stamps.arrived(None)

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Wait for bytes and return some; b"" at the end."""
        await checkpoint_if_cancelled()
        data = self._stamps.read(max_bytes or READ_BYTES)
        if data is not None:
            await trio.lowlevel.cancel_shielded_checkpoint()
            return data
        while data is None:
            self.is_parked = True
            try:
                await wait_readable(self._sock)
            finally:
                self.is_parked = False
            data = self._stamps.read(max_bytes or READ_BYTES)
        return data

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send these bytes, as fast as the other side reads. Raises BrokenResourceError if it does
        not read them all in TAKES_SECONDS."""
        await trio.lowlevel.checkpoint()
        left = memoryview(data)
        self.sent_us = self.now()
        until = None
        while left:
            try:
                left = left[self._sock.send(left) :]
            except BlockingIOError:
                until = until or trio.current_time() + TAKES_SECONDS
                with trio.move_on_at(until) as scope:
                    await wait_writable(self._sock)
                self.full_until_us = self.now()
                if scope.cancelled_caught:
                    raise trio.BrokenResourceError("the other side does not read") from None
            except OSError as error:
                raise trio.BrokenResourceError from error

    async def wait_send_all_might_not_block(self) -> None:
        """Wait until the socket takes bytes."""
        await wait_writable(self._sock)

    def send_no_more(self) -> None:
        """Close our direction, so that the other side reads all that was sent and then the end."""
        with contextlib.suppress(OSError):  # it is closed by the other side
            self._sock.shutdown(socket.SHUT_WR)

    async def aclose(self) -> None:
        """Close the socket."""
        if self._sock.fileno() != -1:
            trio.lowlevel.notify_closing(self._sock)
            self._sock.close()
        await trio.lowlevel.checkpoint()
