"""What a job makes of its first order."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.bots.program import DialIn, Program
from arena.league.play import job
from arena.league.play.orders import Setup
from arena.record.confinement import DIALLED_IN
from arena.referee.house import House
from arena.tokens import KnownToken


def test_bots_have_the_places_and_the_patience_that_the_order_gives_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dialled: list[Any] = []
    started: list[tuple[str, int]] = []
    confined: list[object] = []

    def dial(*given: object, **more: Any) -> SimpleNamespace:
        dialled.append((given, more))
        return SimpleNamespace(name="owl")

    monkeypatch.setattr(job, "DialledPlayer", dial)
    monkeypatch.setattr(job, "Pool", lambda *given: given)
    house = SimpleNamespace(
        lobby="lobby",
        confiner=SimpleNamespace(word="landlock"),
        confine_by=confined.append,
        player=lambda bot, start_ms: started.append((bot.name, start_ms)),
    )
    fox = Program("fox", ("fox",), cast("Any", "/"))
    owl, token = DialIn("owl"), KnownToken.of("a token")
    setup = Setup((fox, owl), 3, 10_000, 45_000, None, tokens={"owl": token})
    waited: list[str] = []
    places, word, pieces = cast("Any", job.pool_of(cast("House", house), setup, waited.append))
    assert started == [("fox", 10_000)] * 3
    assert ({name: len(seated) for name, seated in places.items()}) == {"fox": 3, "owl": 1}
    ((given, more),) = dialled
    assert given == ("lobby", "owl", token)
    more.pop("on_wait")()
    assert waited == ["owl"]
    assert more == {"first_seconds": 45.0, "again_ms": 10_000}
    assert (word, pieces, confined) == ("landlock", None, [setup.confine])
    _, word, _ = cast("Any", job.pool_of(cast("House", house), Setup((owl,), 1, 1, 1, None), print))
    assert word == DIALLED_IN
