"""Read bot.toml: the name of a bot, its build, its command and its games.

    name = "fox"                                # as the tables show it
    command = ["./target/release/fox"]          # {python}: the Python that runs arena
    games = ["nyet", "njet"]                    # or "any": every game there is
    build = ["cargo", "build", "--release"]     # these six may be left out
    connect = ["unix", "tcp"]
    language = "Rust"
    env = { RUST_LOG = "info" }
    seats = [4]                                 # sizes of table it plays; all if left out
    include = ["python-tricks/tricks"]          # of the sample bots: copied beside its own files

A command line does as well, for trying things: `"python3 mybot.py"`.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import stat
import sys
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

import msgspec

from arena import data
from arena.games import GAMES

FILE_NAME = "bot.toml"
PYTHON = "{python}"
ANY = "any"
"""In `games`: it plays every game there is, also one that is added later."""

# Longer names break the tables. The characters are those safe in file names and addresses.
MAX_NAME_CHARS = 32
NAME_PATTERN = rf"^[A-Za-z0-9][A-Za-z0-9._+-]{{0,{MAX_NAME_CHARS - 1}}}\Z"
NAME_IN_WORDS = (
    f"1 to {MAX_NAME_CHARS} letters, digits, '.', '_', '+' or '-', a letter or digit first"
)

# Variables that arena sets for a bot begin with this; `env` may set none of them.
OWN_PREFIX = "ARENA_"

Connect = Literal["unix", "tcp"]
_Words = Annotated[
    list[Annotated[str, msgspec.Meta(pattern=r"^[^\0]*$")]], msgspec.Meta(min_length=1)
]


@dataclass(frozen=True)
class Bot:
    """A program that plays, as its author describes it; its files are in `folder`."""

    name: str
    command: tuple[str, ...]
    folder: Path
    games: tuple[str, ...] = tuple(GAMES)
    build: tuple[str, ...] | None = None
    connect: tuple[Connect, ...] = ("unix", "tcp")
    language: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    seats: tuple[int, ...] = ()
    """The sizes of table that it plays; (): all."""
    include: tuple[str, ...] = ()
    """Files and folders of sample bots, as `python-tricks/tricks`. Where the bot runs, each lies
    beside its own files under its last name. They are part of its content."""
    is_bare: bool = False
    """Only a command line: no folder of sources is known, so it runs in place, in `folder`."""
    written_in: str = "the command line"
    """The file or place that its command stands in, for messages about that command."""

    def sizes(self, game: str) -> tuple[int, ...]:
        """Return the sizes of table at which it plays a game."""
        return tuple(size for size in GAMES[game].seats if not self.seats or size in self.seats)

    def included(self) -> dict[str, Path]:
        """Return what it includes: by the name that it has where the bot runs, its path here."""
        return {PurePosixPath(name).name: data.sample_bots() / name for name in self.include}


class BadBotFile(ValueError):
    """All problems of one description of a bot, one line each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True)
class _Key:
    """One key of the file: its type, the same in words, and an example."""

    type: object
    must: str
    example: str
    is_required: bool = False


_KEYS = {
    "name": _Key(
        Annotated[str, msgspec.Meta(pattern=NAME_PATTERN)],
        NAME_IN_WORDS,
        'name = "fox"',
        is_required=True,
    ),
    "command": _Key(
        _Words,
        "a list of strings, the program first; no shell reads it",
        f'command = ["{PYTHON}", "bot.py"]',
        is_required=True,
    ),
    "games": _Key(
        Annotated[list[str], msgspec.Meta(min_length=1)] | Literal["any"],
        f'"{ANY}", or a list of the games it plays, out of {", ".join(GAMES)}',
        'games = ["nyet"]',
        is_required=True,
    ),
    "build": _Key(
        _Words,
        "a list of strings, the program first; no shell reads it",
        'build = ["cargo", "build", "--release"]',
    ),
    "connect": _Key(
        Annotated[list[Connect], msgspec.Meta(min_length=1)],
        'a list out of "unix" and "tcp"',
        'connect = ["unix", "tcp"]',
    ),
    "language": _Key(
        Annotated[str, msgspec.Meta(max_length=32)],
        "a string of at most 32 characters",
        'language = "Rust"',
    ),
    "env": _Key(
        dict[
            Annotated[str, msgspec.Meta(pattern=rf"^(?!{OWN_PREFIX})[^=\0]+\Z")],
            Annotated[str, msgspec.Meta(pattern=r"^[^\0]*$")],
        ],
        f"a table of strings, no name of which begins with {OWN_PREFIX}",
        'env = { RUST_LOG = "info" }',
    ),
    "seats": _Key(
        Annotated[list[Annotated[int, msgspec.Meta(ge=1)]], msgspec.Meta(min_length=1)],
        "a list of the sizes of table it plays",
        "seats = [4]",
    ),
    # Of the sample bots alone, which everybody has: a path of any other kind could name a file of
    # the operator's, which a bot of somebody else may not read.
    "include": _Key(
        Annotated[list[str], msgspec.Meta(min_length=1)],
        "a list of files and folders of sample bots",
        'include = ["python-tricks/tricks"]',
    ),
}


MOST_FILE_BYTES = 1_000_000
"""The longest bot.toml that is read."""


def read_bot(source: str | Path) -> Bot:
    """Read a bot from a folder, a bot.toml or a command line. Raises BadBotFile."""
    path = Path(source)
    if path.is_dir():
        return read_bot_file(path / FILE_NAME)
    if path.suffix == ".toml":
        return read_bot_file(path)
    return bot_of_command_line(str(source))


