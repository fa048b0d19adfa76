"""Numbers for people. A value shows no more digits than its bar allows.

A bar keeps one digit, or two if it begins with 1 or 2: there a single digit would be off by up to
a third. Its value is rounded at the same place. "±?" is a bar that is not known yet.
"""

from __future__ import annotations

import math

from arena.stats import Mean

NO_BAR = "±?"
NOTHING = ""
# A bar below this is 0: equal values, added up in another order, differ by rounding alone.
ROUNDING = 1e-9
# Digits of a value without a bar; digits before the point are always shown.
DIGITS_WITHOUT_BAR = 2


def decimals_of(bar: float) -> int:
    """Return the number of decimals for a bar and its value."""
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
    """Return a value and its bar in one text."""
    if bar is None:
        return f"{fixed(value, decimals_without_bar(value), signed=signed)} {NO_BAR}"
    decimals = decimals_of(bar)
    return f"{fixed(value, decimals, signed=signed)} ±{bar:.{decimals}f}"


def mean(one: Mean | None, *, times: float = 1, signed: bool = False) -> str:
    """Return a mean and its bar, both multiplied by `times`; "" if there is no mean."""
    if one is None:
        return NOTHING
    return with_bar(one.value * times, None if one.bar is None else one.bar * times, signed=signed)


def percent(one: Mean | None, *, signed: bool = False) -> str:
    return mean(one, times=100, signed=signed)


def elo(value: float, half_width: float | None) -> str:
    """Return Elo and bar in whole numbers, even if the bar is small: fractions decide nothing."""
    return f"{fixed(value, 0)} {elo_bar(half_width)}"


def elo_bar(half_width: float | None) -> str:
    return NO_BAR if half_width is None else f"±{half_width:.0f}"


def likelihood(share: float) -> str:
    """Return a share in whole per cent; never 0 or 100, because it is an estimate."""
    whole = round(share * 100)
    return "<1" if whole < 1 else ">99" if whole > 99 else str(whole)


def ranks(interval: tuple[int, int] | None, *, to: str) -> str:
    """Return the ranks at which a row may stand, with `to` between them; "" if unlimited."""
    if interval is None:
        return NOTHING
    low, high = interval
    return str(low) if low == high else f"{low}{to}{high}"


def milliseconds(ms: float | None) -> str:
    """Return a time in milliseconds; it has no bar."""
    # Times are measured in whole microseconds, so three decimals are all there are.
    return NOTHING if ms is None else fixed(ms, min(3, decimals_without_bar(ms)))


def fixed(value: float, decimals: int, *, signed: bool = False) -> str:
    """Return the value with this number of decimals; never "-0"."""
    rounded = round(value, decimals) or 0.0
    return f"{rounded:{'+' if signed and rounded else ''}.{decimals}f}"
