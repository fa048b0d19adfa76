"""The stop test of `arena match --stop` in words: before, in each line, and at the end."""

from __future__ import annotations

import math
from collections.abc import Iterator

from arena.compare.play import Comparison
from arena.compare.stop import Trial, Verdict, expected_sets, usual_variance
from arena.text import plain


def told_before(comparison: Comparison, trial: Trial) -> Iterator[str]:
    """Yield what is tested, and how many sets it may take."""
    first, second = map(plain, comparison.names)
    test, bounds = trial.test, trial.test.bounds
    yield (
        f"{first} against {second}: {bounds.low:g} or {bounds.high:g} {bounds.unit}?"
        f" (alpha {test.alpha:g}, beta {test.beta:g})"
    )
    expected = expected_sets(test, trial.matches, usual_variance(trial.copies, trial.others))
    given = "" if bounds.is_normalised else ", if matches are decided by lot"
    yield (
        f"it takes some {expected.at_low:,} sets of {trial.matches} matches where"
        f" {bounds.low:g} is true, {expected.at_high:,} where {bounds.high:g} is, and"
        f" {expected.between:,} between; a test of fixed length {expected.fixed:,}{given}"
    )


def told_ratio(trial: Trial) -> str:
    """Return where the test stands, in a few words."""
    low, high = trial.test.limits
    return f"ratio {trial.ratio:.2f} of {low:.2f} to {high:.2f}"


def told_verdict(comparison: Comparison, trial: Trial) -> Iterator[str]:
    """Yield the verdict and what it means, and the Elo of the sets."""
    first, second = map(plain, comparison.names)
    bounds = trial.test.bounds
    low, high = (f"{each:g} {bounds.unit}" for each in (bounds.low, bounds.high))
    meaning = {
        Verdict.ACCEPTED: f"{first} is stronger, by {bounds.high:g} rather than by {low}",
        Verdict.REJECTED: f"{first} is at {bounds.low:g} or below rather than at {high}",
        Verdict.NOT_YET: f"neither {bounds.low:g} nor {high} is ruled out",
    }[trial.verdict]
    if trial.verdict is Verdict.ACCEPTED and bounds.high <= 0:
        meaning = f"{first} is at {bounds.high:g} or above rather than at {low}"
    yield f"stop test {bounds.low:g} to {bounds.high:g} {bounds.unit}: {trial.verdict.value}"
    yield f"  {meaning} ({told_ratio(trial)})"
    sets = f"{trial.sets:,} set{'' if trial.sets == 1 else 's'}"
    yield f"  {first} over {second} in {sets}: {told_elo(*trial.elo())}"


def told_elo(elo: float, low: float, high: float) -> str:
    if not math.isfinite(elo):
        return f"{'all' if elo > 0 else 'nothing'} was won, so there is no Elo yet"
    if low == elo == high:
        return f"{elo:+.1f} Elo; every set ended alike, so there is no bar yet"
    ends = [f"{each:+.1f}" if math.isfinite(each) else "no bound" for each in (low, high)]
    return f"{elo:+.1f} Elo, 95 % from {ends[0]} to {ends[1]}"
