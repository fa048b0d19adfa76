"""`arena spec`."""

from __future__ import annotations

from pathlib import Path

from arena import data
from tests.cli.test_main import run


def test_the_spec_is_printed_as_it_is() -> None:
    assert run("spec") == (0, data.spec().read_text())


def test_its_path_is_told() -> None:
    code, output = run("spec", "--path")
    assert code == 0
    assert Path(output.strip()).name == "SPEC.md"
    assert Path(output.strip()).is_file()
