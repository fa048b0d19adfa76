"""What the documents for people name is there."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name

import pytest

from arena.cli import COMMANDS

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/*.md"))]
PARTS = ("arena", "benchmarks", "docs", "protocol", "sample_bots", "tests")

every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)


@every_document
def test_every_file_that_is_named_is_there(document: Path) -> None:
    parts = "|".join(PARTS)
    for name in re.findall(rf"`((?:{parts})/[\w./-]*)`", document.read_text()):
        # What a recipe is about to make has a NAME for a name.
        assert "NAME" in name or (ROOT / name).exists(), name


@every_document
def test_every_link_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text()):
        assert (document.parent / target).exists(), target


@every_document
def test_every_module_that_is_to_be_run_is_there(document: Path) -> None:
    for name in re.findall(r"python -m ([\w.]+)", document.read_text()):
        assert find_spec(name) is not None, name


@every_document
def test_every_dotted_name_is_something(document: Path) -> None:
    for name in re.findall(r"`((?:arena|protocol)\.[\w.]+)`", document.read_text()):
        assert resolve_name(name) is not None


def test_every_command_has_its_row_in_the_readme() -> None:
    rows = re.findall(r"^\| `arena ([\w-]+)` \|", (ROOT / "README.md").read_text(), re.M)
    assert sorted(rows) == sorted(COMMANDS)


def test_every_name_in_capitals_in_a_recipe_is_in_a_file_named_beside_it() -> None:
    for line in (ROOT / "CONTRIBUTING.md").read_text().splitlines():
        files = [ROOT / name for name in re.findall(r"`([\w/]+/[\w./]+\.(?:py|js))`", line)]
        for name in re.findall(r"`([A-Z][A-Z_]{3,})`", line):
            if files and "NAME" not in line:
                assert any(name in file.read_text() for file in files), f"{name}: {line}"
