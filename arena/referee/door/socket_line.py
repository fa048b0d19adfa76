"""A line that passes open sockets from a runner to a job (SCM_RIGHTS of a Unix socket)."""

from __future__ import annotations

import socket
from array import array

import trio

# With each socket goes one byte: the kernel passes none without.
_BYTE = b"\0"
MOST_TRIES, AGAIN_SECONDS = 20, 0.05
_SPACE = socket.CMSG_SPACE(array("i").itemsize)


class SocketLine:
    """One end of the line. Sockets come out in the order in which they went in."""

    def __init__(self, end: socket.socket) -> None:
        self._end = trio.socket.from_stdlib_socket(end)

    def __repr__(self) -> str:
        return f"<SocketLine at descriptor {self._end.fileno()}>"

    async def send(self, sock: socket.socket) -> None:
        """Send a socket, which stays open here. Raises BrokenResourceError if the other end is
        gone, and OSError if the kernel refuses it in all tries of a second."""
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [sock.fileno()]))]
        for tries in range(1, MOST_TRIES + 1):
            try:
                await self._end.sendmsg([_BYTE], rights)
            except (BrokenPipeError, ConnectionResetError) as error:
                raise trio.BrokenResourceError from error
            except OSError:  # too many are on their way, say
                if tries == MOST_TRIES:
                    raise
                await trio.sleep(AGAIN_SECONDS)
            else:
                return

    async def receive(self) -> socket.socket:
        """Return the next socket; BrokenResourceError if the other end is gone."""
        try:
            data, ancillary, _, _ = await self._end.recvmsg(
                len(_BYTE), _SPACE, socket.MSG_CMSG_CLOEXEC
            )
        except OSError as error:
            raise trio.BrokenResourceError from error
        if not data:
            raise trio.BrokenResourceError
        descriptors = array("i")
        for _, _, payload in ancillary:
            descriptors.frombytes(payload)
        (descriptor,) = descriptors
        return socket.socket(fileno=descriptor)

    def close(self) -> None:
        """Close this end."""
        self._end.close()
