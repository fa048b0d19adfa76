"""The rooms of the house: what each may import, and what the processes that read load."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import arena

ARENA = Path(arena.__file__).parent


@dataclass(frozen=True)
class Room:
    """Modules that belong together.

    `modules`: packages and modules, each with all below it that belongs to no other room.
    `imports`: the rooms that it may import besides itself.
    """

    modules: tuple[str, ...]
    imports: tuple[str, ...]


_LEAGUE = ("words", "record", "model", "plan", "file", "store", "table")

# From the bottom up: a room imports only rooms above its own line.
ROOMS = {
    "words": Room(("arena",), ()),
    "games": Room(("arena.games",), ("words",)),
    "adapters": Room(("arena.rl",), ("words", "games")),
    "dialling": Room(("arena.check.dialling",), ("words",)),
    "policy": Room(("arena.policy",), ("words", "games")),
    "record": Room(("arena.record",), ("words", "games")),
    "judge": Room(("arena.judge",), ("words", "games", "record")),
    "warden": Room(("arena.bots.warden",), ()),
    "bots": Room(("arena.bots",), ("words", "games", "warden")),
    "match": Room(
        tuple(f"arena.referee.{each}" for each in ("clock", "fault_count", "match", "replies")),
        ("games", "record"),
    ),
    "wire": Room(("arena.referee.wire",), ("match",)),
    "door": Room(("arena.referee.door",), ("words", "record", "match", "wire")),
    "players": Room(
        ("arena.referee.players", "arena.referee.table"),
        ("words", "record", "bots", "match", "wire", "door"),
    ),
    "front": Room(("arena.door",), ("words", "match", "wire", "door")),
    "house": Room(("arena.referee",), ("record", "bots", "wire", "door", "players")),
    "tables' child": Room(("arena.people.child", "arena.people.options"), ("record",)),
    "people": Room(
        ("arena.people",),
        ("words", "games", "record", "bots", "match", "players", "house", "tables' child"),
    ),
    "asking": Room(("arena.asking",), ("games", "record", "match", "players")),
    "check": Room(
        ("arena.check",),
        ("dialling", "games", "record", "warden", "bots", "match", "door", "players", "house"),
    ),
    "doctor": Room(("arena.doctor",), ("words", "warden", "bots", "door")),
    "stop test": Room(("arena.compare.stop",), ("words",)),
    "compare": Room(("arena.compare",), ("words", "record", "match", "players", "stop test")),
    "evaluate": Room(
        ("arena.evaluate",),
        ("words", "record", "match", "door", "players", "policy", "compare"),
    ),
    "model": Room(("arena.league.model",), ("record", "bots")),
    "ratings": Room(("arena.league.table.ratings",), ("words", "model")),
    "plan": Room(("arena.league.plan",), ("words", "record", "stop test", "model", "ratings")),
    "file": Room(
        ("arena.league.file",), ("words", "games", "record", "bots", "door", "model", "plan")
    ),
    "store": Room(("arena.league.store",), ("words", "record", "model", "plan")),
    "dataset": Room(("arena.dataset",), ("words", "games", "adapters", "record", "model", "store")),
    "entry": Room(
        ("arena.league.entry",),
        ("words", "games", "record", "bots", "model", "plan", "file", "store"),
    ),
    "control": Room(
        ("arena.league.control",),
        ("words", "bots", "door", "model", "plan", "file", "store", "entry"),
    ),
    "table": Room(
        ("arena.league.table",),
        ("words", "games", "record", "model", "plan", "store", "ratings"),
    ),
    "children": Room(("arena.children",), ()),
    "server's child": Room(
        ("arena.serve.child", "arena.serve.options", "arena.serve.play"), ("children",)
    ),
    "play": Room(
        ("arena.league.play",),
        (
            *(*_LEAGUE, "entry", "control", "bots", "match", "wire", "door", "players", "house"),
            *("children", "server's child"),
        ),
    ),
    "worker": Room(
        ("arena.league.worker",), ("words", "games", "model", "bots", "children", "play")
    ),
    "match audit": Room(
        ("arena.audit.match", "arena.audit.lateness", "arena.audit.bounds"),
        ("words", "games", "record", "model"),
    ),
    "cluster": Room(
        ("arena.league.cluster",),
        (
            *("words", "model", "store", "bots", "wire", "players", "play", "worker"),
            "match audit",
        ),
    ),
    "outputs": Room(("arena.outputs",), ("words", "record", "model", "ratings", "table")),
    "pages": Room(
        ("arena.outputs.pages",), ("words", "games", "record", "model", "store", "table", "outputs")
    ),
    "publisher": Room(
        ("arena.outputs.publish",),
        ("words", "record", "model", "store", "table", "outputs", "pages"),
    ),
    "serve": Room(
        ("arena.serve",),
        (
            *("words", "games", "record", "warden", "model", "store", "table", "outputs"),
            *("pages", "server's child", "tables' child"),
        ),
    ),
    "audit": Room(
        ("arena.audit",),
        (
            *("words", "record", "model", "plan", "store", "table", "outputs"),
            "match audit",
        ),
    ),
}
# Commands read arguments and print: they may use everything.
COMMANDS = "commands"
COMMAND_MODULES = ("arena.cli", "arena.__main__")

# The rooms that may import a package from outside, or `protocol`; any room may import others.
FOREIGN = {
    "trio": {
        *("bots", "wire", "door", "players", "house", "check", "doctor", "compare", "play"),
        *(
            "control",
            "children",
            "server's child",
            "front",
            "worker",
            "cluster",
            "people",
            COMMANDS,
        ),
    },
    "wsproto": {"front", "serve"},
    "distributed": {"worker", "cluster"},
    "asyncio": {"serve", "cluster"},
    "protocol": {
        *("match", "wire", "door", "front", "players", "asking", "check", "worker", "audit"),
        "match audit",
        *("dialling", "people", "evaluate", COMMANDS),
    },
    "msgpack": {"check", COMMANDS},
    "sqlite3": {"store", "audit", "serve"},
    "numpy": {"adapters", "policy", "dataset", "plan", "ratings"},
    "pyarrow": {"dataset"},
    "pettingzoo": {"adapters"},
    "gymnasium": {"adapters"},
    "pyspiel": {"adapters"},
    "rich": {"outputs", COMMANDS},
    "jinja2": {"pages"},
    "click": {COMMANDS},
    "starlette": {"serve"},
    "uvicorn": {"serve"},
    "prometheus_client": {"serve"},
}

# The secrets of a league: whoever makes a table or a page has no way to them.
SECRETS = ("arena.league.store.secrets", "arena.league.store.store", "arena.league.model.seeds")
NO_SECRETS = ("table", "ratings", "outputs", "pages", "publisher", "serve")


def modules() -> list[Path]:
    return sorted(ARENA.rglob("*.py"))


def name_of(module: Path) -> str:
    parts = module.relative_to(ARENA.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(name: str) -> str | None:
    """The room of a module, or of a name in one; None for what is not arena's."""
    homes = [
        *((each, room) for room, described in ROOMS.items() for each in described.modules),
        *((each, COMMANDS) for each in COMMAND_MODULES),
    ]
    fitting = [(len(each), room) for each, room in homes if f"{name}.".startswith(f"{each}.")]
    return max(fitting)[1] if fitting else None


