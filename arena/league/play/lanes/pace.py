"""The number of matches that a job plays at once: as many as keep its cores busy, and are fair.

Fair means that no match becomes void and no honest decision later, at the 99th percentile, by more
than `LATER` of `decision_ms`, than with one match for each core but one. Two kinds of bots leave
cores free for more matches than that, and their signs are looked for:

- *Quick bots* use a core for a moment only, so that even a queue of them is short: they are charged
  little for a decision, on average and nearly always.
- *Waiting bots* sleep, or run on other machines: they use hardly any processor time here, and it is
  unlikely that more of them want a core than there are.

Bots that think are neither; with them the number is the fewest, and it never goes up as a trial,
because that would cost them time. All figures are worked out before a lane is added. Where they
prove wrong afterwards, or a match is void, the number is halved and comes back slowly (additive
increase, multiplicative decrease).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from arena.league.play.lanes.looks import Look

# Looks that decide: bots may think in one part of a match, and not in another.
WINDOW = 20
# Bots count as having just begun to think if in so many of the last looks this share of the
# decisions was slow, or no match ended at all.
RECENT = 4
THINKING = 0.05
# After so many looks without harm the number may come back by one.
CALM = 10
# A lane is added while this part of the cores is idle.
SPARE = 0.08
# The process of a job has one thread: with more of a core in use it plays no more matches by more
# lanes.
FULL = 0.95
# A decision waits for bots of other matches that are in the queue of its core before it. They may
# need a multiple of their average charge.
TAIL = 10
# Longer decisions than `LATER` of `decision_ms`: at most this part of all, and of all time. A few
# long ones may take most of the time, and are thinking then.
MOST_SLOW = 0.01
# Fewer decisions are too small a sample.
ENOUGH = 1_000
MOST_SLOW_TIME = 0.8
# Part of a core that runner, kernel and other programs use beside the bots.
OTHERS = 0.05
# The highest chance at which no core may be free for a bot.
MOST_CROWDED = 0.01


@dataclass(frozen=True)
class LaneBounds:
    """The terms of one job."""

    fewest: int  # lanes that are fair with any bots
    most: int
    cores: int  # that the job shares with its bots
    later_us: float  # the most by which a decision may become later


class LaneCount:
    """Works out how many lanes a job has, from one look to the next. Pure."""

    def __init__(self, bounds: LaneBounds) -> None:
        self.lanes = bounds.fewest
        self._bounds = bounds
        self._ceiling = bounds.most
        self._calm = 0  # looks without harm since the last
        self._looks: deque[Look] = deque(maxlen=WINDOW)

    def __repr__(self) -> str:
        return f"<LaneCount of {self.lanes} lanes, at most {self._ceiling}>"

    def after(self, look: Look) -> int:
        """Return the number of lanes from now on."""
        self._looks.append(look)
        if self._begin_to_think():
            self._cut(self._bounds.fewest)
        elif look.charged.voids or not self.is_fair(self.lanes):
            self._cut(self.lanes // 2)
        else:
            self._calm += 1
            if self._calm % CALM == 0:
                self._ceiling = min(self._ceiling + 1, self._bounds.most)
            if self._has_room(look):
                self._grow()
        return self.lanes

    def is_fair(self, lanes: int) -> bool:
        """Tell whether so many matches at once cost no decision too much time, as bots are now."""
        if lanes <= self._bounds.fewest:
            return True
        looks = [*self._looks]
        if lanes <= self.lanes and len(looks) < RECENT:
            return True  # the lanes that there are need more than a hiccup to be called unfair
        queue = lanes / self._bounds.cores
        return is_brief(looks, queue, self._bounds.later_us) or self._finds_core(looks, lanes)

    def _begin_to_think(self) -> bool:
        """Tell whether the last looks show bots that think, where those before did not."""
        if self.lanes <= self._bounds.fewest or len(self._looks) < RECENT:
            return False
        looks = [*self._looks][-RECENT:]
        decisions = sum(each.charged.decisions for each in looks)
        slow = sum(each.charged.slow for each in looks)
        return slow >= THINKING * decisions and not self._finds_core(looks, self.lanes)

    def _cut(self, lanes: int) -> None:
        """Have fewer lanes, and let them come back slowly. They are judged by new looks."""
        self._ceiling = max(self._bounds.fewest, self.lanes // 2)
        self.lanes = max(self._bounds.fewest, lanes)
        self._calm = 0
        self._looks.clear()

    def _grow(self) -> None:
        """Add lanes, at most as many again."""
        most = min(2 * self.lanes, self._ceiling)
        fair = (each for each in range(most, self.lanes, -1) if self.is_fair(each))
        self.lanes = next(fair, self.lanes)

    def _has_room(self, look: Look) -> bool:
        return (
            look.used.idle >= SPARE * self._bounds.cores
            and look.used.refereeing <= FULL
            and look.playing >= self.lanes
            and any(each.charged.decisions for each in self._looks)
        )

    def _finds_core(self, looks: Sequence[Look], lanes: int) -> bool:
        """Tell whether a bot that wants a core nearly always finds one."""
        # The busiest look counts: bots that wait now may think again soon.
        share = max(
            (max(0.0, each.used.thinking - OTHERS) / max(1, each.playing) for each in looks),
            default=1.0,
        )
        return chance(lanes - 1, self._bounds.cores - 1, min(1.0, share)) <= MOST_CROWDED


def is_brief(looks: Sequence[Look], queue: float, later_us: float) -> bool:
    """Tell whether bots need a core for a moment only, so that even a queue for it is short.

    `queue`: bots that may want the same core. `later_us`: the most that one may wait for it.
    """
    charged = [each.charged for each in looks]
    decisions = sum(each.decisions for each in charged)
    if decisions < ENOUGH:
        return False
    if sum(each.slow for each in charged) > MOST_SLOW * decisions:
        return False
    time_us = sum(each.time_us for each in charged)
    if sum(each.slow_us for each in charged) > MOST_SLOW_TIME * time_us:
        return False
    return queue * TAIL * time_us / decisions <= later_us


def chance(others: int, least: int, share: float) -> float:
    """Return the chance that at least `least` of `others` want a core at the same time, if each
    wants one for this share of the time."""
    if share == 0:
        return 0.0
    return 1.0 - sum(
        math.comb(others, number) * share**number * (1 - share) ** (others - number)
        for number in range(min(least, others + 1))
    )
