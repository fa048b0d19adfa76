"""The control socket of a running league: one act for a connection, and its answer.

A frame each way: a header of four bytes, big-endian, with the number of bytes that follow, then
msgpack. The socket lies in the league's folder, for its owner alone. A client that connects and
does not send a whole act soon is cut off, and disturbs nobody else.
"""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeAlias

import msgspec
import trio

from arena.league.control.acts import Act, Told
from arena.referee.door.socket_file import address_in, listening_in

FILE_NAME = "control.sock"
HEADER = struct.Struct(">I")
# An act is a few hundred bytes: the longest is a bot's table.
MOST_BYTES = 65_536
# The longest wait for a whole act, and for somebody to take its answer.
PATIENCE_SECONDS = 5.0
MOST_AT_ONCE = 16
# An act may wait for a store that another program has locked, and hash the files of many bots.
ANSWER_SECONDS = 120.0
# The pause before the next try where no connection could be accepted.
AGAIN_SECONDS = 0.1
_CREDENTIALS = struct.Struct("3i")  # of SO_PEERCRED: process, user, group
_ROOT = 0

_act: msgspec.msgpack.Decoder[Act] = msgspec.msgpack.Decoder(Act)
_told = msgspec.msgpack.Decoder(Told)

Answer: TypeAlias = Callable[[Act], Awaitable[Told]]
"""Called with an act that came; its answer is sent back."""


class ControlFailed(Exception):
    """A league listens, and its answer did not come; the text has the remedy."""


@asynccontextmanager
async def open_control(folder: Path, answer: Answer) -> AsyncIterator[None]:
    """Listen for acts in the folder of a league while the block runs.

    The caller holds the league's lock, so a socket that is there was left by a run that was killed,
    and is replaced. `answer` is called in a task of its own for each act, of several perhaps at a
    time; an exception in it ends the block. An act that is not answered when the block ends is
    cancelled.
    """
    with listening_in(folder, FILE_NAME, MOST_AT_ONCE) as listening:
        listener = trio.SocketListener(trio.socket.from_stdlib_socket(listening))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_serve, listener, answer)
            yield
            nursery.cancel_scope.cancel()


async def _serve(listener: trio.SocketListener, answer: Answer) -> None:
    """Accept connections; those for which there is no place wait in the kernel's queue."""
    places = trio.Semaphore(MOST_AT_ONCE)
    async with trio.open_nursery() as nursery:
        while True:
            await places.acquire()
            try:
                stream = await listener.accept()
            except OSError:  # no descriptor is free, say: others are, when matches end
                places.release()
                await trio.sleep(AGAIN_SECONDS)
            else:
                nursery.start_soon(_serve_one, stream, answer, places)


async def _serve_one(stream: trio.SocketStream, answer: Answer, places: trio.Semaphore) -> None:
    act = None
    try:
        async with stream:
            with trio.move_on_after(PATIENCE_SECONDS), suppress(trio.BrokenResourceError):
                act = await _received(stream) if _is_ours(stream) else None
            if act is None:
                return
            frame = _frame(await answer(act))
            with trio.move_on_after(PATIENCE_SECONDS), suppress(trio.BrokenResourceError):
                await stream.send_all(frame)
    finally:
        places.release()


def _is_ours(stream: trio.SocketStream) -> bool:
    """Tell whether the user at the other end is this one, or root."""
    packed = stream.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    _, user, _ = _CREDENTIALS.unpack(packed)
    return user in (os.getuid(), _ROOT)


async def _received(stream: trio.SocketStream) -> Act | None:
    """Receive an act; None if something else came, or the other side closed before it was whole."""
    buffer = b""
    while (end := _end_of(buffer)) is None or len(buffer) < end:
        if end is not None and not HEADER.size < end <= HEADER.size + MOST_BYTES:
            return None
        data = await stream.receive_some(MOST_BYTES)
        if not data:
            return None
        buffer += data
    try:
        return _act.decode(buffer[HEADER.size : end])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _end_of(buffer: bytes) -> int | None:
    """Return the length of the frame that begins here, with its header; None if that is cut off."""
    if len(buffer) < HEADER.size:
        return None
    (length,) = HEADER.unpack_from(buffer)
    return HEADER.size + int(length)


def _frame(message: Act | Told) -> bytes:
    body = msgspec.msgpack.encode(message)
    return HEADER.pack(len(body)) + body


def ask(folder: Path, act: Act) -> Told | None:
    """Have the run of the league in this folder perform an act; None if nobody listens.

    Raises ControlFailed where somebody does, and no answer comes.
    """
    try:
        with (
            address_in(folder, FILE_NAME) as address,
            socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection,
        ):
            connection.settimeout(ANSWER_SECONDS)
            connection.connect(address)
            connection.sendall(_frame(act))
            return _told.decode(_answer_from(connection))
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    except PermissionError:
        raise ControlFailed(
            f"{folder / FILE_NAME}: only the user who plays this league may order anything of it"
        ) from None
    except (OSError, EOFError, msgspec.MsgspecError):
        raise ControlFailed(
            f"{folder}: this league is being played, and gave no answer; it may have been stopping."
            " Look with `arena who` whether the change was made before you try again"
        ) from None


def _answer_from(connection: socket.socket) -> bytes:
    with connection.makefile("rb") as stream:
        header = stream.read(HEADER.size)
        if len(header) < HEADER.size:
            raise EOFError
        (length,) = HEADER.unpack(header)
        body = stream.read(length)
        if len(body) < length:
            raise EOFError
    return body
