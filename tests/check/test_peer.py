"""The addresses at which a check listens."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from arena.bots.confine.confiner import Confiner
from arena.bots.processes import Warden
from arena.check.peer import Runs
from arena.referee.door.addresses import TcpAddress, UnixAddress
from tests.check.small_check import PROGRAM


def test_each_run_listens_at_an_address_of_its_own_of_the_kind_asked_for() -> None:
    nobody = object()
    runs = Runs(
        cast("Warden", nobody), cast("Confiner", nobody), PROGRAM, Path("/check"), 1000, None
    )
    assert runs.address("unix") == UnixAddress(Path("/check/door0"))
    runs.count += 1
    assert runs.address("unix") == UnixAddress(Path("/check/door1"))
    assert runs.address("tcp") == TcpAddress("127.0.0.1", 0)
    assert runs.address("tcp6") == TcpAddress("::1", 0)
