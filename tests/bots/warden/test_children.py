"""The warden's bots: refusals with their errno, and which ended processes are reaped when."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.bots.warden import children
from arena.bots.warden.cgroups.groups import Cgroups
from arena.bots.warden.children import GIVE_UP_SECONDS, Child, Children
from arena.bots.warden.outputs import Output
from arena.bots.warden.printing import Printing
from arena.bots.warden.rules import Rules
from arena.bots.warden.spawn import StartOrder
from tests.bots.programs import SAFETY_SECONDS
from tests.bots.reaping import CHECKS
from tests.referee.door.test_lobby import no_more_descriptors
from tests.referee.real_match import ROOT


@pytest.mark.parametrize("check", CHECKS)
def test_in_a_warden_of_its_own(check: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.bots.reaping", check],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SAFETY_SECONDS,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (0, "as it should\n"), ran.stderr


def refusal(rules: Rules | None = None) -> tuple[object, ...]:
    """The only message about a bot that cannot be started."""
    sent: list[tuple[object, ...]] = []
    bots = Children("secret", sent.append)
    order = StartOrder(("true",), {}, "/", 64, rules)
    assert bots.start(1, order, Printing()) is None
    (message,) = sent
    return message


def test_a_machine_without_descriptors_refuses_with_its_errno() -> None:
    with no_more_descriptors():
        message = refusal()
    assert message == ("refused", 1, "machine", errno.EMFILE)


def test_rules_whose_folder_or_group_cannot_be_made_refuse_with_their_errno(tmp_path: Path) -> None:
    """And nothing that was made for them is left."""
    group, missing = tmp_path / "group", str(tmp_path / "missing" / "scratch")
    rules = Rules(cgroups=((str(group), (), ()),), folders=(missing,))
    assert refusal(rules) == ("refused", 1, "rules", errno.ENOENT)
    assert not group.exists()
    rules = Rules(cgroups=((str(group), (("no/file", "1"),), ()),))
    assert refusal(rules) == ("refused", 1, "rules", errno.ENOENT)
    assert not group.exists()


class Immortal(Children):
    """Has a bot whose first process, 7, and two of its tree outlive every signal.

    `first_ended`: its first process does end.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, first_ended: bool) -> None:
        self.sent: list[tuple[object, ...]] = []
        self.signals: list[tuple[int, int]] = []
        self.reaped: list[int] = []
        self.now = 1000.0
        super().__init__("secret", self.sent.append)
        readers = [os.pipe() for _ in range(2)]
        for _, writer in readers:
            os.close(writer)
        out, err = (
            Output(reader, name, logs=None, in_pieces=False, is_shown=False)
            for (reader, _), name in zip(readers, ("stdout", "stderr"), strict=True)
        )
        self.bot = Child(3, 7, Rules(), Cgroups(()), out, err, Printing())
        self._bots[3] = self.bot
        monkeypatch.setattr(children, "_status_of", lambda pid: 5 if first_ended else None)
        monkeypatch.setattr(children, "_kill_group", lambda pid: self.signals.append((-pid, 9)))
        monkeypatch.setattr(children, "send_signal", self.signal)
        monkeypatch.setattr(children, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr("os.waitpid", self.waitpid)

    def signal(self, process: Any, number: int) -> None:
        self.signals.append((process.pid, number))

    def waitpid(self, pid: int, options: int) -> tuple[int, int]:
        self.reaped.append(pid)
        return pid, 0

    def _trees(self) -> dict[int, list[Any]]:
        return {3: [SimpleNamespace(pid=pid) for pid in (7, 8, 9)], 4: [SimpleNamespace(pid=1)]}

    def _reap(self) -> None:
        """Nothing of it ends."""


@pytest.mark.parametrize(("first_ended", "status", "left"), [(False, -9, 3), (True, 5, 2)])
def test_what_outlives_being_killed_is_left_and_counted_when_it_is_given_up(
    monkeypatch: pytest.MonkeyPatch, *, first_ended: bool, status: int, left: int
) -> None:
    bots, forgotten = Immortal(monkeypatch, first_ended=first_ended), list[Child]()
    bots.end(3, 500)
    asked = [] if first_ended else [(pid, signal.SIGTERM) for pid in (7, 8, 9)]
    assert bots.signals == [(pid, signal.SIGTERM) for pid in (7, 8, 9)]
    if not first_ended:
        bots.now += 0.499
        bots.look_after(forgotten.append)
        assert bots.signals == asked  # it is within its grace
        bots.now += 0.001
    bots.signals.clear()
    for seconds in (0.0, GIVE_UP_SECONDS - 0.01):
        bots.now += seconds
        bots.look_after(forgotten.append)
        assert bots.signals[-2:] == [(8, signal.SIGKILL), (9, signal.SIGKILL)]
        assert bots.ending
    assert bots.signals.count((-7, 9)) == 1
    assert (bots.sent, forgotten) == ([], [])
    bots.now += 0.01
    bots.look_after(forgotten.append)
    ((what, number, *ended),) = bots.sent
    assert (what, number, ended[:2]) == ("exited", 3, [status, left])
    assert forgotten == [bots.bot]
    assert bots.reaped == ([7] if first_ended else [])
    assert not bots.ending


@pytest.mark.parametrize(
    ("mark", "number"),
    [
        ("secret.3", 3),
        ("secret.4", None),  # nobody's
        ("other.3", None),
        ("secret.three", None),
        ("secret.", None),
        ("secret", None),
        ("", None),
        (None, None),
    ],
)
def test_a_process_is_a_bots_if_its_mark_has_our_secret_and_the_number_of_one(
    mark: str | None, number: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who knows the secret may have written anything after it."""
    bots = Immortal(monkeypatch, first_ended=False)
    monkeypatch.setattr(children, "mark_of", lambda pid, looks: mark if pid == 12 else "secret.3")
    process: Any = SimpleNamespace(pid=12, is_zombie=False)
    assert bots._marked(process) == number
    zombie: Any = SimpleNamespace(pid=13, is_zombie=True)
    assert bots._marked(zombie) is None
    bots.bot.stdout.close()
    bots.bot.stderr.close()
