"""What the modules of `protocol` may load."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import protocol

MODULES = sorted(Path(protocol.__file__).parent.glob("*.py"))

# What a bot loads. The rest is the server's, and may use msgspec.
LIGHT = {
    "__init__",
    "bot_end",
    "breach",
    "codes",
    "errors",
    "frames",
    "kit",
    "limits",
    "order",
    "version",
}


def imported(module: Path) -> Iterator[str]:
    """Names of modules it imports, those for type checkers alone left out."""
    tree = ast.parse(module.read_text())
    tree.body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_the_protocol_knows_neither_arena_nor_trio_and_is_pure_but_for_the_kit(
    module: Path,
) -> None:
    roots = {name.partition(".")[0] for name in imported(module)}
    assert not roots & {"arena", "trio", "asyncio", "threading", "subprocess", "secrets"}
    if module.stem not in ("kit", "encrypted"):
        assert not roots & {"socket", "os", "sys", "time"}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_what_a_bot_loads_loads_nothing_heavy(module: Path) -> None:
    names = set(imported(module))
    ours = {name.partition(".")[2] for name in names if name.startswith("protocol.")}
    if module.stem in LIGHT:
        assert ours <= LIGHT
        allowed = {
            "__future__",
            "collections.abc",
            "enum",
            "msgpack",
            "os",
            "socket",
            "sys",
            "time",
        }
        assert {name for name in names if not name.startswith("protocol")} <= allowed
