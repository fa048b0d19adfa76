"""The warden's loop: one poll, everything non-blocking."""

from __future__ import annotations

import os
import resource
import select
import signal
import socket
import sys
import time

# Relative, because this runs as the top-level package `warden`: loading `arena.referee` would
# load Trio.
from .bots import Bot, Bots
from .outputs import TURN_BYTES, TURN_SECONDS, Output
from .spawn import PR_SET_CHILD_SUBREAPER, prctl
from .wire import pack, unpack

LINK_BYTES = 65_536

# How often a tree that is being killed is looked at, if no child's end wakes us before.
ROUND_SECONDS = 0.005


class Loop:
    """The link to the referee, the bots' outputs, and what to do when something stirs."""

    def __init__(self, link: socket.socket, referee: int, secret: str) -> None:
        self._link = link
        self._referee = referee
        self._received = bytearray()
        self._unsent = bytearray()
        self._bots = Bots(secret, self._send)
        self._poll = select.epoll()
        self._outputs: dict[int, Output] = {}
        self._resting: list[Output] = []
        self._to_sweep: list[str] = []
        self._turn_ends = 0.0
        self._over = False

        self._wake, wake_writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_writer, warn_on_full_buffer=False)
        # A handler, even one that does nothing, is not inherited by the bots; "ignore" is.
        signal.signal(signal.SIGINT, lambda *_: None)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop)

        link.setblocking(False)
        for descriptor in (link.fileno(), referee, self._wake):
            self._poll.register(descriptor, select.EPOLLIN)

    def run(self) -> None:
        """Serve until the referee is gone or has closed the link."""
        looked_at = 0.0
        while not self._over:
            stirred = self._poll.poll(self._longest_wait())
            woken = False
            for descriptor, _ in stirred:
                if descriptor == self._link.fileno():
                    self._serve_link()
                elif descriptor == self._referee:
                    self._over = True
                elif descriptor == self._wake:
                    os.read(self._wake, 4096)
                    woken = True
                elif descriptor in self._outputs:
                    self._read(self._outputs[descriptor])
            if self._resting and time.monotonic() >= self._turn_ends:
                self._next_turn()
            # Not whenever somebody prints something: a look costs milliseconds.
            if woken or (self._bots.ending and time.monotonic() >= looked_at + ROUND_SECONDS):
                self._bots.look_after(self._forget)
                looked_at = time.monotonic()

    def end_all(self) -> None:
        """End everything that was ever started from here."""
        self._bots.end_all()

    def sweep(self) -> None:
        """Remove the folders that the referee would have removed, if it had lived."""
        folders = [folder for folder in self._to_sweep if os.path.exists(folder)]
        if folders:
            import shutil  # a third of our start-up, and hardly ever needed

            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)

    def report(self, trouble: str) -> None:
        """Tell the referee why the warden ends, if it can still hear."""
        self._send(("broken", trouble))

    def _stop(self, *_: object) -> None:
        self._over = True

    def _longest_wait(self) -> float | None:
        waits = []
        if self._bots.ending:
            waits.append(ROUND_SECONDS)
        if self._resting:
            waits.append(max(0.0, self._turn_ends - time.monotonic()))
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
                str() | None as logs,
            ):
                bot = self._bots.start(number, command, environment, folder, open_files, logs)
                if bot is not None:
                    for output in (bot.stdout, bot.stderr):
                        self._outputs[output.descriptor] = output
                        self._poll.register(output.descriptor, select.EPOLLIN)
            case ("tails", int(number)):
                self._bots.tell_tails(number)
            case ("end", int(number), int(grace_ms)):
                self._bots.end(number, grace_ms)
            case ("sweep", str(folder)):
                self._to_sweep.append(folder)
            case _:
                raise AssertionError(f"no such message: {message!r}")

    def _read(self, output: Output) -> None:
        if not output.read_slice():
            self._drop(output)
        elif output.in_turn >= TURN_BYTES:
            self._poll.unregister(output.descriptor)
            if not self._resting:
                self._turn_ends = time.monotonic() + TURN_SECONDS
            self._resting.append(output)

    def _next_turn(self) -> None:
        for output in self._outputs.values():
            output.in_turn = 0
        for output in self._resting:
            self._poll.register(output.descriptor, select.EPOLLIN)
        self._resting.clear()

    def _forget(self, bot: Bot) -> None:
        for output in (bot.stdout, bot.stderr):
            if output.descriptor in self._outputs:
                output.read_rest()
                self._drop(output)

    def _drop(self, output: Output) -> None:
        del self._outputs[output.descriptor]
        if output in self._resting:
            self._resting.remove(output)
        else:
            self._poll.unregister(output.descriptor)
        output.close()

    def _send(self, message: tuple[object, ...]) -> None:
        self._unsent += pack(message)
        self._flush()

    def _flush(self) -> None:
        """Send what the link takes; the rest when it takes more, and nobody waits for that."""
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
    """The whole life of the warden: `link` is its stdin, the secret its last argument."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    referee = os.pidfd_open(os.getppid())
    loop = Loop(socket.socket(fileno=0), referee, sys.argv[-1])
    try:
        loop.run()
    except BaseException:
        import traceback  # half of our start-up, for what should never happen

        loop.report(traceback.format_exc())
        raise
    finally:
        loop.end_all()
        loop.sweep()
