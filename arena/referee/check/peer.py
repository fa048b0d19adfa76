"""One run of the bot under check, and our end of its wire.

Unlike a match's link this end may send anything, cut and joined anywhere. What comes back is
judged by the same `ServerEnd` that judges in matches.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import trio

from arena.referee.addresses import TcpAddress, UnixAddress
from arena.referee.check.forms import Form, Packer, framed, pack, unframed
from arena.referee.check.measure import Measures
from arena.referee.clock import now_us
from arena.referee.house import Program, inherited_env
from arena.referee.launch import Exit, Launch
from arena.referee.not_started import CannotStart
from arena.referee.processes import BotProcess, Warden
from protocol.breach import Breach
from protocol.breaches import cannot_start, exited, half_a_hello, no_connection, no_hello
from protocol.limits import CONNECT_VARIABLE, TOKEN_VARIABLE
from protocol.messages import Bye, End, Fault, Hello, Start, Welcome
from protocol.server_end import Received, ServerEnd

READ_BYTES = 8192
# Between single bytes: enough for the other side to wake up and find just this one.
PAUSE_SECONDS = 0.0003
# A frame in two writes on TCP without TCP_NODELAY: the second waits for the acknowledgement of
# the first, which the kernel puts off for 40 ms. Nothing else takes so long inside a frame.
NAGLE_US = 20_000

Tap: TypeAlias = Callable[[str, bytes], None]
"""Called with `sent` or `came` and the bytes of a frame or of what was read; with `token` and
what ARENA_TOKEN holds before each start."""


@dataclass
class Pieces:
    """How answers arrived: frames, those that took more than one read, the longest gap."""

    frames: int = 0
    in_pieces: int = 0
    longest_gap_us: int = 0


@dataclass
class Runs:
    """What every run of the bot shares: where it is started, and what is measured."""

    warden: Warden
    program: Program
    folder: Path  # ours alone: for the sockets
    start_ms: int
    tap: Tap | None = None
    measures: Measures = field(default_factory=Measures)
    pieces: dict[str, Pieces] = field(default_factory=dict)  # by kind of address
    count: int = 0

    def address(self, kind: str) -> UnixAddress | TcpAddress:
        """A place to listen at that was never used before."""
        match kind:
            case "unix":
                return UnixAddress(self.folder / f"door{self.count}")
            case "tcp6":
                return TcpAddress("::1")
            case _:
                return TcpAddress()


class Peer:
    """A bot that runs and has said hello."""

    def __init__(self, runs: Runs, process: BotProcess, stream: trio.SocketStream, pieces: Pieces):
        self.process = process
        self.end = ServerEnd()
        self.hello_took_us = 0
        self.last_read = b""
        self.last_read_us = 0
        self.last_write_us = 0  # just before the last byte
        self._runs = runs
        self.stream = stream
        self._pieces = pieces
        self._held = bytearray()
        self._piece_at: int | None = None  # when the first part of a frame came

    def __repr__(self) -> str:
        return f"<Peer {self.process!r} {self.end!r}>"

    # What goes out.

    def hold(self, message: Welcome | Start | Fault | End | Bye, form: Form | None = None) -> None:
        """Put a message aside, to be sent with the next `flush`."""
        self.hold_frame(self.end.send(message), form)

    def hold_frame(self, data: bytes, form: Form | None = None, packer: Packer = pack) -> None:
        """A frame as the encoder made it, or the same in another form."""
        if form is not None or packer is not pack:
            message = unframed(data)
            data = framed(form(message) if form is not None else message, packer)
        if self._runs.tap is not None:
            self._runs.tap("sent", data)
        self._held += data

    async def flush(self, cuts: Iterable[int] | None = None) -> None:
        """Send all that is held, in one write, or cut after these numbers of bytes.

        A connection that is broken is found so by the next read.
        """
        data, self._held = bytes(self._held), bytearray()
        try:
            self.last_write_us = now_us()
            if cuts is None:
                await self.stream.send_all(data)
                return
            before = 0
            for cut in [*cuts, len(data)]:
                self.last_write_us = now_us()
                await self.stream.send_all(data[before:cut])
                before = cut
                await trio.sleep(PAUSE_SECONDS)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            await trio.lowlevel.checkpoint()

    async def flush_part(self, size: int) -> None:
        """Send the first so many bytes of what is held, and forget the rest."""
        del self._held[size:]
        await self.flush()

    @property
    def held_bytes(self) -> int:
        return len(self._held)

    # What comes in.

    async def hear(self, seconds: float) -> Received | None:
        """The next thing that comes; None if nothing does."""
        what = self.end.receive()
        with trio.move_on_after(seconds):
            while what is None:
                data = await self._read()
                if not data:
                    return self.end.closed()
                what = self.end.receive(data)
                self._note_pieces(what)
        return what

    async def _read(self) -> bytes:
        try:
            data = await self.stream.receive_some(READ_BYTES)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            data = b""
        self.last_read_us = now_us()
        self.last_read = data or self.last_read
        if data and self._runs.tap is not None:
            self._runs.tap("came", data)
        return data

    def _note_pieces(self, what: Received | None) -> None:
        if what is None:
            if self._piece_at is None:
                self._piece_at = self.last_read_us
            return
        self._pieces.frames += 1
        if self._piece_at is not None:
            gap = self.last_read_us - self._piece_at
            self._pieces.in_pieces += 1
            self._pieces.longest_gap_us = max(self._pieces.longest_gap_us, gap)
            self._piece_at = None

    # The end of it.

    async def stderr(self) -> str:
        """The end of what it has printed there."""
        return str((await self.process.tails()).stderr)

    async def leaves(self, seconds: float) -> Exit | None:
        """How it ends by itself; None if it does not in this time."""
        with trio.move_on_after(seconds):
            return await self.process.exited()
        return None

    async def close(self) -> None:
        """Close the connection without a word."""
        await self.stream.aclose()

    async def kill(self) -> None:
        """End it, whatever it is doing."""
        if self.process.exit is None:
            self._runs.measures.weigh(self.process.pid)
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(self.stream)
            await self.process.end()


@dataclass(frozen=True)
class NoHello:
    """Why there is none, whether it connected, what came instead, and what it printed."""

    breach: Breach
    connected: bool = False
    body: bytes = b""
    stderr: str = ""
    stdout: str = ""  # only if it never connected: else nothing of it is of interest


async def start(runs: Runs, token: str, kind: str) -> tuple[Peer, Hello] | NoHello:
    """Start the bot and hear its hello."""
    runs.count += 1
    address = runs.address(kind)
    listener, place = address.listen(1)
    program = runs.program
    env = {**inherited_env(), **program.env}
    env |= {CONNECT_VARIABLE: place, TOKEN_VARIABLE: token}
    if runs.tap is not None:
        runs.tap("token", token.encode())
    began = now_us()
    try:
        try:
            process = await runs.warden.start(
                Launch(program.name, program.command, env, program.folder, logs=program.logs)
            )
        except CannotStart as error:
            return NoHello(cannot_start(str(error)))
        pieces = runs.pieces.setdefault(kind, Pieces())
        came = await _until_hello(runs, process, listener, pieces)
        if isinstance(came, NoHello):
            await process.end()
            tails = await process.tails()
            stdout = "" if came.connected else str(tails.stdout)
            return replace(came, stderr=str(tails.stderr), stdout=stdout)
        peer, hello = came
        peer.hello_took_us = peer.last_read_us - began
        runs.measures.starts_us.append(peer.hello_took_us)
        return peer, hello
    finally:
        listener.socket.close()
        address.clean_up()


async def _until_hello(
    runs: Runs, process: BotProcess, listener: trio.SocketListener, pieces: Pieces
) -> tuple[Peer, Hello] | NoHello:
    """Connected and greeted; or what came instead, its end or nothing."""
    came: tuple[Peer, Hello] | Breach = no_connection(runs.start_ms)
    peer: Peer | None = None

    async def watch() -> None:
        nonlocal came
        came = exited(str(await process.exited()))
        nursery.cancel_scope.cancel()

    try:
        async with trio.open_nursery() as nursery:
            nursery.cancel_scope.deadline = trio.current_time() + runs.start_ms / 1000
            nursery.start_soon(watch)
            stream = await listener.accept()
            if stream.socket.family != socket.AF_UNIX:
                stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            came = no_hello(runs.start_ms)
            peer = Peer(runs, process, stream, pieces)
            what = await peer.hear(float("inf"))
            if isinstance(what, Hello):
                came = peer, what
            elif isinstance(what, Breach) and what.code == "closed":
                # It has hung up, or is just ending: then how says more.
                with trio.move_on_after(0.2):
                    await trio.sleep_forever()
                came = Breach("no-hello", "a connection that was closed again", "a hello on it")
            elif isinstance(what, Breach):
                came = what
            nursery.cancel_scope.cancel()
    finally:
        if peer is not None and isinstance(came, Breach):
            await trio.aclose_forcefully(peer.stream)
    if not isinstance(came, Breach):
        return came
    if peer is None:
        return NoHello(came)
    if came.code == "no-hello" and not peer.end.is_between_frames:
        came = half_a_hello(peer.end.unfinished())
    return NoHello(came, True, peer.end.body)
