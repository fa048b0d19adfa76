"""The games themselves: every table, every kind of decision, the longest and the oddest."""

from __future__ import annotations

from arena.referee.check.bench import Bench
from arena.referee.check.decisions import (
    KINDS,
    Decision,
    Setting,
    longest_list,
    reaching,
    short,
)
from arena.referee.check.decisions import (
    every_size as every_setting,
)
from arena.referee.check.decisions import (
    largest as largest_setting,
)
from arena.referee.check.decisions import (
    other_options as other_setting,
)
from arena.referee.check.findings import Finding, Severity
from protocol.durations import told

# Matches played for a kind of decision that does not come up by itself.
MOST_ATTEMPTS = 8


async def every_size(bench: Bench, game: str) -> None:
    """A whole short match at each table."""
    for setting in every_setting(game):
        if not await whole(bench, setting):
            return


async def every_kind(bench: Bench, game: str) -> None:
    """More matches, until the bot was asked everything that one can be asked."""
    await whole(bench, short(game, 0, 3))
    for kind in KINDS[game]:
        for attempt in range(MOST_ATTEMPTS):
            if kind in bench.seen.setdefault(game, set()):
                break
            if not await whole(bench, reaching(kind, game, attempt)):
                return
    missing = [kind for kind in KINDS[game] if kind not in bench.seen[game]]
    if missing:
        bench.log.add(
            Finding(
                Severity.NOTE,
                "10.2",
                f"{game}: it was never asked for: {', '.join(missing)}; its own play never led"
                " there",
            )
        )


async def largest(bench: Bench, game: str) -> None:
    """As much to read as there ever is."""
    opponent = await bench.opponent()
    await opponent.play(longest_list(game), most=2)
    await whole(bench, largest_setting(game))


async def other_options(bench: Bench, game: str) -> None:
    """What a league may set otherwise."""
    await whole(bench, other_setting(game))


async def whole(bench: Bench, setting: Setting) -> bool:
    """A whole match; False if the bot has taken so long that it must do for this step."""
    opponent = await bench.opponent()
    seen = bench.seen.setdefault(setting.game, set())

    def see(decision: Decision) -> None:
        seen.add(decision.kind)

    opponent.hold_start(setting)
    while not bench.has_thought_enough and await opponent.ask():
        assert opponent.decision is not None
        see(opponent.decision)
    is_over = opponent.table is not None and opponent.table.outcome is not None
    opponent.hold_end()
    await opponent.flush()
    if not is_over:
        thought = bench.thought_us
        bench.log.add(
            Finding(
                Severity.NOTE,
                "6",
                f"{setting.game}: the rest of this step was left out, after {told(thought)} of"
                " thinking; that is no fault",
            )
        )
    return is_over
