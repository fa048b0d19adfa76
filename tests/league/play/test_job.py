"""What a job makes of its first order, and of connections that are lent to it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.bots.program import Program
from arena.league.play import job
from arena.league.play.orders import Setup
from arena.record.confinement import DIALLED_IN
from arena.referee.house import House


def test_bots_have_the_places_and_the_patience_that_the_order_gives_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[tuple[str, int]] = []
    confined: list[object] = []
    monkeypatch.setattr(job, "Pool", lambda *given: given)
    house = SimpleNamespace(
        confiner=SimpleNamespace(word="landlock"),
        confine_by=confined.append,
        player=lambda bot, start_ms: started.append((bot.name, start_ms)),
    )
    fox = Program("fox", ("fox",), cast("Any", "/"))
    setup = Setup((fox,), 3, 10_000)
    places, word, pieces = cast("Any", job.pool_of(cast("House", house), setup))
    assert started == [("fox", 10_000)] * 3
    assert {name: len(seated) for name, seated in places.items()} == {"fox": 3}
    assert (word, pieces, confined) == ("landlock", None, [setup.confine])
    _, word, _ = cast("Any", job.pool_of(cast("House", house), Setup((), 1, 1)))
    assert word == DIALLED_IN
