"""Each attribute in the room of the wire has one owner that writes it; all others only read."""

from __future__ import annotations

import ast
from pathlib import Path

import arena
from arena.referee import wire
from arena.referee.wire.lookout import Watch

ARENA = Path(arena.__file__).parent
ROOM = Path(wire.__file__).parent
OWNER_OF_WATCHES = ROOM / "lookout.py"


def written(path: Path) -> list[tuple[str, str]]:
    """Object and attribute of each assignment to an attribute, and each deletion of one."""
    return [
        (ast.unparse(node.value), node.attr)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del)
    ]


def is_watch(of: str) -> bool:
    return of == "watch" or of.endswith(".watch")


def test_nothing_here_assigns_to_an_attribute_of_another_object() -> None:
    modules = sorted(ROOM.glob("*.py"))
    assert len(modules) > 5
    for path in modules:
        others = [(of, name) for of, name in written(path) if of != "self"]
        if path == OWNER_OF_WATCHES:
            others = [(of, name) for of, name in others if not is_watch(of)]
        assert others == [], path
        assert "setattr(" not in path.read_text(), path


def test_the_lookout_alone_writes_what_it_has_noticed_about_a_link() -> None:
    for path in ARENA.rglob("*.py"):
        of_watches = {name for of, name in written(path) if is_watch(of)}
        assert of_watches == (set(Watch.__slots__) if path == OWNER_OF_WATCHES else set()), path
