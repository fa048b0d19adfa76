"""One run of the bot under check, and our end of its connection.

Unlike a match's link this end may send anything, cut and joined anywhere. Messages of the bot are
judged by the same `ServerEnd` as in matches.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import trio

from arena.bots.confine.confiner import Confiner
from arena.bots.launch import Exit
from arena.bots.prepare import why_not
from arena.bots.processes import BotProcess, Warden
from arena.bots.program import Program
from arena.bots.refused import CannotStart
from arena.check.forms import Form, Packer, framed, pack, unframed
from arena.check.measure import Measures
from arena.referee.clock import Now, now_us
from arena.referee.door.addresses import TcpAddress, UnixAddress
from arena.referee.door.strangers import too_slow
from arena.referee.players.started import GRACE_MS
from protocol.breach import Breach
from protocol.breaches import cannot_start, exited, half_a_hello, no_connection, no_hello
from protocol.farewells import refusal
from protocol.limits import CONNECT_VARIABLE, TOKEN_VARIABLE
from protocol.messages import Bye, End, Fault, Hello, Start, Welcome
from protocol.order import ConnectionState
from protocol.server_end import Received, ServerEnd

READ_BYTES = 8192
# Pause between single bytes: long enough for the other side to wake up and read just this one.
PAUSE_SECONDS = 0.0003
# A frame in two writes on TCP without TCP_NODELAY: the second waits for the acknowledgement of
# the first, which the kernel puts off for 40 ms. Nothing else takes so long inside a frame.
NAGLE_US = 20_000

Tap: TypeAlias = Callable[[str, bytes], None]
"""Called with "sent" or "came" and the bytes of a frame or of a read; and before each start with
"token" and the value of ARENA_TOKEN."""


@dataclass
class Pieces:
    """The way answers arrived: frames, those that took more than one read, the longest gap."""

    frames: int = 0
    in_pieces: int = 0
    longest_gap_us: int = 0


# Advice for a program that ended before its hello: what it printed stands below, as far as it did.
ENDED = (
    "Look at its exit code and at what it printed; if that is nothing, start it by hand. A bot"
    ' without Unix sockets needs connect = ["tcp"] in its bot.toml.'
)

# The kind of address of a bot that comes through a door.
DOOR = "door"


@dataclass(frozen=True)
class Through:
    """A door or a proxy before us: the bot dials `at`, and its connections come to `listen`."""

    at: str
    listen: TcpAddress


@dataclass
class Runs:
    """All that the runs of the bot share: program, sockets, measures."""

    warden: Warden
    confiner: Confiner
    program: Program
    folder: Path  # for the sockets; no other program may enter it
    start_ms: int
    tap: Tap | None
    measures: Measures = field(default_factory=Measures)
    pieces: dict[str, Pieces] = field(default_factory=dict)  # by kind of address
    count: int = 0
    now: Now = now_us  # the clock of all that is measured
    through: Through | None = None

    def address(self, kind: str) -> UnixAddress | TcpAddress:
        """Return an address to listen at: unix, tcp or tcp6, never used before, or that behind a
        door."""
        match kind:
            case "door":
                assert self.through is not None
                return self.through.listen
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
        self.now = runs.now
        self.end = ServerEnd()
        self.hello_took_us = 0
        self.last_read = b""
        self.last_read_us = 0
        self.last_write_us = 0  # time just before the last byte was written
        self._runs = runs
        self.stream = stream
        self._pieces = pieces
        self._held = bytearray()
        self._piece_at: int | None = None  # time when the first part of a frame came

    def __repr__(self) -> str:
        return f"<Peer {self.process!r} {self.end!r}>"

    # Sending.

    def hold(self, message: Welcome | Start | Fault | End | Bye, form: Form | None = None) -> None:
        """Put a message aside, to be sent with the next `flush`."""
        self.hold_frame(self.end.send(message), form)

    def hold_frame(self, data: bytes, form: Form | None = None, packer: Packer = pack) -> None:
        """Put a frame aside, as the encoder made it or in another form."""
        if form is not None or packer is not pack:
            message = unframed(data)
            data = framed(form(message) if form is not None else message, packer)
        if self._runs.tap is not None:
            self._runs.tap("sent", data)
        self._held += data

    async def flush(self, cuts: Iterable[int] | None = None) -> None:
        """Send everything that was put aside, in one write or cut after these numbers of bytes.

        A broken connection is noticed by the next read.
        """
        data, self._held = bytes(self._held), bytearray()
        try:
            self.last_write_us = self.now()
            if cuts is None:
                await self.stream.send_all(data)
                return
            before = 0
            for cut in [*cuts, len(data)]:
                self.last_write_us = self.now()
                await self.stream.send_all(data[before:cut])
                before = cut
                await trio.sleep(PAUSE_SECONDS)
        except trio.BrokenResourceError:
            await trio.lowlevel.checkpoint()

    async def flush_part(self, size: int) -> None:
        """Send the first `size` bytes that were put aside, and forget the rest."""
        del self._held[size:]
        await self.flush()

    @property
    def held_bytes(self) -> int:
        return len(self._held)

    # Hearing.

    async def hear(self, seconds: float) -> Received | None:
        """Return the next message or breach; None if nothing comes in this time."""
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
        except trio.BrokenResourceError:
            data = b""
        self.last_read_us = self.now()
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

    # Ending.

    async def stderr(self) -> str:
        """Return the end of the program's standard error."""
        return str((await self.process.tails()).stderr)

    async def leaves(self, seconds: float) -> Exit | None:
        """Wait for the program to end by itself, and return its exit; None if it does not in
        time."""
        with trio.move_on_after(seconds):
            return await self.process.exited()
        return None

    async def close(self) -> None:
        """Close the connection without a message."""
        await self.stream.aclose()

    async def dismiss(self, bye: Bye) -> None:
        """Say `bye` and close, and give the program a moment to print it and to end."""
        self.hold(bye)
        await self.flush()
        await self.close()
        await self.leaves(GRACE_MS / 1000)

    async def kill(self) -> None:
        """End the program at once, with its connection."""
        if self.process.exit is None:
            self._runs.measures.weigh(self.process.pid)
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(self.stream)
            await self.process.end()


