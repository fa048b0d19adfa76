"""Interleaved repeats, medians, ratios and a table: what every benchmark here is made of.

On a shared machine wall times lie and the clock speed wanders, so everything compared is
measured in one run, turn and turn about, in CPU time, and the medians are compared.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType

Work = Callable[[], int]
"""Does something a number of times, and says how often."""


def specialised(work: Work) -> Work:
    """The same work as code of its own: the interpreter specialises code to what it meets, and
    a loop that drives two games would be specialised to neither, as no user's loop is."""
    assert isinstance(work, FunctionType)
    work.__code__ = work.__code__.replace()
    return work


def cpu_seconds(work: Work) -> float:
    """CPU seconds for each time the work was done."""
    began = time.process_time_ns()
    count = work()
    return (time.process_time_ns() - began) / 1e9 / count


def interleaved(works: Mapping[str, Work], repeats: int) -> dict[str, float]:
    """The median CPU seconds of each work, measured turn and turn about after a warm-up.

    What is alive by then is taken out of the garbage collector's sight, so that nobody pays
    for the modules that somebody else has loaded.
    """
    for work in works.values():
        work()
    gc.collect()
    gc.freeze()
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            times[name].append(cpu_seconds(work))
    return {name: statistics.median(each) for name, each in times.items()}


@dataclass(frozen=True)
class Line:
    """One promise: what was measured, and what it must be."""

    what: str
    value: float
    unit: str
    bound: float
    stretch: float
    at_least: bool = False  # else at most

    @property
    def holds(self) -> bool:
        return self.reaches(self.bound)

    def reaches(self, bound: float) -> bool:
        return self.value >= bound if self.at_least else self.value <= bound


def report(title: str, lines: Sequence[Line], notes: Sequence[str] = ()) -> int:
    """Print the table; the exit code is 1 where a line does not hold."""
    print(title)
    width = max(len(line.what) for line in lines)
    for line in lines:
        sign = ">=" if line.at_least else "<="
        verdict = "holds" if line.holds else "DOES NOT HOLD"
        if line.reaches(line.stretch):
            verdict += ", stretch reached"
        print(
            f"  {line.what:<{width}}  {line.value:8.2f} {line.unit:<4}"
            f" {sign} {line.bound:g} (stretch {line.stretch:g})  {verdict}"
        )
    for note in notes:
        print(f"  {note}")
    return 0 if all(line.holds for line in lines) else 1
