"""Frames cut and joined, and bodies in every form that msgpack has (SPEC 3)."""

from __future__ import annotations

from arena.referee.check import forms
from arena.referee.check.bench import Bench
from arena.referee.check.decisions import short


async def byte_by_byte(bench: Bench) -> None:
    """A start and two requests, each byte in a write of its own."""
    opponent = await bench.opponent()
    opponent.hold_start(short(bench.game))
    await opponent.flush(range(1, opponent.peer.held_bytes))
    for _ in range(2):
        opponent.hold_request()
        await opponent.flush(range(1, opponent.peer.held_bytes))
        await opponent.answer()
    opponent.hold_end()
    await opponent.flush()


async def welcome_and_all(bench: Bench) -> None:
    """A server may be ready at once."""
    opponent = await bench.fresh(welcome=False)
    opponent.hold_welcome()
    opponent.hold_start(short(bench.game))
    opponent.hold_request()
    await opponent.flush()
    await opponent.answer()
    opponent.hold_end()
    await opponent.flush()


async def end_and_all(bench: Bench) -> None:
    """The next match begins at once."""
    opponent = await bench.opponent()
    opponent.hold_start(short(bench.game))
    await opponent.ask()
    for number in (1, 2):
        opponent.hold_end()
        opponent.hold_start(short(bench.game, number=number))
        opponent.hold_request()
        await opponent.flush()
        await opponent.answer()
    opponent.hold_end()
    await opponent.flush()


async def cut_inside(bench: Bench) -> None:
    """A write ends inside a header, inside a body, and with the next frame begun."""
    opponent = await bench.opponent()
    opponent.hold_start(short(bench.game))
    body = opponent.peer.held_bytes
    opponent.hold_request()
    end = opponent.peer.held_bytes
    await opponent.flush([2, 5, body - 1, body + 2, body + 4, end - 1])
    await opponent.answer()
    # The header alone, and later the body: what most hosts' buffers do one day.
    opponent.hold_request()
    await opponent.flush([4])
    await opponent.answer()
    opponent.hold_end()
    await opponent.flush()


async def long_forms(bench: Bench) -> None:
    """The number 7 in nine bytes."""
    opponent = await bench.opponent()
    opponent.hold_start(short(bench.game))
    for _ in range(3):
        await opponent.ask(packer=forms.in_long_forms)
    opponent.hold_end()
    await opponent.flush()


async def longest(bench: Bench) -> None:
    """A body of 16384 bytes; what fills it is a field that the bot does not know."""
    opponent = await bench.opponent()
    opponent.hold_start(short(bench.game), forms.as_long_as_allowed)
    await opponent.ask(forms.as_long_as_allowed)
    await opponent.ask()
    opponent.hold_end()
    await opponent.flush()


async def deepest(bench: Bench) -> None:
    """Lists and maps inside each other, in a field that the bot does not know."""
    opponent = await bench.opponent()
    opponent.hold_start(short(bench.game), forms.as_deep_as_allowed)
    await opponent.ask(forms.as_deep_as_allowed)
    opponent.hold_end()
    await opponent.flush()
