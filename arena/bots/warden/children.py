"""The bots that a warden has started, until no process of their trees is left."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from . import folders
from .cgroups.groups import Cgroups
from .cgroups.spread import Processors
from .outputs import Output
from .printing import Printing
from .relay import Relay
from .rules import Rules
from .spawn import SpawnRefused, StartOrder, spawn
from .tree import (
    LOOKS,
    MARK_VARIABLE,
    Process,
    all_processes,
    below,
    children_of,
    mark_of,
    send_signal,
)

# A process left after this long is held by the kernel or is another user's: report it and go on.
GIVE_UP_SECONDS = 2.0
# Addresses of refused connections that are kept for the evidence.
MOST_REFUSED = 8


class Child:
    """The first process of a bot, and its state."""

    __slots__ = (
        "_scratch",
        "cgroups",
        "end_at",
        "give_up_at",
        "number",
        "pid",
        "printing",
        "refused",
        "relay",
        "rules",
        "status",
        "stderr",
        "stdout",
    )

    def __init__(
        self,
        number: int,
        pid: int,
        rules: Rules,
        cgroups: Cgroups,
        stdout: Output,
        stderr: Output,
        printing: Printing,
    ) -> None:
        self.number = number
        self.pid = pid
        self.printing = printing
        self.rules = rules
        self.cgroups = cgroups
        self.relay: Relay | None = None
        self.refused: dict[str, None] = {}  # addresses that it tried to connect to, in order
        self._scratch: folders.Scratch | None = None
        self.stdout = stdout
        self.stderr = stderr
        self.status: int | None = None  # of its end, as in `subprocess`: negative for a signal
        # Times of time.monotonic().
        self.end_at: float | None = None  # its whole tree is killed from then on
        self.give_up_at: float | None = None  # processes left then are reported and left alone

    def others(self, trees: Mapping[int, Sequence[Process]]) -> list[Process]:
        """Return the processes of its tree except the first."""
        return [process for process in trees.get(self.number, ()) if process.pid != self.pid]

    def look_at_scratch(self, processes: Sequence[Process]) -> None:
        """Hold its scratch folder open; `processes`: its tree, parents before children."""
        if self.rules.scratch and self._scratch is None and processes:
            # The first processes are bubblewrap's own, which see the whole machine.
            self._scratch = folders.Scratch(processes[-1].pid, self.rules.scratch)

    def reached(self) -> tuple[str, ...]:
        """Return the limits that were reached, and the addresses that were refused."""
        words = list(self.cgroups.reached())
        if self._scratch is not None and self._scratch.is_full:
            words.append("scratch")
        return (*words, *(f"connect {address}" for address in self.refused))

    def refuse(self, address: str) -> None:
        """Note an address that it may not connect to; only so many."""
        if len(self.refused) < MOST_REFUSED:
            self.refused[address] = None

    def write_pieces(self) -> None:
        """Write its output since the last time to files, if that was asked for."""
        for output in (self.stdout, self.stderr):
            self.printing.write_piece(output.stream, output.take_piece())

    def close(self) -> None:
        """Remove its folders and cgroups, and close what was open for it; it has ended."""
        if self._scratch is not None:
            self._scratch.close()
        if self.relay is not None:
            self.relay.close()
            self.relay = None
        self.cgroups.remove()
        folders.remove(self.rules.folders)

    def __repr__(self) -> str:
        return f"<Child {self.number} pid {self.pid} status {self.status}>"


class Children:
    """Starts bots, ends their trees, and reaps processes.

    `secret`: begins the mark of each process. `send`: takes the messages to the referee.
    """

    def __init__(self, secret: str, send: Callable[[tuple[object, ...]], None]) -> None:
        self._secret = secret
        self._send = send
        self._bots: dict[int, Child] = {}
        self._strays = 0  # ended processes of no known bot, in the last look
        self.spread = Processors(sorted(os.sched_getaffinity(0)))

    @property
    def ending(self) -> bool:
        """A tree is being ended, so `look_after` must be called again soon."""
        return any(bot.end_at is not None for bot in self._bots.values())

    def start(self, number: int, start: StartOrder, printing: Printing) -> Child | None:
        """Start a bot, and report to the referee if that succeeded."""
        start.environment = {**start.environment, MARK_VARIABLE: f"{self._secret}.{number}"}
        rules = start.rules
        outputs: list[Output] = []
        writers: list[int] = []
        cgroups = Cgroups(())
        try:
            for name in ("stdout", "stderr"):
                reader, writer = _pipe()
                writers.append(writer)
                outputs.append(
                    Output(
                        reader,
                        name,
                        logs=printing.logs,
                        in_pieces=printing.pieces is not None,
                        is_shown=printing.is_shown,
                    )
                )
            with _as_rules():
                cgroups = Cgroups(rules.cgroups)
                folders.make(rules.folders)
            pid, listener = spawn(start, *writers)
        except (SpawnRefused, OSError) as error:
            for output in outputs:
                output.close()
            cgroups.remove()
            folders.remove(rules.folders)
            self._send(("refused", number, *_stage_of(error)))
            return None
        finally:
            for writer in writers:
                os.close(writer)
        stdout, stderr = outputs
        bot = Child(number, pid, rules, cgroups, stdout, stderr, printing)
        if listener is not None:
            bot.relay = Relay(listener, rules.reach or (), pid, bot.refuse)
        self._bots[number] = bot
        if rules.spread is not None:
            self.spread.watch(number, rules.spread, time.monotonic())
        self._send(("started", number, pid))
        return bot

    def look(self, number: int) -> None:
        """Look at the scratch folder of a bot that is now known to run its own program."""
        bot = self._bots.get(number)
        if bot is not None and bot.rules.scratch:
            bot.look_at_scratch(self._trees().get(number, ()))

    def tell_tails(self, number: int) -> None:
        """Send the output of a bot; not if it has ended, because its end carried that."""
        bot = self._bots.get(number)
        if bot is not None:
            self._send(("tails", number, bot.stdout.tail(), bot.stderr.tail(), bot.reached()))

    def plays(self, number: int, word: str) -> None:
        """Note that a bot plays this match; what it prints from the last one on is of it."""
        bot = self._bots.get(number)
        if bot is not None:
            bot.printing.word = word

    def has_played(self, number: int) -> None:
        """Write the output of a bot in its match to files, and say so; not if it has ended."""
        bot = self._bots.get(number)
        if bot is not None:
            for output in (bot.stdout, bot.stderr):
                output.read_rest()
            bot.write_pieces()
            self._send(("written", number))

    def end(self, number: int, grace_ms: int) -> None:
        """Ask a bot to end within `grace_ms` milliseconds, or kill it at once if that is 0."""
        bot = self._bots.get(number)
        if bot is None:
            return
        end_at = time.monotonic() + grace_ms / 1000
        if bot.end_at is None or end_at < bot.end_at:
            bot.end_at = end_at
        if grace_ms and bot.status is None:
            for process in self._trees().get(number, ()):
                send_signal(process, signal.SIGTERM)

    def look_after(self, forget: Callable[[Child], None]) -> None:
        """Find bots that have ended, go on ending trees, report and forget those that are gone."""
        for bot in self._bots.values():
            if bot.status is None:
                bot.status = _status_of(bot.pid)
                if bot.status is not None:
                    bot.end_at = 0.0
        now = time.monotonic()
        ending = [
            bot for bot in self._bots.values() if bot.end_at is not None and bot.end_at <= now
        ]
        for bot in ending:
            if bot.give_up_at is None:
                bot.give_up_at = now + GIVE_UP_SECONDS
                _kill_group(bot.pid)
        if ending:
            trees = self._trees()
            has_looked_again, is_sure = False, False
            for bot in ending:
                left = bot.others(trees)
                if not left and not has_looked_again:
                    trees, is_sure = self._look_again()
                    has_looked_again = True
                    left = bot.others(trees)
                for process in left:
                    send_signal(process, signal.SIGKILL)
                assert bot.give_up_at is not None
                is_gone = bot.status is not None and not left and is_sure
                if is_gone or now >= bot.give_up_at:
                    self._finish(bot, len(left) + (bot.status is None), forget)
        self._reap()

    def end_all(self) -> None:
        """Kill everything below this process, of all bots and of none, until nothing is left."""
        give_up_at = time.monotonic() + GIVE_UP_SECONDS
        for bot in self._bots.values():
            _kill_group(bot.pid)
        bots = list(self._bots.values())
        while time.monotonic() < give_up_at:
            self._bots.clear()
            self._reap()
            descendants = below(os.getpid(), children_of(all_processes().values()))
            if not descendants:
                break
            for process in descendants:
                send_signal(process, signal.SIGKILL)
            time.sleep(0.001)
        for bot in bots:
            bot.write_pieces()
            bot.close()

    def _finish(self, bot: Child, left: int, forget: Callable[[Child], None]) -> None:
        if bot.status is not None:
            os.waitpid(bot.pid, 0)
        del self._bots[bot.number]
        self.spread.forget(bot.number)
        forget(bot)
        bot.write_pieces()
        status = -signal.SIGKILL if bot.status is None else bot.status
        reached = bot.reached()
        bot.close()
        tails = bot.stdout.tail(), bot.stderr.tail()
        self._send(("exited", bot.number, status, left, *tails, reached))

    def _reap(self) -> None:
        """Reap adopted children that have ended, but not the first process of a bot."""
        firsts = {bot.pid for bot in self._bots.values()}
        held = False
        while not held:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if ended is None:
                return
            # A first process that waits for its tree hides those behind it in this queue: they are
            # found by their numbers below.
            held = ended.si_pid in firsts
            if not held:
                os.waitpid(ended.si_pid, 0)
        for process in children_of(all_processes().values()).get(os.getpid(), ()):
            if process.is_zombie and process.pid not in firsts:
                os.waitpid(process.pid, 0)

    def _look_again(self) -> tuple[dict[int, list[Process]], bool]:
        """Look once more; return what is found, and if a tree that is not there is gone.

        A process born during a look is missed if its parent was gone before we read it. So no tree
        is taken for gone after a single look, nor while processes end of which nothing tells whose
        they were: each may be the parent of one that was missed. Then the next round looks again.
        """
        self._reap()
        self._strays = 0
        return self._trees(), not self._strays

    def _trees(self) -> dict[int, list[Process]]:
        """Return the processes of each bot's tree, zombies too, by the bot's number."""
        processes = all_processes()
        children = children_of(processes.values())
        by_pid = {bot.pid: bot.number for bot in self._bots.values()}
        trees: dict[int, list[Process]] = {}
        # A daemon with an empty environment and a session of its own may be anybody's, but not if
        # there is only one.
        only = next(iter(self._bots)) if len(self._bots) == 1 else None
        for child in children.get(os.getpid(), ()):
            number = by_pid.get(child.pid, by_pid.get(child.session))
            if number is None:
                number = self._marked(child)
                self._strays += number is None and child.is_zombie
                if number is None and not child.is_zombie:
                    number = only
            if number is not None:
                trees.setdefault(number, []).extend([child, *below(child.pid, children)])
        for bot in self._bots.values():
            known = {process.pid for process in trees.get(bot.number, ())}
            for pid in bot.cgroups.processes() - known:
                if pid in processes:
                    trees.setdefault(bot.number, []).append(processes[pid])
        return trees

    def _marked(self, process: Process) -> int | None:
        if process.is_zombie:
            return None
        secret, _, number = (mark_of(process.pid, LOOKS) or "").partition(".")
        if secret != self._secret or not number.isdecimal():
            return None
        # It knows the secret, and may have written any number.
        return int(number) if int(number) in self._bots else None


@contextmanager
def _as_rules() -> Iterator[None]:
    """Report an error inside as one of the bot's rules."""
    try:
        yield
    except OSError as error:
        raise SpawnRefused("rules", error.errno or 0) from None


def _stage_of(error: SpawnRefused | OSError) -> tuple[str, int]:
    if isinstance(error, SpawnRefused):
        return error.stage, error.number
    return "machine", error.errno or 0


def _pipe() -> tuple[int, int]:
    """Make a pipe: reads by us do not block; writes by the bot do, as programs expect."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    return reader, writer


def _status_of(pid: int) -> int | None:
    """Return the status of a child that has ended, None while it runs; do not reap it."""
    ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def _kill_group(pid: int) -> None:
    """Kill the process group of a bot in one step, so that none of it can fork away.

    Only for a first process that is not reaped: its number is not reused before that.
    """
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        return