def _read(path: Path) -> bytes:
    """Return the bytes of a bot.toml. A pipe or a device would be read for ever."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise BadBotFile([f"{path}: is no file with text"])
        if status.st_size > MOST_FILE_BYTES:
            raise BadBotFile(
                [f"{path}: has {status.st_size:,} bytes, and {MOST_FILE_BYTES:,} are the most"]
            )
        return file.read(MOST_FILE_BYTES)


def read_bot_file(path: Path) -> Bot:
    """Read a bot from its bot.toml. Raises BadBotFile with all problems of the file."""
    try:
        text = _read(path).decode()
        if text.startswith("\ufeff"):
            raise BadBotFile(
                [f"{path}: begins with a byte-order mark; save it as UTF-8 without one"]
            )
        values = tomllib.loads(text)
    except FileNotFoundError:
        examples = "\n".join(key.example for key in _KEYS.values() if key.is_required)
        raise BadBotFile(
            [f"{path}: there is no such file. A bot needs at least this in it:\n{examples}"]
        ) from None
    except OSError as error:
        raise BadBotFile([f"{path}: cannot be read: {error.strerror}"]) from None
    except UnicodeDecodeError as error:
        raise BadBotFile(
            [f"{path}: is not UTF-8 at byte {error.start}; save it as UTF-8"]
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise BadBotFile([f"{path}: is not TOML: {error}"]) from None
    found: dict[str, Any] = {}
    problems = _check(values, found)
    problems += _check_include(found.get("include", ()), path.absolute().parent)
    if problems:
        raise BadBotFile([f"{path}: {problem}" for problem in problems])
    for name, value in found.items():
        if isinstance(value, list):
            found[name] = tuple(value)
    return Bot(folder=path.absolute().parent, written_in=str(path), **found)


def bot_of_command_line(line: str) -> Bot:
    """Make a bot of a command, to run in the current folder; it claims to play every game."""
    try:
        words = tuple(shlex.split(line))
    except ValueError as error:
        raise BadBotFile([f"command line {line!r}: {error}; quote it as for a shell"]) from None
    if not words or not words[0]:
        raise BadBotFile(
            [f"command line {line!r}: is empty; write a folder with a {FILE_NAME}, or a command"]
        )
    # A command that runs an interpreter is called after its script.
    files = [word for word in words[1:] if Path(word).is_file()]
    stem = re.sub(r"[^A-Za-z0-9._+-]", "-", Path((files or words)[0]).stem).strip("._+-")
    return Bot(stem[:MAX_NAME_CHARS] or "bot", words, Path.cwd(), is_bare=True)


def runnable(command: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command to execute: `{python}` becomes the path of the Python that runs arena.

    `python3` may be a shim that takes longer to start than a bot takes to connect, or may lack the
    packages that the bot was written for.
    """
    return tuple(word.replace(PYTHON, sys.executable) for word in command)


def _check(values: Mapping[str, Any], found: dict[str, Any]) -> list[str]:
    """Put the good values into `found`, and return the problems of the others in words."""
    problems = []
    for name in values:
        if name in _KEYS:
            continue
        near = difflib.get_close_matches(name, _KEYS, n=1)
        hint = f"did you mean `{near[0]}`?" if near else f"the keys are {', '.join(_KEYS)}"
        problems.append(f"`{name}` is not a key of a {FILE_NAME}; {hint}")
    for name, key in _KEYS.items():
        if name not in values:
            if key.is_required:
                problems.append(f"`{name}` is missing: {key.must}. For instance: {key.example}")
            continue
        try:
            found[name] = msgspec.convert(values[name], key.type)
        except msgspec.ValidationError:
            problems.append(
                f"`{name}` is {values[name]!r}; it must be {key.must}. For instance: {key.example}"
            )
    sizes = found.get("seats", ())
    if found.get("games") == ANY:
        found["games"] = tuple(name for name in GAMES if not sizes or _fits(name, sizes))
        if not found["games"]:
            problems.append(f"`seats` is {list(sizes)}, and no game here has a table of that size")
    for name in found.get("games", ()):
        if name not in GAMES:
            near = difflib.get_close_matches(name, GAMES, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(GAMES)}"
            hint += f'; for all of them write games = "{ANY}"' if name == ANY else ""
            problems.append(f"`games` names {name!r}, which is no game here; {hint}")
        elif sizes and not _fits(name, sizes):
            seats = ", ".join(map(str, GAMES[name].seats))
            problems.append(
                f"`seats` is {list(sizes)}, and tables of {name} have {seats}; leave {name} out of"
                " `games`, or add a size"
            )
    return problems


def _check_include(include: Collection[str], folder: Path) -> list[str]:
    """Return the problems of `include` in words. `folder`: the bot's own."""
    problems = []
    seen: set[str] = set()
    for name in include:
        parts = name.split("/")
        samples = data.sample_bots()
        if len(parts) < 2 or {"", ".", ".."} & {*parts} or not (samples / name).exists():
            problems.append(
                f"`include` names {name!r}, which is no file or folder of a sample bot; write its"
                " place in the folder of the sample bots, such as 'python-tricks/tricks'"
            )
        elif parts[-1] in seen or os.path.lexists(folder / parts[-1]):
            problems.append(
                f"`include` brings {parts[-1]!r}, and the bot has that already: rename its own"
            )
        seen.add(parts[-1])
    return problems


def _fits(game: str, sizes: Collection[int]) -> bool:
    return any(size in sizes for size in GAMES[game].seats)