def imported(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = name_of(module.parent / "__init__.py").split(".")
            above = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                # `from arena.league.store import events` imports a module, not a name in one.
                inner = ARENA.parent.joinpath(*origin.split("."), f"{alias.name}.py")
                yield f"{origin}.{alias.name}" if inner.is_file() else origin


def test_rooms_stand_upon_each_other() -> None:
    below: set[str] = set()
    for name, room in ROOMS.items():
        assert below >= {*room.imports}, f"{name} imports a room that is not below it"
        below.add(name)


@pytest.mark.parametrize("module", modules(), ids=name_of)
def test_a_module_imports_only_the_rooms_that_its_own_may(module: Path) -> None:
    room = room_of(name_of(module))
    if room == COMMANDS:
        return
    assert room is not None
    for name in imported(module):
        other = room_of(name)
        assert other in (None, room, *ROOMS[room].imports), f"{room} imports {name} of {other}"


def test_no_room_may_import_more_than_it_does() -> None:
    used = {
        (room_of(name_of(module)), room_of(name))
        for module in modules()
        for name in imported(module)
    }
    may = {(name, other) for name, room in ROOMS.items() for other in room.imports}
    assert sorted(may - used) == []


@pytest.mark.parametrize("module", modules(), ids=name_of)
def test_a_foreign_package_is_imported_only_by_the_rooms_that_may(module: Path) -> None:
    room = room_of(name_of(module))
    for name in imported(module):
        package = name.split(".")[0]
        assert room in FOREIGN.get(package, {room}), f"{room} imports {name}"


@pytest.mark.parametrize("module", modules(), ids=name_of)
def test_what_makes_tables_and_pages_imports_nothing_that_knows_a_secret(module: Path) -> None:
    if room_of(name_of(module)) in NO_SECRETS:
        assert not {*SECRETS} & {*imported(module)}


@pytest.mark.parametrize("module", sorted((ARENA / "games").rglob("*.py")), ids=name_of)
def test_the_rules_touch_nothing_outside_themselves(module: Path) -> None:
    """No I/O, no clock, no chance but what is handed in."""
    forbidden = {"os", "io", "sys", "time", "datetime", "socket", "secrets", "pathlib", "threading"}
    assert not forbidden & {name.split(".")[0] for name in imported(module)}


def loaded_by(code: str) -> list[str]:
    """The modules that a new process has loaded after this code."""
    command = f"{code}\nimport json, sys; print(json.dumps([*sys.modules]))"
    ran = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    )
    found: list[str] = json.loads(ran.stdout.splitlines()[-1])
    return found


