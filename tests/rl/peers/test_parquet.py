"""Decisions as Parquet, which needs pyarrow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arena.dataset import npz, parquet, read_decisions
from tests.dataset.test_files import ABOUT, some_batches

pytestmark = pytest.mark.rl


def test_a_file_of_parquet_has_the_columns_of_one_of_numpy(tmp_path: Path) -> None:
    assert npz.write_npz(tmp_path / "cup.npz", ABOUT, some_batches()) == 8
    assert parquet.write_parquet(tmp_path / "cup.parquet", ABOUT, some_batches()) == 8
    ours, theirs = (read_decisions(tmp_path / f"cup.{kind}") for kind in ("npz", "parquet"))
    assert ours.about == theirs.about
    expected = ours.columns()
    for name, column in theirs.columns().items():
        assert column.dtype == expected[name].dtype
        assert np.array_equal(column, expected[name])
    assert [*theirs.columns("seat")] == ["seat"]


def test_a_file_of_other_parquet_is_refused_in_words(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"action": [1]}), tmp_path / "other.parquet")
    with pytest.raises(ValueError, match="is no file of decisions: its metadata has no 'arena'"):
        read_decisions(tmp_path / "other.parquet")
