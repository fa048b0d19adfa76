"""Sparklines: the ratings of each bot so far, small enough for a row of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.league.table.standings import Moment

WIDTH, HEIGHT, MARGIN = 84, 24, 2.5
# A line of the table needs no more points than this.
MOST_POINTS = 20
# Ratings of the first sets, this share of all, jump so far that nothing later could be seen.
UNSETTLED = 0.2
# At least so many Elo fill the height, so that mere noise does not look like a rise.
LEAST_SPAN = 60.0


def sparks(history: Sequence[Moment], names: Sequence[str]) -> Mapping[str, str]:
    """Return by name the points of a line; all lines have the same Elo to the pixel.

    A bot with fewer than two settled ratings has no line.
    """
    if not history:
        return {}
    first, last = UNSETTLED * history[-1].sets, history[-1].sets
    shown = thinned([moment for moment in history if moment.sets > first])
    courses = {
        name: [(moment.sets, moment.elo[name][0]) for moment in shown if name in moment.elo]
        for name in names
    }
    courses = {name: course for name, course in courses.items() if len(course) > 1}
    spans = [
        max(elo for _, elo in course) - min(elo for _, elo in course) for course in courses.values()
    ]
    scale = (HEIGHT - 2 * MARGIN) / max(LEAST_SPAN, *spans, 0.0)

    def x(sets: float) -> float:
        return round(MARGIN + (WIDTH - 2 * MARGIN) * (sets - first) / (last - first), 1)

    return {
        name: " ".join(f"{x(sets):g},{y:g}" for (sets, _), y in zip(course, ys, strict=True))
        for name, course in courses.items()
        for ys in [heights([elo for _, elo in course], scale)]
    }


def heights(elos: Sequence[float], scale: float) -> list[float]:
    """Return the heights of ratings on the drawing, the middle of their range in its middle."""
    middle = (max(elos) + min(elos)) / 2
    return [round(HEIGHT / 2 - (elo - middle) * scale, 1) for elo in elos]


def thinned(history: Sequence[Moment]) -> list[Moment]:
    """Return at most MOST_POINTS moments, evenly spread; the first and the last are among them."""
    if len(history) <= MOST_POINTS:
        return [*history]
    step = (len(history) - 1) / (MOST_POINTS - 1)
    chosen = [round(step * point) for point in range(MOST_POINTS)]
    return [history[at] for at in chosen]
