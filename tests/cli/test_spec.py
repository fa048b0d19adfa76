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


def test_a_section_is_printed_with_those_inside_it() -> None:
    code, output = run("spec", "11.3")
    assert code == 0
    assert output.startswith("### 11.3 A round\n")
    assert "#### 11.3.1 Deal\n" in output
    assert "11.4" not in [line.split()[1] for line in output.splitlines() if line.startswith("#")]
    whole = data.spec().read_text()
    assert output.rstrip() in whole


def test_the_last_section_goes_to_the_end() -> None:
    code, output = run("spec", "14")
    assert code == 0
    assert data.spec().read_text().endswith(output)


def test_a_section_that_is_not_there_is_met_with_the_nearest() -> None:
    code, output = run("spec", "11.44")
    assert code == 2
    assert "SPEC.md has no section '11.44'; its chapters are 1 to 14. Did you mean '11." in output


def test_the_path_is_that_of_the_whole() -> None:
    code, output = run("spec", "11.4", "--path")
    assert (code, "--path is that of the whole document" in output) == (2, True)
