"""The drawing `fields` of a match page, in Node: it serves any game that names no other."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from importlib.resources import files

import pytest

pytestmark = pytest.mark.languages

STATIC = files("arena.outputs.pages") / "static"
# As much of a page as the drawing makes use of: elements that have texts and children.
PAGE = """
const document = { createElement: (tag) => ({ tag, children: [], setAttribute() {},
  append(...more) { this.children.push(...more); } }) };
const texts = (node) => typeof node === "string" ? [node] : node.children.flatMap(texts);
"""
STEP = {
    "view": {"round": 1, "hand": None, "bid": None, "stock": 7},
    "own": [{"hand": ["R1"], "bid": "B2"}, {"hand": ["G3"]}],
}


def ran(script: str) -> object:
    """The value of the last expression."""
    scripts = "".join((STATIC / name).read_text() for name in ("views.js", "tables.js"))
    whole = f"{PAGE}\n{scripts}\nconsole.log(JSON.stringify({script}));"
    done = subprocess.run(["node", "-e", whole], capture_output=True, text=True, check=True)
    value: object = json.loads(done.stdout)
    return value


def drawn(audience: object) -> dict[str, str]:
    """What is written down for this audience, by name."""
    step = f"Views.seen({json.dumps(STEP)}, {json.dumps(audience)})"
    words = ran(f"Tables.of({{name: 'fields'}}).draw({{}}, [], 0, {step}).flatMap(texts)")
    assert isinstance(words, list)
    return dict(zip(words[::2], words[1::2], strict=True))


def units(views: Sequence[dict[str, object]]) -> int:
    """Into how many units the keys of a page cut a match of these views."""
    found = ran(f"new Set({json.dumps(views)}.map(Tables.of({{name: 'fields'}}).unit)).size")
    assert isinstance(found, int)
    return found


def test_with_all_seats_open_every_field_that_a_seat_sees_otherwise_is_written_down() -> None:
    spectators = {"round": "1", "hand": "null", "bid": "null", "stock": "7"}
    assert drawn("spectator") == spectators
    assert drawn("open") == spectators | {
        "hand of seat 0": '["R1"]',
        "bid of seat 0": '"B2"',
        "hand of seat 1": '["G3"]',
    }
    assert drawn(0) == spectators | {"hand": '["R1"]', "bid": '"B2"'}


def test_a_unit_is_a_turn_or_a_round_where_a_game_has_no_turns() -> None:
    assert units([{"turn": 0}, {"turn": 1}, {"turn": 1}]) == 2
    assert units([{"round": 1}, {"round": 1}, {"round": 2}]) == 2
