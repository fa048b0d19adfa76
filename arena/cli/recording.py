"""`--record`: the file that records go to, opened before there is anything to lose."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

import click

from arena.record import Record, to_json


class Recording:
    """A file that can be written to; what stands in it stays until there are records."""

    def __init__(self, path: Path):
        self.failed = False
        self._path = path
        self._is_new = not path.exists()
        try:
            self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise click.BadParameter(
                f"{path} cannot be written: {error.strerror}. Name a file in a folder that is"
                " there, such as match.json",
                param_hint="--record",
            ) from None

    def __repr__(self) -> str:
        return f"<Recording to {str(self._path)!r}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)
        # Nothing was played: it is not left behind empty.
        with suppress(OSError):
            if self._is_new and self._path.stat().st_size == 0:
                self._path.unlink()

    def write(self, records: Sequence[Record]) -> None:
        """One a line. A failure is told, and then it has `failed`: what else there is to tell of
        the matches shall not be lost for it."""
        left = memoryview("".join(f"{to_json(record)}\n" for record in records).encode())
        try:
            if stat.S_ISREG(os.fstat(self._descriptor).st_mode):
                os.ftruncate(self._descriptor, 0)
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            self.failed = True
            click.echo(
                f"{self._path}: {error.strerror}; the records are not there, or not whole",
                err=True,
            )
