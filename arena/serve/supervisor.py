"""The process that starts the serving one, and starts another when it has to.

It holds the listening socket, so no visitor is refused meanwhile, and talks to nobody on it. The
serving process may read the files of a league that were there when it began; when a runner starts,
or makes a file anew, another serving process takes over, and streams go on there.

`python -m arena.serve.supervisor RUNNER OPTIONS` is the child of a runner: it tells lines for
people on standard output, and ends with its input, or soon after RUNNER if that was killed.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from arena.exits import INTERRUPTED, TERMINATED
from arena.parent import end_after
from arena.people.child import TablesChild
from arena.people.options import TablesOptions
from arena.serve.files import public_files
from arena.serve.options import BACKLOG, EVERYWHERE, READY, ServeAddress, ServeOptions, slugs_of
from arena.serve.web.log import log_file

POLL_SECONDS = 0.25
# A serving process that ended by itself is started anew after this pause.
AGAIN_SECONDS = 1.0
# From the request to end until a serving process is killed; it needs little more than a second.
END_SECONDS = 1.6

Tell = Callable[[str], object]


class CannotServe(Exception):
    """The server cannot listen or log there; the text says why, and what to do."""


def listen(address: ServeAddress) -> socket.socket:
    """Return a socket that listens; raises CannotServe."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with ExitStack() as held:
        try:
            (_, _, _, _, place), *_ = socket.getaddrinfo(
                address.host, address.port, family, socket.SOCK_STREAM
            )
            listener = held.enter_context(socket.socket(family, socket.SOCK_STREAM))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(place)
            listener.listen(BACKLOG)
        except (OSError, UnicodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "this is no host name"
            raise CannotServe(
                f"nothing can be served at {address}: {why}; name another address"
            ) from None
        held.pop_all()
    return listener


def address_of(listener: socket.socket) -> ServeAddress:
    """Return where it listens, with the port that the system chose."""
    host, port = listener.getsockname()[:2]  # IPv6 has more
    return ServeAddress(host, port)


class Worker:
    """One serving process."""

    def __init__(self, listener: socket.socket, options: ServeOptions, tell: Tell):
        descriptor = listener.fileno()
        command = [sys.executable, "-m", "arena.serve.worker", str(os.getpid()), str(descriptor)]
        self.known = files_of(options)  # those that it may read; looked at before it begins
        self.is_ready = False
        self._tell = tell
        self._process = subprocess.Popen(
            [*command, options.to_json()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            pass_fds=(descriptor,),
            start_new_session=True,
            text=True,
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def __repr__(self) -> str:
        return f"<Worker {self._process.pid}, {'ready' if self.is_ready else 'starting'}>"

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.strip() == READY:
                self.is_ready = True
            else:
                self._tell(line.rstrip())

    @property
    def code(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.poll()

    def ask_to_end(self) -> None:
        self._process.terminate()

    def end(self) -> None:
        """Wait for the end that was asked for, and kill it after END_SECONDS."""
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Supervisor:
    """Keeps one serving process running, and replaces it by another without a gap."""

    def __init__(
        self,
        listener: socket.socket,
        options: ServeOptions,
        tell: Tell,
        tables: TablesChild | None = None,
    ):
        """`tell` is called with lines for people, from any thread."""
        self._tables = tables
        self._listener = listener
        self._options = options
        self._tell = tell
        self._told: set[str] = set()
        self._worker = self._start()
        self._next: Worker | None = None
        self._leaving: list[Worker] = []
        self._again: float | None = None  # when one that ended by itself is started again

    def __repr__(self) -> str:
        return f"<Supervisor of {self._worker!r}>"

    def run(self) -> int:
        """Serve until a signal asks for the end; return the exit code."""
        while True:
            came = signal.sigtimedwait(ENDING, POLL_SECONDS)
            if came is not None:
                break
            self._look()
        if self._tables is not None:
            self._tables.ask_to_end()  # its bots leave while visitors get their last bytes
        workers = [self._worker, *([self._next] if self._next else []), *self._leaving]
        for worker in workers:
            worker.ask_to_end()
        for worker in workers:
            worker.end()
        return INTERRUPTED if came.si_signo == signal.SIGINT else TERMINATED

    def _look(self) -> None:
        self._leaving = [each for each in self._leaving if each.code is None]
        if self._tables is not None:
            self._tables.look(time.monotonic())
        if (code := self._worker.code) is not None:
            self._start_again(code)
        elif self._next is not None:
            self._hand_over(self._next)
        elif files_of(self._options) - self._worker.known:
            self._next = self._start()

    def _start_again(self, code: int) -> None:
        """Start another process for one that ended by itself, after a pause."""
        self._tell_once(f"the web server has ended with code {code}; it is started again")
        now = time.monotonic()
        if self._again is None:
            self._again = now + AGAIN_SECONDS
        elif now >= self._again:
            self._again = None
            self._worker = self._start()

    def _hand_over(self, worker: Worker) -> None:
        """Let a new process take over once it is ready."""
        if worker.code is not None:
            self._next = None
        elif worker.is_ready:
            self._worker.ask_to_end()
            self._leaving.append(self._worker)
            self._worker, self._next = worker, None

    def _start(self) -> Worker:
        return Worker(self._listener, self._options, self._tell_once)

    def _tell_once(self, line: str) -> None:
        """Pass a line on, but for one that the process before told too."""
        if line not in self._told:
            self._told.add(line)
            self._tell(line)


ENDING = (signal.SIGTERM, signal.SIGINT)


def files_of(options: ServeOptions) -> frozenset[tuple[int, int]]:
    """Return the public files that are there, each by its device and inode."""
    found = set()
    for folder in options.folders:
        for path in public_files(Path(folder)):
            try:
                at = os.stat(path)
            except OSError:
                continue
            found.add((at.st_dev, at.st_ino))
    return frozenset(found)


@contextmanager
def tables(options: ServeOptions, tell: Tell) -> Iterator[TablesChild | None]:
    """Keep tables for people, if visitors may play."""
    if not options.play:
        yield None
        return
    child = TablesChild(TablesOptions(tuple(each.folder for each in options.play)), tell)
    try:
        yield child
    finally:
        child.end()


def check_log(file: str) -> None:
    """Raise CannotServe unless requests can be logged there: each process of the server would end
    over it."""
    if file:
        try:
            os.close(log_file(file))
        except OSError as error:
            raise CannotServe(f"{file} cannot be written: {error.strerror}") from None


def supervise(options: ServeOptions, tell: Tell) -> int:
    """Listen and serve until SIGTERM or Ctrl-C; return the exit code. Raises CannotServe."""
    check_log(options.log)
    with listen(ServeAddress.read(options.address)) as listener:
        address = address_of(listener)
        for slug in slugs_of([Path(each) for each in options.folders]):
            tell(f"http://{address}/{slug}/")
        if address.host in EVERYWHERE and not options.hosts:
            tell("it listens everywhere, and answers to no name but localhost: --host adds one")
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        with tables(options, tell) as child:
            if child is not None:
                options = replace(options, tables=child.socket)
                tell(f"http://{address}/play")
            return Supervisor(listener, options, tell, child).run()


def main(runner: str, options: str) -> int:
    end_after(int(runner))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)

    def end_with_input() -> None:
        sys.stdin.read()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=end_with_input, daemon=True).start()
    try:
        return supervise(ServeOptions.from_json(options), _say)
    except CannotServe as error:
        _say(str(error))
        return 1


def _say(line: str) -> None:
    with suppress(BrokenPipeError):  # the runner is gone, and this process soon is
        print(line, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
