"""Exception groups, as Trio's nurseries raise them, taken apart."""

from __future__ import annotations

from collections.abc import Iterator


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the exceptions in a group, or in groups inside it; else the exception itself."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from leaves(each)
    else:
        yield error
