"""From a command to a process: what is told when the machine has no room for one."""

from __future__ import annotations

import errno
import os

import pytest

from arena.bots.warden.spawn import SpawnRefused, StartOrder, spawn


def test_a_machine_without_room_for_a_process_says_why_and_keeps_no_descriptor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full() -> int:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr("os.fork", full)
    before = os.listdir("/proc/self/fd")
    with pytest.raises(SpawnRefused) as caught:
        spawn(StartOrder(("true",), {}, "/", 64), 1, 2)
    assert (caught.value.stage, caught.value.number) == ("machine", errno.EAGAIN)
    assert os.listdir("/proc/self/fd") == before
