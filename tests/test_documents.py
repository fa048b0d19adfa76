"""What the documents for people name is there."""

from __future__ import annotations

import ast
import re
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name

import pytest

from arena.cli import COMMANDS
from tests.spec_games import CHAPTERS

ROOT = Path(__file__).parent.parent
_TOP = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
DOCUMENTS = [*_TOP, *sorted(ROOT.glob("docs/*.md"))]
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
    prose = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#:]+)\)", prose):
        assert (document.parent / target).exists(), target


@every_document
def test_every_module_that_is_to_be_run_is_there(document: Path) -> None:
    for name in re.findall(r"python -m ([\w.]+)", document.read_text()):
        assert find_spec(name) is not None, name


@every_document
def test_every_dotted_name_is_something(document: Path) -> None:
    for name in re.findall(r"`((?:arena|protocol)\.[\w.]+)`", document.read_text()):
        assert resolve_name(name) is not None


def test_every_room_and_every_module_beside_them_has_its_line_in_the_tree() -> None:
    tree = (ROOT / "docs" / "architecture.md").read_text().split("```")[1]
    arena = ROOT / "arena"
    rooms = [f"{path.parent.name}/" for path in arena.rglob("*/__init__.py")]
    modules = [path.name for path in arena.glob("*.py") if not path.name.startswith("__")]
    assert [name for name in (*rooms, *modules) if name not in tree] == []


def answers() -> list[str]:
    """The second cells of the table "Where is it decided?"."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    section = text.partition("## Where is it decided?\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| .* \| (.*) \|$", section, re.M)[1:]


def files_in(answer: str) -> list[tuple[str, list[str]]]:
    """The files that an answer names, each with the names that are said to be in it."""
    files = re.findall(r"`([\w./]+)`: ((?:`[\w.-]+`(?:, )?)+)", answer)
    return [(file, re.findall(r"`([^`]+)`", names)) for file, names in files]


def test_every_answer_to_where_something_is_decided_is_a_list_of_files_and_names() -> None:
    assert len(answers()) > 25
    for answer in answers():
        assert files_in(answer), answer
        parts = [part for file, names in files_in(answer) for part in (file, *names)]
        assert re.findall(r"`([^`]+)`", answer) == parts


@pytest.mark.parametrize(
    ("file", "names"),
    [found for answer in answers() for found in files_in(answer)],
    ids=lambda value: str(value),
)
def test_what_is_decided_in_a_file_has_its_name_there(file: str, names: list[str]) -> None:
    source = (ROOT / file).read_text()
    if file.endswith(".py"):
        assert set(names) <= names_defined_in(source)
    else:
        assert all(f'"{name}"' in source for name in names)


def names_defined_in(source: str) -> set[str]:
    """The functions, classes, methods and values of a module, without those it imports."""
    found: set[str] = set()
    for node in ast.parse(source).body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                found.add(node.name)
            case ast.ClassDef():
                found |= {node.name, *(f"{node.name}.{each}" for each in methods_of(node))}
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
    return found


def methods_of(node: ast.ClassDef) -> list[str]:
    methods = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [each.name for each in node.body if isinstance(each, methods)]


def test_every_command_has_its_row_in_the_readme() -> None:
    rows = re.findall(r"^\| `arena ([\w-]+)` \|", (ROOT / "README.md").read_text(), re.M)
    assert sorted(rows) == sorted(COMMANDS)


def test_every_document_has_one_row_in_the_list_of_documents() -> None:
    text = (ROOT / "docs" / "README.md").read_text()
    rows = re.findall(r"^\| \[[^]]+\]\(([^)]+)\) \| .+ \| .+ \|$", text, re.M)
    top = [path for path in ROOT.glob("*.md") if path.name != "README.md"]
    below = [path for path in ROOT.glob("docs/*.md") if path.name != "README.md"]
    documents = [*top, *below, ROOT / "sample_bots" / "README.md"]
    assert sorted((ROOT / "docs" / row).resolve() for row in rows) == sorted(documents)


def test_every_rule_set_has_its_row_in_the_readme() -> None:
    table = (ROOT / "README.md").read_text().partition("| rule set |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `([\w-]+)` \|", table, re.M)
    assert sorted(rows) == sorted(CHAPTERS)


def test_every_name_in_capitals_in_a_recipe_is_in_a_file_named_beside_it() -> None:
    for line in (ROOT / "CONTRIBUTING.md").read_text().splitlines():
        files = [ROOT / name for name in re.findall(r"`([\w/]+/[\w./]+\.(?:py|js))`", line)]
        for name in re.findall(r"`([A-Z][A-Z_]{3,})`", line):
            if files and "NAME" not in line:
                assert any(name in file.read_text() for file in files), f"{name}: {line}"
