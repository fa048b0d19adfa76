"""The history as a drawing: the coordinates of lines, bands and labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arena.league.table.standings import Moment

LEFT, TOP, BOTTOM = 52.0, 14.0, 34.0
LABEL_HEIGHT = 15.0
# Lines repeat a colour, a dash or a marker, but no combination of the three; labels name them.
COLOURS, DASHES, MARKERS = 8, 3, 5
# More bands than these lie over each other as a grey mush; then only a line that is pointed at
# shows its own.
FEW = 2
# In the first sets ratings jump and bars are wide. So the ratings of the first sets, this share of
# all, may lie outside the drawing; and bars make it at most MOST_SPREAD times as high as the
# ratings need.
UNSETTLED = 0.2
MOST_SPREAD = 3.0


@dataclass(frozen=True)
class Frame:
    """The size of a drawing, in its own units."""

    width: float
    least_height: float
    room: float  # for labels, beyond the end of the lines


WIDE = Frame(1000.0, 430.0, 190.0)
# For a single line, which needs no label; text is large enough on a phone.
SMALL = Frame(420.0, 210.0, 14.0)


@dataclass(frozen=True)
class Line:
    """One bot's ratings over time."""

    name: str
    points: str
    band: str  # the outline of its bars, or "" where there are none
    end: tuple[float, float]
    label_y: float
    elo: float
    half_width: float | None
    colour: int
    dash: int
    marker: int


@dataclass(frozen=True)
class Tick:
    at: float
    label: str


@dataclass(frozen=True)
class Chart:
    width: float
    height: float
    lines: tuple[Line, ...]
    ups: tuple[Tick, ...]  # Elo
    alongs: tuple[Tick, ...]  # counted sets
    right: float  # where the lines end

    @property
    def are_few(self) -> bool:
        """True if the lines are so few that all bands can be shown at once."""
        return len(self.lines) <= FEW


def regular(history: Sequence[Moment], name: str) -> tuple[Moment, ...]:
    """Return the moments at even steps with the ratings of one bot, in whole Elo.

    Unlike the last moment they do not change with every set, so that what is drawn of them stays
    the same for a while. Fewer than two make no line, so then there are none.
    """
    step = history[0].sets if history else 1
    found = tuple(
        Moment(moment.sets, {name: (round(elo), None if half is None else round(half))})
        for moment in history
        if moment.sets % step == 0 and name in moment.elo
        for elo, half in [moment.elo[name]]
    )
    return found if len(found) > 1 else ()


def chart(
    history: Sequence[Moment],
    names: Sequence[str],
    kinds: Sequence[int],
    frame: Frame = WIDE,
) -> Chart:
    """Return a chart with a line for each name.

    `kinds`: a number for each name, which fixes its colour, dash and marker for ever.
    """
    height = max(frame.least_height, TOP + BOTTOM + LABEL_HEIGHT * len(names))
    shown = {name: [(m.sets, *m.elo[name]) for m in history if name in m.elo] for name in names}
    with_bars = len(names) <= FEW
    first, last = history[0].sets, history[-1].sets
    settled = [each for points in shown.values() for each in points if each[0] > UNSETTLED * last]
    low, high = _span(settled, with_bars)
    right = frame.width - frame.room

    def x(sets: float) -> float:
        share = (sets - first) / (last - first) if last > first else 1.0
        return round(LEFT + share * (right - LEFT), 1)

    def y(elo: float) -> float:
        share = (elo - low) / (high - low)
        return round(height - BOTTOM - share * (height - TOP - BOTTOM), 1)

    ends = {name: y(points[-1][1]) for name, points in shown.items() if points}
    labels = apart(ends, TOP + 4, height - BOTTOM)
    lines = []
    for name, kind in zip(names, kinds, strict=True):
        points = shown[name]
        if not points:
            continue
        barred = [(sets, elo, half) for sets, elo, half in points if half is not None]
        upper = [f"{x(sets)},{y(elo + half)}" for sets, elo, half in barred]
        lower = [f"{x(sets)},{y(elo - half)}" for sets, elo, half in reversed(barred)]
        sets, elo, half_width = points[-1]
        lines.append(
            Line(
                name,
                " ".join(f"{x(sets)},{y(elo)}" for sets, elo, _ in points),
                " ".join(upper + lower) if len(barred) > 1 else "",
                (x(sets), ends[name]),
                labels[name],
                elo,
                half_width,
                kind % COLOURS,
                kind % DASHES,
                kind % MARKERS,
            )
        )
    return Chart(
        frame.width,
        height,
        tuple(lines),
        tuple(Tick(y(at), f"{at:+.0f}".replace("-", "\N{MINUS SIGN}")) for at in ticks(low, high)),
        tuple(Tick(x(at), f"{at:,.0f}") for at in ticks(first, last, 8) if at == int(at)),
        right,
    )


def _span(
    points: Sequence[tuple[int, float, float | None]], with_bars: bool
) -> tuple[float, float]:
    """Return the lowest and highest Elo shown: all ratings, and room for bars that are drawn.

    Bars get room only up to a multiple of the spread of the ratings (MOST_SPREAD).
    """
    elos = [elo for _, elo, _ in points] or [0.0]
    spread = max(elos) - min(elos)
    reach = max(40.0, spread * (MOST_SPREAD - 1) / 2)
    halves = sorted(half for _, _, half in points if half is not None)
    margin = 10 + (min(reach, halves[len(halves) // 2]) if halves and with_bars else 0.0)
    return min(elos) - margin, max(elos) + margin


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Return round numbers between two, roughly `about` of them."""
    if high <= low:
        return [low]
    raw = (high - low) / about
    size = 10.0 ** math.floor(math.log10(raw))
    step = next(size * by for by in (1, 2, 5, 10) if size * by >= raw)
    count = math.floor(high / step) - math.ceil(low / step) + 1
    return [(math.ceil(low / step) + k) * step or 0.0 for k in range(count)]


def apart(wanted: dict[str, float], top: float, bottom: float) -> dict[str, float]:
    """Return the heights of the labels, moved so that none overlap: down from the top, then up."""
    at: dict[str, float] = {}
    lowest = top - LABEL_HEIGHT
    for name in sorted(wanted, key=lambda each: wanted[each]):
        lowest = at[name] = max(wanted[name], lowest + LABEL_HEIGHT)
    highest = bottom + LABEL_HEIGHT
    for name in reversed(list(at)):
        highest = at[name] = min(at[name], highest - LABEL_HEIGHT)
    return {name: round(value, 1) for name, value in at.items()}
