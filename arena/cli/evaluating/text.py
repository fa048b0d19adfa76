"""The results of `arena evaluate` in words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from arena.cli.match_text import named
from arena.compare.play import Comparison
from arena.evaluate.results import (
    POLICY,
    AgainstBots,
    against,
    faults_of,
    forfeits_of,
    matches_of,
    time_of,
)
from arena.policy.answer import PolicyMistake
from arena.stats import FEWEST_FOR_A_BAR
from arena.text import plain
from protocol.durations import told

# A LOS is told as below or above these ends: it is never certain.
LEAST_LOS, MOST_LOS = 0.001, 0.999
INDENT = "  "


def told_evaluation(comparison: Comparison, *, is_timed: bool) -> Iterator[str]:
    """Yield the lines to print. `is_timed`: the policy could be late."""
    policy = plain(comparison.line_up[POLICY])
    plan, sets = comparison.plan, comparison.counted
    yield f"{policy} in {plan.game}, {plan.seats} seats, {told_options(comparison)}"
    if sets:
        number = f"{len(sets):,} set{'' if len(sets) == 1 else 's'} of {plan.seats} matches"
        whole = "" if comparison.is_whole else f" ({comparison.sets:,} sets were asked for)"
        yield f"{number}{whole}; bars are 95 %, over sets"
        yield from told_strength(comparison)
    else:
        yield "no set is complete, so there is no Elo"
    yield from told_time(comparison, is_timed=is_timed)
    yield from told_faults(comparison)


def told_options(comparison: Comparison) -> str:
    options = comparison.plan.options
    if not options:
        return "all options at their defaults"
    return ", ".join(f"{name}={plain(str(value))}" for name, value in options.items())


def told_strength(comparison: Comparison) -> Iterator[str]:
    """Yield a line against all bots, and where they have several names one for each."""
    rows = comparison.rows[1:]
    labels = [named(comparison, row) for row in range(1, len(comparison.rows))]
    lines = [(label, [*row]) for label, row in zip(labels, rows, strict=True)]
    if len(lines) > 1:
        lines.insert(0, ("all of them", [place for row in rows for place in row]))
    width = max(len("against"), *(len(label) for label, _ in lines))
    yield (
        f"{INDENT}{'against':<{width}}  {'ahead':>5}  {'Elo':>6}  {'95 % from':>9} {'to':>8}"
        f"  {'LOS':>8}"
    )
    few = False
    for label, places in lines:
        result = against(comparison.counted, places)
        few = result.bar is None
        low, high = ("?", "?") if result.bar is None else map(told_end, result.bar.elo)
        yield (
            f"{INDENT}{label:<{width}}  {result.ahead:5.3f}  {told_end(result.elo):>6}  {low:>9}"
            f" {high:>8}  {told_los(result):>8}"
        )
    if few:
        yield f"{INDENT}bars and LOS come with {FEWEST_FOR_A_BAR} sets"


def told_end(elo: float) -> str:
    """Return an Elo, or the sign of one that is infinite: all or nothing was won."""
    if math.isfinite(elo):
        return f"{elo:+.0f}"
    return "+inf" if elo > 0 else "-inf"


def told_los(result: AgainstBots) -> str:
    if result.los is None:
        return "?"
    if result.los > MOST_LOS:
        return f"> {MOST_LOS:.1%}"
    return f"< {LEAST_LOS:.1%}" if result.los < LEAST_LOS else f"{result.los:.1%}"


def told_time(comparison: Comparison, *, is_timed: bool) -> Iterator[str]:
    """Yield the processor time of a decision, and the clock it was charged to."""
    time = time_of(matches_of(comparison))
    if time is None:
        return
    timing = comparison.plan.timing
    clock = (
        f"clock: {timing.decision_ms:,} ms and {timing.bank_ms / 1000:g} s a match"
        if is_timed
        else "no clock"
    )
    yield (
        f"CPU a decision: mean {told(round(time.mean_us))}, 99 % within {told(time.high_us)}"
        f" ({time.decisions:,} decisions; {clock})"
    )


def told_faults(comparison: Comparison) -> Iterator[str]:
    """Yield a line for the faults of each bot with one code; that the policy had none is told."""
    played = matches_of(comparison)
    faults = faults_of(played)
    if played and not any(each.bot == POLICY for each in faults):
        yield f"faults of {plain(comparison.line_up[POLICY])}: none"
    for each in faults:
        kind = each.kind if each.kind == each.code else f"{each.kind} ({each.code})"
        times = f"{each.times:,} time{'' if each.times == 1 else 's'}"
        matches = f"{each.matches:,} match{'' if each.matches == 1 else 'es'}"
        yield f"faults of {plain(comparison.line_up[each.bot])}: {kind} {times}, in {matches}"
    forfeits = forfeits_of(played)
    if forfeits:
        yield f"its seat was forfeited in {forfeits:,} match{'' if forfeits == 1 else 'es'}"


def told_mistake(comparison: Comparison, mistake: PolicyMistake) -> str:
    """Return what the policy did wrong, and where."""
    policy = plain(comparison.line_up[POLICY])
    number = max(0, len(comparison.played) - 1)
    turn = len(comparison.played[-1]) if comparison.played else 0
    seed = comparison.plan.seed.hex()
    return (
        f"{policy}: {mistake}\n"
        f"That was in match {number + 1}.{turn + 1}; --seed hex:{seed} deals the same cards again"
    )
