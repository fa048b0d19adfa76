"""Commands that only read print what is written in tests/whole_outputs, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole_outputs import COMMANDS, FOLDER, file_of, lay, output

HOW = "python -m tests.whole_outputs --write writes the files anew; read the difference"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("place")
    lay(folder)
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_what_is_written(name: str, place: Path) -> None:
    assert output(name, place) == file_of(name).read_text(), HOW


def test_every_file_is_of_a_command() -> None:
    assert {*FOLDER.iterdir()} == {*map(file_of, COMMANDS)}
