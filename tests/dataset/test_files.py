"""Files of decisions, written and read again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from arena.dataset import npz, parquet, read_decisions
from arena.dataset.schema import COLUMNS, About, Batch, batch_of

ABOUT = About("nyet", 2, 1, ("fox", "owl"), ("cup",))


def some_batches() -> Iterator[Batch]:
    rng = np.random.default_rng(1)
    for rows in (5, 3):
        batch = batch_of(rows, ABOUT.widths())
        for name, column in batch.items():
            batch[name] = rng.integers(0, 100, column.shape).astype(column.dtype)
        yield batch


def test_a_file_of_numpy_is_read_again_with_its_types_and_shapes(tmp_path: Path) -> None:
    file = tmp_path / "cup.npz"
    assert npz.write_npz(file, ABOUT, some_batches()) == 8
    decisions = read_decisions(file)
    assert decisions.about == ABOUT
    columns = decisions.columns()
    assert [*columns] == [*COLUMNS]
    for name, column in columns.items():
        assert column.dtype == COLUMNS[name]
        assert (column == np.concatenate([batch[name] for batch in some_batches()])).all()
    assert [*decisions.columns("mask", "action")] == ["mask", "action"]
    with np.load(file) as plain:  # no program of ours is needed
        assert plain["observation"].shape == (8, ABOUT.widths()["observation"])
    assert [*tmp_path.iterdir()] == [file]


def test_a_league_without_a_decision_is_a_file_without_rows(tmp_path: Path) -> None:
    assert npz.write_npz(tmp_path / "none.npz", ABOUT, []) == 0
    assert read_decisions(tmp_path / "none.npz").columns("mask")["mask"].shape == (0, 125)


def test_what_fails_in_the_middle_leaves_no_file_and_an_old_one_as_it_was(tmp_path: Path) -> None:
    def breaks() -> Iterator[Batch]:
        yield next(some_batches())
        raise OSError("no space left")

    file = tmp_path / "cup.npz"
    file.write_text("old")
    with pytest.raises(OSError, match="no space left"):
        npz.write_npz(file, ABOUT, breaks())
    assert [*tmp_path.iterdir()] == [file]
    assert file.read_text() == "old"


def test_an_unknown_column_is_answered_with_those_there_are(tmp_path: Path) -> None:
    npz.write_npz(tmp_path / "cup.npz", ABOUT, some_batches())
    with pytest.raises(ValueError, match="no column 'reward'; there are: observation, mask"):
        read_decisions(tmp_path / "cup.npz").columns("reward")


def test_a_file_of_something_else_is_refused_in_words(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", action=np.zeros(3))
    with pytest.raises(ValueError, match="is no file of decisions: it has no 'about'"):
        read_decisions(tmp_path / "other.npz")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "cards"}, "it says format 'cards', version 1; expected 'arena-decisions', 1"),
        ({"version": 2}, "version 2; expected 'arena-decisions', 1"),
        ({"observation_version": 9}, "have version 9, and this arena makes version 1"),
    ],
)
def test_what_another_version_wrote_is_refused_in_words(
    change: dict[str, object], said: str
) -> None:
    values = json.loads(json.dumps(ABOUT.as_values()))
    assert About.of(values) == ABOUT
    with pytest.raises(ValueError, match=said):
        About.of({**values, **change})


def test_without_pyarrow_parquet_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(parquet.NoParquet, match=r"pip install '\.\[rl\]' in the folder of arena"):
        parquet.pyarrow()
