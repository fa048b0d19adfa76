"""Imports point downwards only."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import arena
import protocol

ARENA = Path(arena.__file__).parent
PROTOCOL = Path(protocol.__file__).parent

# From the bottom up. A part may import those before it, and itself.
LEVELS = (
    "arena.games",
    "arena.record",
    "arena.referee",
    "arena.league",
    "arena.outputs",
    "arena.cli",
)
# The only parts that may know the wire.
MAY_KNOW_THE_PROTOCOL = {"arena.referee", "arena.cli"}
# Where Trio lives.
MAY_USE_TRIO = {"arena.referee", "arena.league", "arena.cli"}


def modules() -> list[Path]:
    return sorted(ARENA.rglob("*.py"))


def name_of(module: Path) -> str:
    parts = module.relative_to(ARENA.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def part_of(name: str) -> str | None:
    """The part of arena that a module belongs to; None for what lies at its root."""
    return next((level for level in LEVELS if f"{name}.".startswith(f"{level}.")), None)


def imported(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = name_of(module.parent / "__init__.py").split(".")
            above = package[: len(package) - node.level + 1] if node.level else []
            yield ".".join([*above, *([node.module] if node.module else [])])


@pytest.mark.parametrize("module", modules(), ids=name_of)
def test_a_module_imports_only_what_lies_below_it(module: Path) -> None:
    part = part_of(name_of(module))
    for name in imported(module):
        imported_part = part_of(name)
        if imported_part is not None and part is not None:
            assert LEVELS.index(imported_part) <= LEVELS.index(part), f"it imports {name}"


@pytest.mark.parametrize("module", modules(), ids=name_of)
def test_only_the_referee_knows_protocol_and_games_both(module: Path) -> None:
    part = part_of(name_of(module))
    roots = {name.split(".")[0] for name in imported(module)}
    if part not in MAY_KNOW_THE_PROTOCOL:
        assert "protocol" not in roots
    if part not in MAY_USE_TRIO:
        assert "trio" not in roots


@pytest.mark.parametrize("module", sorted((ARENA / "games").rglob("*.py")), ids=name_of)
def test_the_rules_touch_nothing_outside_themselves(module: Path) -> None:
    """No I/O, no clock, no chance but what is handed in."""
    forbidden = {"os", "io", "sys", "time", "datetime", "socket", "secrets", "pathlib", "threading"}
    assert not forbidden & {name.split(".")[0] for name in imported(module)}


def test_asking_for_help_loads_no_event_loop() -> None:
    code = (
        "import sys; from arena.cli import main; main(['--help'], standalone_mode=False);"
        "print(sorted({'trio', 'msgspec', 'msgpack', 'numpy', 'rich', 'sqlite3'} & {*sys.modules}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"
