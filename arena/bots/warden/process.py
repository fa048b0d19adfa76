"""The loop of the warden: one epoll for the link, outputs and signals; no call blocks."""

from __future__ import annotations

import os
import resource
import select
import signal
import socket
import sys
import time

# Relative, because this runs as the top-level package `warden`: importing `arena.bots` would load
# Trio.
from . import folders
from .cgroups.spread import LOOK_SECONDS
from .children import Child, Children
from .enter import prctl
from .outputs import TURN_BYTES, TURN_SECONDS, Output
from .printing import Printing
from .relay import Relay
from .rules import Rules
from .spawn import StartOrder
from .wire import pack, unpack

LINK_BYTES = 65_536
# With so much unsent the referee is busy, and output is skipped instead of being passed on.
UNSENT_BYTES = 262_144

PR_SET_CHILD_SUBREAPER = 36

# Interval of looks at a tree that is being killed. The end of a child wakes the loop before that.
ROUND_SECONDS = 0.005


class Loop:
    """Serves the link to the referee and reads the outputs of the bots.

    `link`: the socket to the referee. `referee`: a pidfd of the referee's process. `secret`: begins
    the mark of each process.
    """

    def __init__(self, link: socket.socket, referee: int, secret: str) -> None:
        self._link = link
        self._referee = referee
        self._received = bytearray()
        self._unsent = bytearray()
        self._bots = Children(secret, self._send)
        self._poll = select.epoll()
        self._outputs: dict[int, Output] = {}
        self._shown: dict[Output, int] = {}  # those that are passed on, with the bot's number
        self._relays: dict[int, Relay] = {}
        self._resting: list[Output] = []
        self._to_sweep: list[str] = []
        self._turn_ends = 0.0
        self._over = False

        self._wake, wake_writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_writer, warn_on_full_buffer=False)
        # A handler, even an empty one, is not inherited through exec; an ignored signal is.
        signal.signal(signal.SIGINT, lambda *_: None)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)
        # The mask is inherited: with SIGCHLD blocked, the end of a bot would not wake the loop.
        signal.pthread_sigmask(signal.SIG_SETMASK, ())

        link.setblocking(False)
        for descriptor in (link.fileno(), referee, self._wake):
            self._poll.register(descriptor, select.EPOLLIN)

    def run(self) -> None:
        """Serve until the referee is gone or has closed the link."""
        looked_at = spread_at = 0.0
        while not self._over:
            stirred = self._poll.poll(self._longest_wait())
            woken = False
            for descriptor, events in stirred:
                if descriptor == self._link.fileno():
                    self._serve_link()
                elif descriptor == self._referee:
                    self._over = True
                elif descriptor == self._wake:
                    os.read(self._wake, 4096)
                    woken = True
                elif descriptor in self._outputs:
                    self._read(self._outputs[descriptor])
                elif descriptor in self._relays:
                    self._relay(descriptor, events)
            if self._resting and time.monotonic() >= self._turn_ends:
                self._next_turn()
            # Not after each output of a bot: a look at /proc costs milliseconds.
            if woken or (self._bots.ending and time.monotonic() >= looked_at + ROUND_SECONDS):
                self._bots.look_after(self._forget)
                looked_at = time.monotonic()
            if len(self._bots.spread) and time.monotonic() >= spread_at + LOOK_SECONDS:
                self._bots.spread.look(time.monotonic())
                spread_at = time.monotonic()

    def end_all(self) -> None:
        """End all processes that were ever started from here."""
        self._bots.end_all()

    def sweep(self) -> None:
        """Remove the folders that a referee which was killed could not remove."""
        folders.remove(tuple(self._to_sweep))

    def report(self, trouble: str) -> None:
        """Send the referee a traceback, if the link still works, before the warden ends."""
        self._send(("broken", trouble))

    def _stop(self, *_: object) -> None:
        self._over = True

    def _longest_wait(self) -> float | None:
        waits = []
        if self._bots.ending:
            waits.append(ROUND_SECONDS)
        if self._resting:
            waits.append(max(0.0, self._turn_ends - time.monotonic()))
        if len(self._bots.spread):
            waits.append(LOOK_SECONDS)
        return min(waits, default=None)

    def _serve_link(self) -> None:
        self._flush()
        try:
            data = self._link.recv(LINK_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._over = True
            return
        self._received += data
        for message in unpack(self._received):
            self._obey(message)

    def _obey(self, message: tuple[object, ...]) -> None:
        match message:
            case (
                "start",
                int(number),
                tuple(command),
                dict(environment),
                str(folder),
                int(open_files),
                tuple(printing),
                dict(rules),
            ):
                start = StartOrder(command, environment, folder, open_files, Rules(**rules))
                bot = self._bots.start(number, start, Printing(*printing))
                if bot is not None:
                    self._watch(bot)
            case ("look", int(number)):
                self._bots.look(number)
            case ("tails", int(number)):
                self._bots.tell_tails(number)
            case ("plays", int(number), str(word)):
                self._bots.plays(number, word)
            case ("has played", int(number)):
                self._bots.has_played(number)
            case ("end", int(number), int(grace_ms)):
                self._bots.end(number, grace_ms)
            case ("sweep", str(folder)):
                self._to_sweep.append(folder)
            case _:
                raise AssertionError(f"no such message: {message!r}")

    def _watch(self, bot: Child) -> None:
        for output in (bot.stdout, bot.stderr):
            self._outputs[output.descriptor] = output
            self._poll.register(output.descriptor, select.EPOLLIN)
            if bot.printing.is_shown:
                self._shown[output] = bot.number
        if bot.relay is not None:
            self._relays[bot.relay.descriptor] = bot.relay
            self._poll.register(bot.relay.descriptor, select.EPOLLIN)

    def _relay(self, descriptor: int, events: int) -> None:
        # Without a process left that could connect, a report would be waited for.
        if not (events & select.EPOLLIN and self._relays[descriptor].serve()):
            del self._relays[descriptor]
            self._poll.unregister(descriptor)

    def _read(self, output: Output) -> None:
        if not output.read_slice():
            self._drop(output)
            return
        if output in self._shown:
            self._show(output)
        if output.in_turn >= TURN_BYTES:
            self._poll.unregister(output.descriptor)
            if not self._resting:
                self._turn_ends = time.monotonic() + TURN_SECONDS
            self._resting.append(output)

    def _show(self, output: Output) -> None:
        """Pass on the output that came, with the number of bytes that were skipped before it."""
        shown = output.take_shown(has_room=len(self._unsent) < UNSENT_BYTES)
        if shown is not None:
            self._send(("printed", self._shown[output], output.stream, *shown))

    def _next_turn(self) -> None:
        for output in self._outputs.values():
            output.in_turn = 0
        for output in self._resting:
            self._poll.register(output.descriptor, select.EPOLLIN)
        self._resting.clear()

    def _forget(self, bot: Child) -> None:
        for output in (bot.stdout, bot.stderr):
            # Once it was closed, its number may be that of another bot's output.
            if self._outputs.get(output.descriptor) is output:
                output.read_rest()
                self._drop(output)
        if bot.relay is not None and bot.relay.descriptor in self._relays:
            del self._relays[bot.relay.descriptor]
            self._poll.unregister(bot.relay.descriptor)

    def _drop(self, output: Output) -> None:
        del self._outputs[output.descriptor]
        if output in self._resting:
            self._resting.remove(output)
        else:
            self._poll.unregister(output.descriptor)
        if output in self._shown:
            self._show(output)
            number = self._shown.pop(output)
            if skipped := output.take_skipped():
                self._send(("printed", number, output.stream, skipped, b""))
        output.close()

    def _send(self, message: tuple[object, ...]) -> None:
        self._unsent += pack(message)
        self._flush()

    def _flush(self) -> None:
        """Send as much as the link takes without waiting; have epoll report when it takes more."""
        try:
            while self._unsent:
                del self._unsent[: self._link.send(self._unsent)]
        except BlockingIOError:
            self._poll.modify(self._link.fileno(), select.EPOLLIN | select.EPOLLOUT)
            return
        except OSError:
            self._over = True
            return
        self._poll.modify(self._link.fileno(), select.EPOLLIN)


def main() -> None:
    """Run the warden to its end. Its stdin is the link, its last argument the secret."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    referee = os.pidfd_open(os.getppid())
    loop = Loop(socket.socket(fileno=0), referee, sys.argv[-1])
    try:
        loop.run()
    except BaseException:
        import traceback  # it takes half of our start, and should never be needed

        loop.report(traceback.format_exc())
        raise
    finally:
        loop.end_all()
        loop.sweep()
