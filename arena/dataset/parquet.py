"""Files of Parquet, a row group for each batch; pyarrow is in the extra `rl`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from arena.dataset.schema import COLUMNS, About, Batch

ABOUT = b"arena"  # the key of the JSON in the metadata of the schema


class NoParquet(RuntimeError):
    """pyarrow is not installed."""


def pyarrow() -> Any:
    """Import pyarrow, or raise NoParquet with the remedy."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise NoParquet(
            "Parquet needs pyarrow, which is in the extra rl: pip install '.[rl]' in the folder of"
            " arena; --npz needs nothing more"
        ) from None
    return pyarrow


def write_parquet(path: Path, about: About, batches: Iterable[Batch]) -> int:
    """Write the file and return the number of its rows. It appears under its name when it is
    whole."""
    arrow = pyarrow()
    widths = about.widths()
    fields = []
    for name, kind in COLUMNS.items():
        one = arrow.from_numpy_dtype(np.dtype(kind))
        fields.append((name, arrow.list_(one, widths[name]) if name in widths else one))
    schema = arrow.schema(fields, {ABOUT: json.dumps(about.as_values())})
    rows = 0
    part = path.with_name(f".{path.name}.part")
    try:
        with arrow.parquet.ParquetWriter(part, schema, compression="zstd") as writer:
            for batch in batches:
                rows += len(batch["action"])
                writer.write_table(table_of(arrow, schema, batch, widths))
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return rows


def table_of(arrow: Any, schema: Any, batch: Batch, widths: dict[str, int]) -> Any:
    """Return a batch as a table of Arrow."""
    columns = [
        arrow.FixedSizeListArray.from_arrays(arrow.array(column.ravel()), widths[name])
        if name in widths
        else arrow.array(column)
        for name, column in ((name, batch[name]) for name in COLUMNS)
    ]
    return arrow.Table.from_arrays(columns, schema=schema)


def read_about(path: Path) -> About:
    """Read the facts that hold for all rows of the file."""
    told = pyarrow().parquet.read_schema(path).metadata or {}
    if ABOUT not in told:
        raise ValueError(f"{path} is no file of decisions: its metadata has no {ABOUT.decode()!r}")
    return About.of(json.loads(told[ABOUT]))


def read_columns(path: Path, names: Iterable[str]) -> Batch:
    """Read some columns, all rows of each."""
    table = pyarrow().parquet.read_table(path, columns=[*names])
    widths = read_about(path).widths()
    return {
        name: table[name].combine_chunks().flatten().to_numpy().reshape(-1, widths[name])
        if name in widths
        else table[name].to_numpy()
        for name in table.column_names
    }
