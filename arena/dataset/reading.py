"""Exported decisions, read again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from arena.dataset import npz, parquet
from arena.dataset.schema import COLUMNS, About, Batch

PARQUET_SUFFIX = ".parquet"


@dataclass(frozen=True)
class Decisions:
    """A file of decisions. `about` tells its game, table and bots; columns are read when they are
    asked for."""

    path: Path
    about: About

    def columns(self, *names: str) -> Batch:
        """Return these columns, or all, each an array with a line for each decision."""
        unknown = [name for name in names if name not in COLUMNS]
        if unknown:
            raise ValueError(f"there is no column {unknown[0]!r}; there are: {', '.join(COLUMNS)}")
        return columns_in(self.path, names or COLUMNS)


def read_decisions(path: str | PathLike[str]) -> Decisions:
    """Open a file that `arena export` wrote, .npz or .parquet."""
    path = Path(fspath(path))
    return Decisions(path, about_in(path))


def about_in(path: Path) -> About:
    return parquet.read_about(path) if path.suffix == PARQUET_SUFFIX else npz.read_about(path)


def columns_in(path: Path, names: Iterable[str]) -> Batch:
    read = parquet.read_columns if path.suffix == PARQUET_SUFFIX else npz.read_columns
    return read(path, names)
