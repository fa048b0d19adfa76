"""What a bot is told when it broke a rule, and that it goes on from there (SPEC 4.6, 7)."""

from __future__ import annotations

from arena.referee.check.bench import Bench
from arena.referee.check.decisions import short
from arena.referee.check.opponent import ALLOWED_US
from protocol.breach import Breach
from protocol.breaches import out_of_time

_UNASKED = Breach("nothing-asked", "an action, in a drill", "nothing until the next request")
_LATE = out_of_time(ALLOWED_US + 1, ALLOWED_US)


async def ruling(bench: Bench) -> None:
    """It is ruled late before it can have answered: its answer is stale, and that is all."""
    opponent = await bench.opponent()
    opponent.hold_start(short(bench.game))
    await opponent.ask()
    for _ in range(2):
        if not opponent.hold_request():
            break
        opponent.hold_fault(_LATE, settles=True)
        await opponent.flush()
        await opponent.quiet(stale=1)
        await opponent.ask()
    opponent.hold_end()
    await opponent.flush()


async def between(bench: Bench) -> None:
    """With nil for the match and nil for the request; none wants an answer."""
    opponent = await bench.opponent()
    opponent.hold_fault(_UNASKED, settles=False)
    await opponent.flush()
    await opponent.quiet()
    opponent.hold_start(short(bench.game))
    await opponent.ask()
    opponent.hold_fault(_UNASKED, settles=False)
    await opponent.flush()
    await opponent.quiet()
    await opponent.ask()
    # And once while it is asked: the request stays open.
    if opponent.hold_request():
        opponent.hold_fault(_UNASKED, settles=False)
        await opponent.flush()
        await opponent.answer()
    opponent.hold_end()
    await opponent.flush()


async def forfeit(bench: Bench) -> None:
    """No more requests in this match; the next is as any other."""
    opponent = await bench.opponent()
    opponent.hold_start(short(bench.game))
    await opponent.ask()
    opponent.hold_request()
    opponent.hold_fault(_LATE, settles=True, forfeit=True)
    await opponent.flush()
    await opponent.quiet(stale=1)
    opponent.hold_end("forfeit")
    await opponent.flush()
    await opponent.quiet()
    await opponent.play(short(bench.game, number=1), most=3)
