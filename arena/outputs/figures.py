"""Numbers for people. A value says no more digits than its bar allows.

A bar keeps one digit, or two where it begins with 1 or 2, for there one alone would be off by
up to a third; its value is cut at the same place. "±?" is a bar that cannot be told yet.
"""

from __future__ import annotations

import math

from arena.referee.sets import Mean

NO_BAR = "±?"
NOTHING = ""
# A bar below this is 0: values that are all the same, added up in another order.
ROUNDING = 1e-9
# Of a value without a bar; all that are whole are told besides.
DIGITS_WITHOUT_BAR = 2


def decimals_of(bar: float) -> int:
    """How many decimals a bar and its value are told with."""
    if abs(bar) < ROUNDING or not math.isfinite(bar):
        return 0
    exponent = math.floor(math.log10(abs(bar)))
    leading = abs(bar) / 10.0**exponent
    return max(0, -exponent + (leading < 2.95))


def decimals_without_bar(value: float) -> int:
    if not value:
        return 0
    return max(0, DIGITS_WITHOUT_BAR - 1 - math.floor(math.log10(abs(value))))


def with_bar(value: float, bar: float | None, *, signed: bool = False) -> str:
    """A value and its bar."""
    if bar is None:
        return f"{fixed(value, decimals_without_bar(value), signed=signed)} {NO_BAR}"
    decimals = decimals_of(bar)
    return f"{fixed(value, decimals, signed=signed)} ±{bar:.{decimals}f}"


def mean(one: Mean | None, *, times: float = 1, signed: bool = False) -> str:
    """A mean and its bar; nothing where there is none."""
    if one is None:
        return NOTHING
    return with_bar(one.value * times, None if one.bar is None else one.bar * times, signed=signed)


def percent(one: Mean | None, *, signed: bool = False) -> str:
    return mean(one, times=100, signed=signed)


def elo(value: float, half_width: float | None) -> str:
    """Whole, whatever the bar: a fraction of an Elo never decides anything."""
    return f"{fixed(value, 0)} {elo_bar(half_width)}"


def elo_bar(half_width: float | None) -> str:
    return NO_BAR if half_width is None else f"±{half_width:.0f}"


def likelihood(share: float) -> str:
    """In whole per cent, never 0 nor 100: it is an estimate."""
    whole = round(share * 100)
    return "<1" if whole < 1 else ">99" if whole > 99 else str(whole)


def ranks(interval: tuple[int, int] | None, *, to: str) -> str:
    """Where a row may stand; nothing where nothing limits it."""
    if interval is None:
        return NOTHING
    low, high = interval
    return str(low) if low == high else f"{low}{to}{high}"


def milliseconds(ms: float | None) -> str:
    """A time, which has no bar."""
    # It was measured in whole microseconds.
    return NOTHING if ms is None else fixed(ms, min(3, decimals_without_bar(ms)))


def fixed(value: float, decimals: int, *, signed: bool = False) -> str:
    """Never -0."""
    rounded = round(value, decimals) or 0.0
    return f"{rounded:{'+' if signed and rounded else ''}.{decimals}f}"
