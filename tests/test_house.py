"""The measures of the house: small folders, one meaning for each name, short functions."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec

import arena
import protocol
from tests.helpers import NEED_EXTRAS

ROOTS = (Path(arena.__file__).parent, Path(protocol.__file__).parent)
HOME = ROOTS[0].parent

MOST_MODULES = 14
# Folders that may have more: a game keeps all its rules together, the wire its messages, and each
# command has a module.
LARGE = {"arena/games/nyet", "arena/games/nope", "protocol", "arena/cli"}

# By class name that more than one module defines: the reason.
DOUBLED: dict[str, str] = {}

# Data that changes while it is filled; all other data is values.
CHANGES = {
    "arena.audit.league.AuditReport",
    "arena.audit.recount.Count",
    "arena.audit.recount.Sum",
    "arena.check.bench.Bench",
    "arena.check.findings.Log",
    "arena.check.measure.Measures",
    "arena.check.peer.Pieces",
    "arena.check.peer.Runs",
    "arena.cli.check_view.Cause",
    "arena.cli.fetched.door.Door",
    "arena.referee.door.front_door.Visit",
    "arena.compare.play.Comparison",
    "arena.compare.stop.Trial",
    "arena.games.nyet.past.EarlierRounds",
    "arena.judge.bars.Differences",
    "arena.league.plan.roster.RosterRow",
    "arena.league.play.sets_to_play.SetInPlay",
    "arena.league.table.ledger.Tally",
    "arena.outputs.pages.league.bots.History",
}

MOST_LINES = 60
# By function that is longer: the reason.
LONG: dict[str, str] = {}


def files() -> list[Path]:
    return sorted(file for root in ROOTS for file in root.rglob("*.py"))


def path_of(file: Path) -> str:
    return str(file.relative_to(HOME))


def classes() -> Iterator[tuple[str, str]]:
    """Each class at the top of a module, with its file."""
    for file in files():
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef):
                yield node.name, path_of(file)


def data_classes() -> Iterator[tuple[str, bool]]:
    """Each dataclass and each msgspec struct, and whether it is frozen."""
    for file in files():
        if file.name == "__main__.py":
            continue
        path = file.relative_to(HOME).with_suffix("")
        name = ".".join(path.parts).removesuffix(".__init__")
        if name in NEED_EXTRAS:
            continue
        for _, each in inspect.getmembers(importlib.import_module(name), inspect.isclass):
            if each.__module__ != name:
                continue
            if dataclasses.is_dataclass(each):
                parameters = vars(each)["__dataclass_params__"]
                yield f"{name}.{each.__qualname__}", parameters.frozen
            elif issubclass(each, msgspec.Struct):
                yield f"{name}.{each.__qualname__}", each.__struct_config__.frozen


def functions() -> Iterator[tuple[str, int]]:
    """Each function as `file name`, with its lines."""
    for file in files():
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                yield f"{path_of(file)} {node.name}", node.end_lineno - node.lineno + 1


def test_no_folder_has_more_modules_than_one_can_overlook() -> None:
    folders = Counter(path_of(file.parent) for file in files())
    too_large = {folder: count for folder, count in folders.items() if count > MOST_MODULES}
    assert too_large.keys() <= LARGE, too_large


def test_each_class_name_means_one_thing_or_has_a_reason_not_to() -> None:
    where: dict[str, list[str]] = defaultdict(list)
    for name, file in classes():
        where[name].append(file)
    doubled = {name: found for name, found in where.items() if len(found) > 1}
    assert doubled.keys() == DOUBLED.keys(), doubled
    assert all(DOUBLED.values())


def test_values_do_not_change() -> None:
    assert {name for name, frozen in data_classes() if not frozen} == CHANGES


def test_a_long_function_has_its_reason() -> None:
    long = {name for name, lines in functions() if lines > MOST_LINES}
    assert long == LONG.keys()
    assert all(LONG.values())
