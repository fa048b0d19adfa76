"""The filters of the templates, which write numbers and conditions.

They use the figures and words of all outputs, and add typography that only a page has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from arena.league.model.course import in_words
from arena.league.table.standings import Standing
from arena.outputs import figures
from arena.outputs.words import count, lack_in_words, ordinal, own_clock, progress, to_the_minute
from arena.text import listed

if TYPE_CHECKING:
    from arena.stats import Mean

MINUS = "\N{MINUS SIGN}"
NONE = "\N{EN DASH}"
"""Shown where there is no number."""


def soft(text: str) -> Markup:
    """Return a figure with a true minus sign, its bar in a fainter colour."""
    value, space, bar = text.replace("-", MINUS).partition(" ±")
    if not value:
        return Markup(NONE)
    if not space:
        return escape(value)
    return Markup(f'{escape(value)} <span class="pm">±{escape(bar)}</span>')


def mean(value: Mean | None, times: float = 1, *, signed: bool = False) -> Markup:
    return soft(figures.mean(value, times=times, signed=signed))


def percent(value: Mean | None, *, signed: bool = False) -> Markup:
    """Return a mean in per cent, without the sign, which the column's head has."""
    return soft(figures.percent(value, signed=signed))


def share(value: Mean | None) -> Markup:
    """Return a share in per cent. Where its bar leaves 0 to 100, the interval stands instead."""
    if value is None or value.bar is None:
        return percent(value)
    low, high = value.value - value.bar, value.value + value.bar
    if low >= 0 and high <= 1:
        return percent(value)
    decimals = figures.decimals_of(100 * value.bar)
    middle, low, high = (100 * min(1.0, max(0.0, each)) for each in (value.value, low, high))
    low_to_high = f"{low:.{decimals}f}{NONE}{high:.{decimals}f}"
    return Markup(f'{middle:.{decimals}f} <span class="pm">{low_to_high}</span>')


def elo(value: float, *, signed: bool = False) -> Markup:
    return soft(figures.fixed(value, 0, signed=signed))


def sortable(value: float) -> str:
    """Return a number for scripts to sort by. Six digits are more than a page tells."""
    return f"{value:.6g}"


def half(bar: float | None) -> str:
    """Return half the width of a bar of Elo."""
    return figures.NO_BAR if bar is None else f"±{bar:.0f}"


def likelihood(share: float | None) -> str:
    return NONE if share is None else figures.likelihood(share)


def milliseconds(value: float | None) -> str:
    return figures.milliseconds(value) or NONE


def number(value: int) -> str:
    return f"{value:,}".replace("-", MINUS)


def signed(value: int) -> str:
    """Return a difference with its sign."""
    return f"{value:+,}".replace("-", MINUS) if value else "0"


def whole(share: float) -> str:
    """Return a share in whole per cent."""
    return str(round(100 * share))


def moment(text: str) -> str:
    """Return a UTC time of the store in a form for people."""
    return text.replace("T", " ").replace("Z", " UTC") if text else NONE


def span(first: str, last: str) -> str:
    """Return a period; the day stands once if it is the same."""
    if first == last:
        return moment(first)
    if first[:10] == last[:10]:
        last = last[11:]
    return f"{moment(first).removesuffix(' UTC')} to {moment(last)}"


def interval(row: Standing) -> str:
    """Return the ranks that the results leave open."""
    return figures.ranks(row.rating.rank_interval, to=NONE) or "any"


def lacking(row: Standing) -> str:
    """Return the reasons why a row is provisional."""
    return "; ".join(lack_in_words(lack, row.rating) for lack in row.rating.lacks)


def happened(faults: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the kinds of fault with a count above 0, and the counts."""
    return [(kind, count) for kind, count in faults.items() if count]


def option(value: object) -> str:
    """Return the value of an option in words."""
    match value:
        case None:
            return "off"
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            return listed(value)
        case _:
            return str(value)


FILTERS = {
    each.__name__: each
    for each in (
        elo,
        half,
        happened,
        interval,
        lacking,
        likelihood,
        listed,
        mean,
        milliseconds,
        moment,
        number,
        option,
        ordinal,
        own_clock,
        percent,
        progress,
        share,
        sortable,
        span,
        to_the_minute,
        whole,
    )
    # `count` is Jinja's own.
} | {"counted": count, "course_value": in_words}
