"""Frames cut and joined, and bodies in every form that msgpack has (SPEC 3)."""

from __future__ import annotations

from arena.check import forms
from arena.check.bench import Bench


async def byte_by_byte(bench: Bench) -> None:
    """Send a start and two requests, each byte in a write of its own."""
    opponent = await bench.opponent()
    opponent.hold_start(bench.short())
    await opponent.flush(range(1, opponent.peer.held_bytes))
    for _ in range(2):
        opponent.hold_request()
        await opponent.flush(range(1, opponent.peer.held_bytes))
        await opponent.answer()
    opponent.hold_end()
    await opponent.flush()


async def welcome_and_all(bench: Bench) -> None:
    """Send welcome, start and request in one write, as a server may that is ready at once."""
    opponent = await bench.fresh(welcome=False)
    opponent.hold_welcome()
    opponent.hold_start(bench.short())
    opponent.hold_request()
    await opponent.flush()
    await opponent.answer()
    opponent.hold_end()
    await opponent.flush()


async def end_and_all(bench: Bench) -> None:
    """Send end, start and request in one write: the next match begins at once."""
    opponent = await bench.opponent()
    opponent.hold_start(bench.short())
    await opponent.ask()
    for number in (1, 2):
        opponent.hold_end()
        opponent.hold_start(bench.short(number=number))
        opponent.hold_request()
        await opponent.flush()
        await opponent.answer()
    opponent.hold_end()
    await opponent.flush()


async def cut_inside(bench: Bench) -> None:
    """End writes inside a header, inside a body, and with the next frame begun."""
    opponent = await bench.opponent()
    opponent.hold_start(bench.short())
    body = opponent.peer.held_bytes
    opponent.hold_request()
    end = opponent.peer.held_bytes
    await opponent.flush([2, 5, body - 1, body + 2, body + 4, end - 1])
    await opponent.answer()
    # The header alone, and later the body: the buffers of most hosts do so one day.
    opponent.hold_request()
    await opponent.flush([4])
    await opponent.answer()
    opponent.hold_end()
    await opponent.flush()


async def long_forms(bench: Bench) -> None:
    """Send numbers and lengths in the longest forms of msgpack."""
    opponent = await bench.opponent()
    opponent.hold_start(bench.short())
    for _ in range(3):
        await opponent.ask(packer=forms.in_long_forms)
    opponent.hold_end()
    await opponent.flush()


async def longest(bench: Bench) -> None:
    """Send bodies of 16384 bytes, filled by a field that the bot does not know."""
    opponent = await bench.opponent()
    opponent.hold_start(bench.short(), forms.as_long_as_allowed)
    await opponent.ask(forms.as_long_as_allowed)
    await opponent.ask()
    opponent.hold_end()
    await opponent.flush()


async def deepest(bench: Bench) -> None:
    """Send the deepest nesting allowed, in a field that the bot does not know."""
    opponent = await bench.opponent()
    opponent.hold_start(bench.short(), forms.as_deep_as_allowed)
    await opponent.ask(forms.as_deep_as_allowed)
    opponent.hold_end()
    await opponent.flush()
