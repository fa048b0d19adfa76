"""Checks of a warden's bots without its loop: `python -m tests.bots.reaping NAME`.

Each check runs in a process of its own: the warden reaps every child of its process, and would
take those of other tests. Prints "as it should" when the check of that name holds.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from arena.bots.warden import children
from arena.bots.warden.children import Child, Children
from arena.bots.warden.printing import Printing
from arena.bots.warden.spawn import StartOrder
from arena.bots.warden.tree import Process, all_processes, look_up

Sent = list[tuple[object, ...]]


class Counting:
    """Counts the looks through /proc."""

    def __init__(self) -> None:
        self.looks = 0
        vars(children)["all_processes"] = self

    def __call__(self) -> dict[int, Process]:
        self.looks += 1
        return all_processes()


class Scripted(Children):
    """Sees the trees that it is told, one at each look, and nothing after those."""

    def __init__(self, sent: Sent, trees: Iterable[dict[int, list[Process]]]) -> None:
        super().__init__("secret", sent.append)
        self._seen = iter(trees)

    def _trees(self) -> dict[int, list[Process]]:
        return next(self._seen, {})


def child(*command: str) -> int:
    return os.spawnlp(os.P_NOWAIT, command[0], *command)


def has_ended(pid: int) -> None:
    """Wait until a child has ended, and leave it to be reaped."""
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def is_reaped(pid: int) -> bool:
    return look_up(pid) is None


def start(by: Children) -> Child:
    """A bot that has ended, and is not reaped."""
    bot = by.start(1, StartOrder(("true",), dict(os.environ), "/", 64), Printing())
    assert bot is not None
    has_ended(bot.pid)
    return bot


def tell_nobody(message: tuple[object, ...]) -> None:
    """Messages to the referee."""


def forget(bot: Child) -> None:
    """Its outputs are nobody's."""


def ended_children_are_reaped_without_a_look() -> None:
    """A look through /proc costs milliseconds, and children of a bot may end all the time."""
    others = [child("true") for _ in range(3)]
    for other in others:
        has_ended(other)
    counting = Counting()
    warden = Children("secret", tell_nobody)
    warden._reap()
    assert all(map(is_reaped, others))
    assert counting.looks == 0


def one_that_hides_others_is_left_and_they_are_reaped() -> None:
    """The kernel tells of one ended child at a time, and a bot's first process is to stay."""
    warden = Children("secret", tell_nobody)
    bot = start(warden)
    others = [child("true") for _ in range(3)]
    alive = child("sleep", "60")
    for other in others:
        has_ended(other)
    warden._reap()
    assert all(map(is_reaped, others))
    assert not is_reaped(bot.pid)
    assert not is_reaped(alive)
    os.kill(alive, 9)
    has_ended(alive)


def nobody_is_believed_gone_at_the_first_look() -> None:
    """A process that was born while /proc was read is seen by the second look only."""
    born = child("sleep", "60")
    process = look_up(born)
    assert process is not None
    sent: Sent = []
    warden = Scripted(sent, [{}, {1: [process]}])
    start(warden)
    warden.look_after(forget)
    assert [message[0] for message in sent] == ["started"]
    warden.look_after(forget)
    (_, (kind, number, status, left, *_)) = sent
    assert (kind, number, status, left) == ("exited", 1, 0, 0)
    while not is_reaped(born):  # it was killed, and ends at some time
        warden.look_after(forget)


CHECKS = {
    check.__name__: check
    for check in (
        ended_children_are_reaped_without_a_look,
        one_that_hides_others_is_left_and_they_are_reaped,
        nobody_is_believed_gone_at_the_first_look,
    )
}

if __name__ == "__main__":
    CHECKS[sys.argv[1]]()
    print("as it should")
