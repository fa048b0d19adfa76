"""What the templates call their numbers and conditions by: the figures and words of every output,
with what only a page needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from markupsafe import Markup

from arena.league.standings import Standing
from arena.outputs import figures
from arena.outputs.words import count, lack_in_words, ordinal

if TYPE_CHECKING:
    from arena.referee.sets import Mean

MINUS = "\N{MINUS SIGN}"
NONE = "\N{EN DASH}"
"""What stands where there is no number."""


def soft(text: str) -> Markup:
    """A figure with its bar, the bar fainter; with a true minus sign."""
    value, space, bar = text.replace("-", MINUS).partition(" ±")
    if not value:
        return Markup(NONE)
    told = Markup('{} <span class="pm">±{}</span>').format(value, bar)
    return told if space else Markup("{}").format(value)


def mean(value: Mean | None, times: float = 1) -> Markup:
    return soft(figures.mean(value, times=times))


def percent(value: Mean | None, *, signed: bool = False) -> Markup:
    """In hundredths; the column's head has the sign."""
    return soft(figures.percent(value, signed=signed))


def elo(value: float, *, signed: bool = False) -> Markup:
    return soft(figures.fixed(value, 0, signed=signed))


def half(bar: float | None) -> str:
    """Half the width of a bar of Elo."""
    return figures.NO_BAR if bar is None else f"±{bar:.0f}"


def likelihood(share: float | None) -> str:
    return NONE if share is None else figures.likelihood(share)


def milliseconds(value: float | None) -> str:
    return figures.milliseconds(value) or NONE


def number(value: int) -> str:
    return f"{value:,}".replace("-", MINUS)


def whole(share: float) -> str:
    """A share in whole hundredths."""
    return str(round(100 * share))


def listed(words: Iterable[object]) -> str:
    """For instance "1, 2 and 4"."""
    *most, last = map(str, words)
    return f"{', '.join(most)} and {last}" if most else last


def moment(text: str) -> str:
    """A UTC time as the store writes it."""
    return text.replace("T", " ").replace("Z", " UTC") if text else NONE


def span(first: str, last: str) -> str:
    """From one moment to another; the day once, if it is the same."""
    if first == last:
        return moment(first)
    if first[:10] == last[:10]:
        last = last[11:]
    return f"{moment(first).removesuffix(' UTC')} to {moment(last)}"


def interval(row: Standing) -> str:
    """The ranks that the results leave open."""
    return figures.ranks(row.rank_interval, to=NONE) or "any"


def lacking(row: Standing) -> str:
    """Why a row is provisional."""
    return "; ".join(lack_in_words(lack, row) for lack in row.lacks)


def happened(faults: Mapping[str, int]) -> list[tuple[str, int]]:
    """The kinds of fault that there were, and how often."""
    return [(kind, count) for kind, count in faults.items() if count]


def option(value: object) -> str:
    """An option's value."""
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
        percent,
        span,
        whole,
    )
    # `count` is Jinja's own.
} | {"counted": count}
