"""Sealed bytes: what Dask can show of them."""

from __future__ import annotations

import pickle
from pathlib import Path

from arena.bots.confine.confinement import Wish
from arena.league.play.orders import PlaySet
from arena.league.worker.messages import SetTask, SiteTerms, opened, sealed
from arena.league.worker.sealed import Sealed
from arena.record.timing import Timing

SEED = bytes(range(65, 97))
TERMS = SiteTerms("cup", "1", 4, 1000, Wish.AUTO, (Path("/opt"),), True, "", True)
ORDER = PlaySet(
    number=7,
    lease=3,
    attempt=0,
    line_up=("fox", "owl"),
    turns=(0, 1),
    seed=SEED,
    game="nyet",
    options={},
    timing=Timing(),
    show_names=False,
    may_void=True,
)


def test_a_message_comes_out_as_it_went_in() -> None:
    task = SetTask(TERMS, (), ORDER)
    assert opened(pickle.loads(pickle.dumps(sealed(task))), SetTask) == task


def test_no_text_of_it_shows_a_seed() -> None:
    message = sealed(SetTask(TERMS, (), ORDER))
    assert SEED in message.open()
    for text in (repr(message), str(message), f"{message}", repr([message])):
        assert SEED.decode() not in text
        assert SEED.hex() not in text
        assert "fox" not in text
    assert repr(message) == f"<Sealed, {len(message.open())} bytes>"


def test_it_has_no_attributes_that_a_dump_of_a_worker_would_show() -> None:
    assert not hasattr(Sealed(b"moo"), "__dict__")
