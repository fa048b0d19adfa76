"""Imports of packages that are in the extra `rl`, with words for who has not installed it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

PACKAGES = ("gymnasium", "pettingzoo", "pyspiel")


@contextmanager
def of_the_extra_rl() -> Iterator[None]:
    """Raise ModuleNotFoundError with the pip command if a package of the extra rl is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in PACKAGES:
            raise
        raise ModuleNotFoundError(
            f"the adapters need {package}, which is in the extra rl: pip install '.[rl]' in the"
            " folder of arena",
            name=error.name,
        ) from None
