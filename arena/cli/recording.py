"""Files of records: opened before there is anything to lose, and written one record a line."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Self

import click

from arena.record import Record, to_json


class Recording:
    """A file that can be written to; its old content stays until there are records.

    `option`: the one that named the file. `written`: how many records were written.
    """

    def __init__(self, path: Path, option: str = "--record"):
        self.failed = False
        self.written = 0
        self._path = path
        self._is_new = not path.exists()
        try:
            self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise click.BadParameter(
                f"{path} cannot be written: {error.strerror}. Name a file in a folder that is"
                " there, such as match.json",
                param_hint=option,
            ) from None

    def __repr__(self) -> str:
        return f"<Recording to {str(self._path)!r}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)
        # Nothing was played: leave no empty file behind.
        with suppress(OSError):
            if self._is_new and self._path.stat().st_size == 0:
                self._path.unlink()

    def write(self, records: Iterable[Record]) -> None:
        """Write records, one a line. A failure is printed and noted in `failed`, not raised: the
        results of the matches are still to be printed."""
        try:
            if stat.S_ISREG(os.fstat(self._descriptor).st_mode):
                os.ftruncate(self._descriptor, 0)
            for record in records:
                self._write(f"{to_json(record)}\n".encode())
                self.written += 1
        except OSError as error:
            self.failed = True
            click.echo(
                f"{self._path}: {error.strerror}; the records are not there, or not whole",
                err=True,
            )

    def _write(self, line: bytes) -> None:
        left = memoryview(line)
        while left:
            left = left[os.write(self._descriptor, left) :]