def below(names: Sequence[str], packages: Sequence[str]) -> list[str]:
    return [name for name in names if f"{name}.".startswith(tuple(f"{each}." for each in packages))]


PLAYING = ("trio", "protocol", "msgpack", "arena.referee", "arena.bots", "arena.league.play")


@pytest.mark.parametrize(
    ("module", "most"),
    [
        ("arena.league.store.reader", 190),
        ("arena.league.table.maker", 310),
        ("arena.league.table.live", 350),
        ("arena.outputs.publish", 430),
    ],
)
def test_a_reader_loads_neither_an_event_loop_nor_a_referee_nor_the_wire(
    module: str, most: int
) -> None:
    """Nor what knows the key; and little enough that it starts in a moment."""
    loaded = loaded_by(f"import {module}")
    assert below(loaded, PLAYING) == []
    assert not {*SECRETS} & {*loaded}
    assert len(loaded) <= most


def test_a_reader_of_a_store_loads_no_rules_and_no_numbers() -> None:
    assert below(loaded_by("import arena.league.store.reader"), ("arena.games", "numpy")) == []


def test_asking_for_help_loads_no_event_loop() -> None:
    loaded = loaded_by("from arena.cli import main; main(['--help'], standalone_mode=False)")
    heavy = ("distributed", "trio", "msgspec", "msgpack", "numpy", "rich", "sqlite3")
    assert below(loaded, heavy) == []


@pytest.mark.parametrize(
    "module",
    [
        "arena.cli.league",
        "arena.cli.table",
        "arena.cli.verify",
        "arena.league.play.run",
        "arena.outputs.publish",
        "arena.serve.worker",
    ],
)
def test_the_algebra_of_ratings_has_one_thread_in_every_process(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More would take processors from bots, and gain nothing with matrices of that size."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    code = f"import {module}, numpy, os, json; print(json.dumps(os.listdir('/proc/self/task')))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert len(json.loads(ran.stdout)) == 1