@dataclass(frozen=True)
class NoHello:
    """The reason why no hello came, with all that helps to explain it."""

    breach: Breach
    connected: bool = False
    body: bytes = b""
    stderr: str = ""
    stdout: str = ""  # only if the bot never connected: it may have printed its messages


def authorities() -> dict[str, str]:
    """Return the variables of our own environment that tell a bot whose certificates to trust."""
    names = ("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS")
    return {name: os.environ[name] for name in names if name in os.environ}


async def start(runs: Runs, token: str, kind: str) -> tuple[Peer, Hello] | NoHello:
    """Start the bot and wait for its hello. `kind`: of address, as in `Runs.address`."""
    if (why := why_not(runs.program, runs.confiner)) is not None:
        return NoHello(cannot_start(why))
    runs.count += 1
    address = runs.address(kind)
    listener, place = address.listen(1)
    own = {CONNECT_VARIABLE: place, TOKEN_VARIABLE: token}
    if runs.through is not None:
        own |= {CONNECT_VARIABLE: runs.through.at, **authorities()}
    if runs.tap is not None:
        runs.tap("token", token.encode())
    began = runs.now()
    try:
        try:
            process = await runs.warden.start(runs.confiner.launch(runs.program, own, place))
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
    """Wait until the bot has connected and sent its hello, or something went wrong."""
    came: tuple[Peer, Hello] | Breach = no_connection(runs.start_ms)
    peer: Peer | None = None

    async def watch() -> None:
        nonlocal came
        came = exited(str(await process.exited()), ENDED)
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
                # The bot has hung up, or is just ending: then its exit is the better reason.
                with trio.move_on_after(0.2):
                    await trio.sleep_forever()
                came = Breach("no-hello", "a connection that was closed again", "a hello on it")
            elif isinstance(what, Breach):
                came = what
            nursery.cancel_scope.cancel()
    except BaseException:
        if peer is not None:
            await trio.aclose_forcefully(peer.stream)
        raise
    if not isinstance(came, Breach):
        return came
    if peer is None:
        return NoHello(came)
    await _turn_away(peer, came)
    if came.code == "no-hello" and not peer.end.is_between_frames:
        came = half_a_hello(peer.end.unfinished())
    return NoHello(came, True, peer.end.body)


async def _turn_away(peer: Peer, came: Breach) -> None:
    """Say `bye` as the door of a referee does, unless the bot has closed or ended; and close."""
    if peer.process.exit is None and peer.end.state is not ConnectionState.CLOSED:
        bye = too_slow(peer.end) if came.code == "no-hello" else refusal(came)
        assert bye is not None
        await peer.dismiss(bye)
    await trio.aclose_forcefully(peer.stream)
