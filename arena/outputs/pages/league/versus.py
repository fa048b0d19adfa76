"""The page about two bots: the difference between them, and the sets that they share."""

from __future__ import annotations

import math

from arena.outputs.pages.league.page import HasPage, Page
from arena.outputs.pages.league.pairs import Pair, PairNames, SharedSet, file_of_pair
from arena.outputs.pages.names import file_of_set
from arena.outputs.pages.words import NONE, mean, share, signed
from arena.stats import FEWEST_FOR_A_BAR, Mean, has_bar

LAST_SETS = 20
EXTREME_SETS = 3
# From so many sets on the best and the worst have no set in common.
FEWEST_FOR_EXTREMES = 2 * EXTREME_SETS + 1
# Steps of colour on either side of one half, as in the matrix.
TINTS = 5


def versus_page(league: str, names: PairNames, pair: Pair, has_page: HasPage) -> Page:
    """Return the page of two bots. Nothing in it depends on other bots or on their sets."""
    sets = len(pair)
    ahead, points = believed(pair.ahead(), sets), pair.points()
    best, worst = pair.extremes(EXTREME_SETS)
    last = pair.last(LAST_SETS)
    if sets < FEWEST_FOR_EXTREMES:
        best = worst = []
    return Page(
        f"versus/{file_of_pair(*names)}",
        "versus.html",
        {
            "root": "../../",
            "here": "",
            "league": league,
            "running": False,
            "names": names,
            "sets": sets,
            "ahead": share(ahead),
            "verdict": verdict(names, ahead),
            "points": mean(believed(points, sets), signed=True) if points else "",
            "last": [told(each, has_page) for each in last],
            "best": [told(each, has_page) for each in best],
            "worst": [told(each, has_page) for each in worst],
            "fewest": FEWEST_FOR_A_BAR,
        },
    )


def verdict(names: PairNames, ahead: Mean) -> str:
    """Return what the sets that two bots share tell of them, in a sentence."""
    if ahead.bar is None:
        return "Too few sets to tell."
    if abs(ahead.value - 0.5) <= ahead.bar:
        return "The bar reaches beyond 50, so this does not tell which of the two does better."
    better, worse = names if ahead.value > 0.5 else reversed(names)
    return f"{better} does better against {worse} than luck explains."


def believed(mean: Mean, sets: int) -> Mean:
    """Return the mean, without its bar where the sets are too few for one."""
    return mean if has_bar(mean, sets) else Mean(mean.value, None)


def told(one: SharedSet, has_page: HasPage) -> tuple[int, str, str, str, str]:
    """Return the number of a set, its address or "", and the result of the first bot in it.

    The result is how often it was ahead and behind, the tint of that, and the points.
    """
    address = file_of_set(one.number) if has_page(one.number) else ""
    ahead, behind = one.halves / 2, one.matches - one.halves / 2
    points = NONE if one.points is None else signed(one.points)
    tinted = tint(one.halves / (2 * one.matches))
    return one.number, address, f"{ahead:g}:{behind:g}", tinted, points


def tint(ahead: float) -> str:
    """Return the class of a tint for a share ahead, "" about one half; as matrix.js tints."""
    step = min(TINTS, math.floor(abs(ahead - 0.5) * 2 * TINTS + 0.7))
    return f"{'u' if ahead > 0.5 else 'd'}{step}" if step else ""
