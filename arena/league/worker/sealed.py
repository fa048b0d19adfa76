"""Bytes that pass through Dask without being shown by it."""

from __future__ import annotations


class Sealed:
    """Bytes whose text is only their number.

    Dask writes the arguments of a failed task into its log and its dashboard as `repr` has them,
    and the order of a set holds the seed of its deals.
    """

    __slots__ = ("_data",)

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __repr__(self) -> str:
        return f"<Sealed, {len(self._data)} bytes>"

    def __reduce__(self) -> tuple[type[Sealed], tuple[bytes]]:
        return Sealed, (self._data,)

    def __sizeof__(self) -> int:
        """Return the size that Dask takes for the memory of a result."""
        return len(self._data)

    def open(self) -> bytes:
        """Return the bytes."""
        return self._data
