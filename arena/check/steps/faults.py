"""Rulings on faults, and the match after them (SPEC 4.6, 7)."""

from __future__ import annotations

from arena.check.bench import Bench
from arena.check.opponent import ALLOWED_US
from protocol.breach import Breach
from protocol.breaches import out_of_time

_UNASKED = Breach("nothing-asked", "an action, in a drill", "nothing until the next request")
_TRULY_LATE = out_of_time(ALLOWED_US + 1, ALLOWED_US)
_LATE = Breach("out-of-time", f"{_TRULY_LATE.came}, in a drill", _TRULY_LATE.expected)


async def ruling(bench: Bench) -> None:
    """Rule the bot late before it can have answered, so that its answer is stale."""
    opponent = await bench.opponent()
    opponent.hold_start(bench.short())
    await opponent.ask()
    for _ in range(2):
        if not opponent.hold_request():
            break
        opponent.hold_fault(_LATE, settles=True)
        await opponent.flush()
        await opponent.ask()
    opponent.hold_end()
    await opponent.flush()


async def between(bench: Bench) -> None:
    """Send faults that settle no request, between matches and in one; a bot answers none of
    them."""
    opponent = await bench.opponent()
    opponent.hold_fault(_UNASKED, settles=False)
    await opponent.flush()
    await opponent.quiet()
    opponent.hold_start(bench.short())
    await opponent.ask()
    opponent.hold_fault(_UNASKED, settles=False)
    await opponent.flush()
    await opponent.quiet()
    await opponent.ask()
    # Another such fault, now with a request open: the request must stay open.
    if opponent.hold_request():
        opponent.hold_fault(_UNASKED, settles=False)
        await opponent.flush()
        await opponent.answer()
    opponent.hold_end()
    await opponent.flush()


async def forfeit(bench: Bench) -> None:
    """Rule that the match is forfeited: it has no more requests, and the next is like any other."""
    opponent = await bench.opponent()
    opponent.hold_start(bench.short())
    await opponent.ask()
    opponent.hold_request()
    opponent.hold_fault(_LATE, settles=True, forfeit=True)
    await opponent.flush()
    await opponent.quiet(stale=1)
    opponent.hold_end("forfeit")
    await opponent.flush()
    await opponent.quiet()
    await opponent.play(bench.short(number=1), most=3)
