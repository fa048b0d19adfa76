"""The bots a warden has started, from their start until nothing of their tree is left."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence

from .outputs import Output
from .spawn import Refused, spawn
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

# After so long the kernel holds what is left, or it is another user's: we say so and go on.
GIVE_UP_SECONDS = 2.0


class Bot:
    """One bot's first process and what is known of it."""

    __slots__ = ("end_at", "give_up_at", "number", "pid", "status", "stderr", "stdout")

    def __init__(self, number: int, pid: int, stdout: Output, stderr: Output) -> None:
        self.number = number
        self.pid = pid
        self.stdout = stdout
        self.stderr = stderr
        self.status: int | None = None  # as subprocess has it: negative for a signal
        self.end_at: float | None = None  # from then on it is killed, with all its tree
        self.give_up_at: float | None = None

    def others(self, trees: Mapping[int, Sequence[Process]]) -> list[Process]:
        """Its tree but for the first process."""
        return [process for process in trees.get(self.number, ()) if process.pid != self.pid]

    def __repr__(self) -> str:
        return f"<Bot {self.number} pid {self.pid} status {self.status}>"


class Bots:
    """Starts bots, ends trees, reaps; tells the referee through `send`."""

    def __init__(self, secret: str, send: Callable[[tuple[object, ...]], None]) -> None:
        self._secret = secret
        self._send = send
        self._bots: dict[int, Bot] = {}

    @property
    def ending(self) -> bool:
        """Whether a tree is being ended, so that time matters."""
        return any(bot.end_at is not None for bot in self._bots.values())

    def start(
        self,
        number: int,
        command: Sequence[str],
        environment: Mapping[str, str],
        folder: str,
        open_files: int,
        logs: str | None,
    ) -> Bot | None:
        """Start a bot as the referee asked, and tell it how that went."""
        environment = {**environment, MARK_VARIABLE: f"{self._secret}.{number}"}
        outputs: list[Output] = []
        writers: list[int] = []
        try:
            for name in ("stdout", "stderr"):
                reader, writer = _pipe()
                writers.append(writer)
                outputs.append(Output(reader))
                if logs is not None:
                    outputs[-1].copy_to(os.path.join(logs, f"{name}.txt"))
            pid = spawn(command, environment, folder, open_files, *writers)
        except (Refused, OSError) as error:
            for output in outputs:
                output.close()
            self._send(("refused", number, *_stage_of(error)))
            return None
        finally:
            for writer in writers:
                os.close(writer)
        bot = Bot(number, pid, *outputs)
        self._bots[number] = bot
        self._send(("started", number, pid))
        return bot

    def tell_tails(self, number: int) -> None:
        """Send the tails; nothing for a bot that has ended, whose end has told them."""
        bot = self._bots.get(number)
        if bot is not None:
            self._send(("tails", number, bot.stdout.tail(), bot.stderr.tail()))

    def end(self, number: int, grace_ms: int) -> None:
        """Ask a bot to end within some time, or kill it at once where there is none."""
        bot = self._bots.get(number)
        if bot is None:
            return
        end_at = time.monotonic() + grace_ms / 1000
        if bot.end_at is None or end_at < bot.end_at:
            bot.end_at = end_at
        if grace_ms and bot.status is None:
            for process in self._trees().get(number, ()):
                send_signal(process, signal.SIGTERM)

    def look_after(self, forget: Callable[[Bot], None]) -> None:
        """Notice who has ended, go on ending trees, report and forget the bots that are gone."""
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
            looked_twice = False
            for bot in ending:
                left = bot.others(trees)
                if not left and not looked_twice:
                    # Who was born while we looked is missed, if its parent had gone before we
                    # came to it: so nobody is believed gone at the first look.
                    trees = self._trees()
                    looked_twice = True
                    left = bot.others(trees)
                for process in left:
                    send_signal(process, signal.SIGKILL)
                assert bot.give_up_at is not None
                if (bot.status is not None and not left) or now >= bot.give_up_at:
                    self._finish(bot, len(left) + (bot.status is None), forget)
        self._reap()

    def end_all(self) -> None:
        """Kill everything below this process, whosever it is, until nothing is left."""
        give_up_at = time.monotonic() + GIVE_UP_SECONDS
        for bot in self._bots.values():
            _kill_group(bot.pid)
        while time.monotonic() < give_up_at:
            self._bots.clear()
            self._reap()
            descendants = below(os.getpid(), children_of(all_processes().values()))
            if not descendants:
                return
            for process in descendants:
                send_signal(process, signal.SIGKILL)
            time.sleep(0.001)

    def _finish(self, bot: Bot, left: int, forget: Callable[[Bot], None]) -> None:
        if bot.status is not None:
            os.waitpid(bot.pid, 0)
        del self._bots[bot.number]
        forget(bot)
        status = -signal.SIGKILL if bot.status is None else bot.status
        self._send(("exited", bot.number, status, left, bot.stdout.tail(), bot.stderr.tail()))

    def _reap(self) -> None:
        """Take leave of adopted children that have ended; a bot's first process stays."""
        firsts = {bot.pid for bot in self._bots.values()}
        held = False
        while not held:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if ended is None:
                return
            # A first process that waits for its tree hides whoever is behind it in this queue:
            # those are found by name below.
            held = ended.si_pid in firsts
            if not held:
                os.waitpid(ended.si_pid, 0)
        for process in children_of(all_processes().values()).get(os.getpid(), ()):
            if process.is_zombie and process.pid not in firsts:
                os.waitpid(process.pid, 0)

    def _trees(self) -> dict[int, list[Process]]:
        """What is alive or not yet reaped of each bot's tree, by the bot's number."""
        children = children_of(all_processes().values())
        by_pid = {bot.pid: bot.number for bot in self._bots.values()}
        trees: dict[int, list[Process]] = {}
        for child in children.get(os.getpid(), ()):
            number = by_pid.get(child.pid, by_pid.get(child.session))
            if number is None:
                number = self._marked(child)
            if number is not None:
                trees.setdefault(number, []).extend([child, *below(child.pid, children)])
        return trees

    def _marked(self, process: Process) -> int | None:
        if process.is_zombie:
            return None
        secret, _, number = (mark_of(process.pid, LOOKS) or "").partition(".")
        return int(number) if secret == self._secret and number.isdecimal() else None


def _stage_of(error: Refused | OSError) -> tuple[str, int]:
    if isinstance(error, Refused):
        return error.stage, error.number
    # Only a file of output has a name.
    return "machine" if error.filename is None else "logs", error.errno or 0


def _pipe() -> tuple[int, int]:
    """A pipe whose reading end never waits; the bot's end does, as programs expect."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    return reader, writer


def _status_of(pid: int) -> int | None:
    """How our child ended, None while it runs; it stays to be reaped."""
    ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def _kill_group(pid: int) -> None:
    """Kill a bot's group at one stroke, so that none of it can fork away from us.

    Only for a first process that is not reaped: until then the number is nobody else's.
    """
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        return
