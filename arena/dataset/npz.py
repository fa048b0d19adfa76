"""Files of numpy: a zip with one array for each column, written without holding them.

The length of an array stands before its numbers, and is known when all are there. So each column
grows in a file of its own beside the target first, and is copied into the zip at the end.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from arena.dataset.schema import COLUMNS, About, Batch

ABOUT = "about"  # an array of one text: JSON
COPY_BYTES = 1 << 20


def write_npz(path: Path, about: About, batches: Iterable[Batch]) -> int:
    """Write the file and return the number of its rows. It appears under its name when it is
    whole."""
    widths = about.widths()
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as place:
        parts = {name: Path(place) / name for name in COLUMNS}
        rows = 0
        files = {name: part.open("wb") for name, part in parts.items()}
        try:
            for batch in batches:
                rows += len(batch["action"])
                for name, file in files.items():
                    file.write(np.ascontiguousarray(batch[name]).data)
        finally:
            for file in files.values():
                file.close()
        made = Path(place) / "made"
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name, part in parts.items():
                shape = (rows, widths[name]) if name in widths else (rows,)
                header = {
                    "descr": np.lib.format.dtype_to_descr(np.dtype(COLUMNS[name])),
                    "fortran_order": False,
                    "shape": shape,
                }
                with archive.open(f"{name}.npy", "w", force_zip64=True) as out:
                    np.lib.format.write_array_header_1_0(out, header)
                    with part.open("rb") as numbers:
                        shutil.copyfileobj(numbers, out, COPY_BYTES)
                part.unlink()
            with archive.open(f"{ABOUT}.npy", "w") as out:
                np.lib.format.write_array(out, np.array(json.dumps(about.as_values())))
        os.replace(made, path)
    return rows


def read_about(path: Path) -> About:
    """Read the facts that hold for all rows of the file."""
    with path.open("rb") as file:  # tells first if there is none
        if not zipfile.is_zipfile(file):
            raise ValueError(
                f"{path} is no file of decisions: `arena export` writes .npz, a zip, or .parquet"
            )
    with np.load(path) as found:
        if ABOUT not in found:
            raise ValueError(f"{path} is no file of decisions: it has no {ABOUT!r}")
        return About.of(json.loads(str(found[ABOUT])))


def read_columns(path: Path, names: Iterable[str]) -> Batch:
    """Read some columns, all rows of each."""
    with np.load(path) as found:
        return {name: found[name] for name in names}
