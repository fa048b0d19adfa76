"""The time that the steps of a check will take, as far as the bot's speed is known."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

from arena.check.bench import ENOUGH_US
from arena.check.catalogue import CheckStep
from arena.check.measure import Measures, middle

# Most steps take the bot as it stands after the step before: 14 starts in 51 steps.
STARTS_A_STEP = 0.3


def seconds_of(steps: Iterable[CheckStep], measures: Measures) -> float:
    """Estimate the time for these steps, from the starts and decisions measured so far.

    With nothing measured it is the least: our own pauses. A bot that does not answer takes
    longer, but ends the check after a few steps.
    """
    start_us = middle(measures.starts_us)
    decision_us = statistics.fmean(measures.decisions_us) if measures.decisions_us else 0.0
    return sum(
        step.pauses_s
        + (STARTS_A_STEP * start_us + min(step.decisions * decision_us, ENOUGH_US)) / 1e6
        for step in steps
    )
