"""Commands that only read print what tests/whole_outputs has, and so do texts made of values."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole_outputs import COMMANDS, FOLDER, file_of, lay, output
from tests.whole_texts import TEXTS

HOW = "python -m tests.whole_outputs --write writes the files anew; read the difference"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("place")
    lay(folder)
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_what_is_written(name: str, place: Path) -> None:
    assert output(name, place) == file_of(name).read_text(), HOW


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_made_of_values_is_what_is_written(name: str) -> None:
    assert TEXTS[name]() == file_of(name).read_text(), HOW


def test_every_file_is_of_a_command_or_a_text() -> None:
    assert {*FOLDER.iterdir()} == {*map(file_of, COMMANDS), *map(file_of, TEXTS)}
