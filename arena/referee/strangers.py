"""Who has connected and not said hello yet, and what he is told if it comes to nothing."""

from __future__ import annotations

import os
import socket
import struct
from typing import TypeAlias

import trio

from protocol.breach import Breach
from protocol.breaches import half_a_hello
from protocol.encode import encode
from protocol.farewells import farewell
from protocol.messages import Bye
from protocol.server_end import ServerEnd

# At one door at once. More are let in as these leave; beyond it the oldest has to go.
MOST_STRANGERS = 512
NOBODY = "(somebody)"  # until its token is known; no entrant is called so
_CREDENTIALS = struct.Struct("3i")  # process, user, group


class Stranger:
    """A connection that has not said hello yet."""

    def __init__(self, sock: trio.socket.SocketType):
        self.sock = sock
        self.name = NOBODY
        self.session: int | None = None
        self.scope = trio.CancelScope()
        self.end = ServerEnd()


Door: TypeAlias = dict[Stranger, None]
"""The strangers at one address, who came first in front."""


async def say(sock: trio.socket.SocketType, bye: Bye) -> None:
    """A refusal that is read, if the other side reads: then nothing more."""
    try:
        await sock.send(encode(bye))
    except OSError:
        return


def send_away_oldest(door: Door) -> None:
    """To make room."""
    oldest = next(iter(door), None)
    if oldest is not None:
        del door[oldest]
        oldest.scope.cancel()


def too_slow(end: ServerEnd) -> Bye:
    """For who has not said hello by now, and maybe not even half of one."""
    if end.is_between_frames:
        return farewell("no-hello")
    return farewell("frame-unfinished", end.unfinished().text)


def begun_by(stranger: Stranger) -> Breach | None:
    """What it has begun to say and not finished, for whoever waits for its hello."""
    end = stranger.end
    return None if end.is_between_frames else half_a_hello(end.unfinished())


def session_of(sock: trio.socket.SocketType) -> int | None:
    """The session of who has connected: a bot's is the number of its first process."""
    if sock.family != socket.AF_UNIX:
        return None
    packed = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid: int = _CREDENTIALS.unpack(packed)[0]
    try:
        return os.getsid(pid)
    except OSError:  # it has gone already, or is not of this machine's
        return pid or None
