"""Files of decisions, written and read again."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from arena.dataset import npz, parquet, read_decisions
from arena.dataset.schema import COLUMNS, About, Batch, batch_of

ABOUT = About(
    "nyet", 2, {"rounds": 2, "target": None}, 1, ("fox", "owl"), ("hash of fox", None), ("cup",)
)


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
    (tmp_path / "policy.py").write_text("import random\n")
    np.save(tmp_path / "one.npy", np.zeros(3))
    for name in ("policy.py", "one.npy"):
        with pytest.raises(ValueError, match=rf"{name} is no file of decisions: `arena export`"):
            read_decisions(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        read_decisions(tmp_path / "none.npz")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"format": "cards"},
            "it says format 'cards', version 2; expected 'arena-decisions', 1 to 2",
        ),
        ({"version": 3}, "version 3; expected 'arena-decisions', 1 to 2"),
        ({"version": None}, "version None; expected 'arena-decisions', 1 to 2"),
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


def test_a_file_of_version_1_is_read_and_does_not_tell_options_and_contents() -> None:
    values = json.loads(json.dumps(ABOUT.as_values()))
    del values["options"], values["contents"]
    about = About.of({**values, "version": 1})
    assert (about.options, about.contents) == (None, (None, None))
    assert (about.bots, about.leagues, about.version) == (ABOUT.bots, ABOUT.leagues, 1)


def test_without_pyarrow_parquet_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(parquet.NoParquet, match=r"pip install '\.\[rl\]' in the folder of arena"):
        parquet.pyarrow()


def test_the_documents_tell_the_type_of_each_column_and_each_fact() -> None:
    text = (Path(__file__).parents[2] / "docs" / "library.md").read_text()
    told: dict[str, str] = {}
    facts: list[str] = []
    for line in text.partition("## Exported decisions")[2].partition("\n## ")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        names = cells[0].replace("`", "").split(", ")
        if len(cells) == 3 and cells[0].startswith("`"):
            told |= dict(zip(names, cells[1].split(", "), strict=True))
        elif len(cells) == 2 and cells[0].startswith("`"):
            facts += names
    assert told == dict(COLUMNS)
    fields = [one.name for one in dataclasses.fields(About)]
    assert facts == [name for name in fields if name not in ("format", "version")]
