"""Durations in words, with three figures."""

from __future__ import annotations


def told(time_us: int) -> str:
    """Return a time, given in microseconds, in words: us, ms or s."""
    if time_us < 1_000:
        return f"{time_us} us"
    if time_us < 999_500:  # more would be written as 1e+03
        return f"{time_us / 1_000:.3g} ms"
    seconds = time_us / 1_000_000
    return f"{seconds:.3g} s" if seconds < 999.5 else f"{seconds:.0f} s"
