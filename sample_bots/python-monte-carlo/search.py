"""The search: try several candidates in many worlds, within a time.

What a world and a candidate are, the caller knows: see `sample` in rounds.py and turns.py.
"""

import time

# What is thought of a candidate beforehand counts as much as so many worlds. Measured: without it
# twenty worlds play no better than python-tricks, with it clearly better.
PRIOR_WORLDS = 20


def best_of(candidates, sample, budget, clock=time.perf_counter):
    """Return the candidate with the best average.

    `candidates`: by candidate, what is thought of it beforehand, in the measure of the worlds.
    `sample`: draws a world, and returns a function from a candidate to its value there. All
    candidates are tried in the same worlds, so luck falls on all alike.
    `budget`: seconds. The clock is looked at after each world, so one at most is too many.

    The time is cut into stages. After each the worse half of the candidates is given up, so that
    the rest get more worlds each.
    """
    start = clock()
    totals = {candidate: PRIOR_WORLDS * value for candidate, value in candidates.items()}
    stages = max(1, (len(totals) - 1).bit_length())
    stage = 1
    while len(totals) > 1:
        value_of = sample()
        for candidate in totals:
            totals[candidate] += value_of(candidate)
        spent = clock() - start
        if spent >= budget:
            break
        if spent >= budget * stage / stages:
            stage += 1
            best = sorted(totals, key=totals.__getitem__, reverse=True)
            totals = {candidate: totals[candidate] for candidate in best[: (len(best) + 1) // 2]}
    return max(totals, key=totals.__getitem__)
