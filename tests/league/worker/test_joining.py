"""The wait for a scheduler: which tries are the last, and what people are told meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import trio
from trio.testing import MockClock

from arena.league.worker.joining import AGAIN_SECONDS, CannotJoin, Joining
from arena.league.worker.probe import Unreached

STARTS = Unreached("nothing listens there", may_heal=True)
REFUSES = Unreached("it does not accept the certificate")


class Script:
    """A scheduler of which each try finds the next of these."""

    def __init__(self, *found: Unreached | None) -> None:
        self._found: Iterator[Unreached | None] = iter(found)

    async def attempt(self) -> Unreached | None:
        await trio.lowlevel.checkpoint()
        return next(self._found)


async def test_a_scheduler_that_is_not_there_yet_is_waited_for_and_told_once(
    autojump_clock: MockClock,
) -> None:
    told: list[str] = []
    began = trio.current_time()
    await Joining(Script(STARTS, STARTS, None).attempt, told.append).until_let_in()
    assert told == [
        f"nothing listens there. It is tried again every {AGAIN_SECONDS:.0f} s, until stopped."
    ]
    assert trio.current_time() - began == 2 * AGAIN_SECONDS


async def test_where_waiting_does_not_help_the_wait_ends_with_the_reason() -> None:
    told: list[str] = []
    with pytest.raises(CannotJoin, match="it does not accept the certificate"):
        await Joining(Script(REFUSES).attempt, told.append).until_let_in()
    assert told == []


async def test_a_scheduler_that_let_this_machine_in_before_is_waited_for_whatever_it_does(
    autojump_clock: MockClock,
) -> None:
    """One that starts again may do anything for a moment."""
    told: list[str] = []
    joining = Joining(Script(None, STARTS, REFUSES, None).attempt, told.append)
    await joining.until_let_in()
    await joining.until_let_in()
    assert [line.partition(".")[0] for line in told] == [STARTS.why, REFUSES.why]
