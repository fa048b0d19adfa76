"""The games themselves: every table size, every kind of decision, the longest and the oddest."""

from __future__ import annotations

from arena.check.bench import Bench
from arena.check.decisions import (
    Decision,
    Setting,
    longest_list,
    reaching,
)
from arena.check.decisions import (
    every_size as every_setting,
)
from arena.check.decisions import (
    largest as largest_setting,
)
from arena.check.decisions import (
    other_options as other_setting,
)
from arena.check.findings import Finding, Severity
from arena.games import GAMES
from protocol.durations import told

# The most matches for a kind of decision that does not come up by itself.
MOST_ATTEMPTS = 8


async def every_size(bench: Bench, game: str) -> None:
    """Play a whole short match at each table size."""
    for setting in every_setting(game, bench.sizes(game)):
        if not await whole(bench, setting):
            return


async def every_kind(bench: Bench, game: str) -> None:
    """Play more matches, until the bot was asked for every kind of decision."""
    await whole(bench, bench.short(game, number=3))
    kinds = GAMES[game].kinds
    for kind in kinds:
        for attempt in range(MOST_ATTEMPTS):
            if kind.name in bench.seen.setdefault(game, set()):
                break
            if not await whole(bench, reaching(kind, game, attempt, bench.sizes(game))):
                return
    missing = [kind.name for kind in kinds if kind.name not in bench.seen[game]]
    if missing:
        bench.log.add(
            Finding(
                Severity.NOTE,
                "10.2",
                f"{game}: it met no decision of these kinds: {', '.join(missing)}; its own play did"
                " not lead there",
            )
        )


async def largest(bench: Bench, game: str) -> None:
    """Play the longest list of legal actions and the largest views."""
    opponent = await bench.opponent()
    await opponent.play(longest_list(game, bench.sizes(game)), most=2)
    await whole(bench, largest_setting(game, bench.sizes(game)))


async def other_options(bench: Bench, game: str) -> None:
    """Play with other options than the defaults, as a league may set them."""
    await whole(bench, other_setting(game, bench.sizes(game)))


async def whole(bench: Bench, setting: Setting) -> bool:
    """Play a whole match. Returns False if the bot has thought so long that it must do for this
    step."""
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
