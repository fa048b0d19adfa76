"""The public part of a league, as files."""

from __future__ import annotations

from pathlib import Path

from arena.league.store.folder import COMPLETE_SETS
from arena.league.store.lock import FILE_NAME

# The folder with saved judgements of complete sets (`arena.outputs.pages.sets.marks`).
JUDGED = "judged"


def public_files(folder: Path) -> tuple[Path, ...]:
    """Return the files, whether they are there or not."""
    file = folder / COMPLETE_SETS
    return (
        file,
        file.with_name(f"{file.name}-wal"),
        file.with_name(f"{file.name}-shm"),
        folder / FILE_NAME,
        folder / JUDGED,
    )
