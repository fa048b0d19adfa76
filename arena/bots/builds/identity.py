"""The identity of a build: two with the same one would make the same, so one of them is enough."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import platform
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from arena.bots.botfile import Bot, runnable
from arena.bots.builds.variables import CHOOSING
from arena.bots.executable import found, shebang

# Of what is kept and of how it is identified; another number, and nothing kept before is used.
FORMAT = 1

COMPANIONS: Mapping[str, tuple[str, ...]] = {
    "make": ("cc", "gcc", "c++", "g++"),
    "cmake": ("make", "ninja", "cc", "gcc", "c++", "g++"),
    "cargo": ("rustc", "cc"),
    "go": ("gcc",),
    "npm": ("node",),
    "npx": ("node",),
    "mvn": ("java", "javac"),
    "gradle": ("java", "javac"),
}
"""Programs that a program runs without being told their names."""

# A shim of rustup or pyenv stays the same when the program that it leads to changes.
_BEHIND_SHIMS = {
    "RUSTUP_HOME": ("settings.toml", "toolchains/*/bin/rustc", "toolchains/*/bin/cargo"),
    "PYENV_ROOT": ("version", "versions/*/bin/python3"),
}


def identity(bot: Bot, content: str, env: Mapping[str, str], rung: str) -> str:
    """Return the identity of a bot's build, as hexadecimal digits.

    `content`: the hash of the files that are built. `env`: what the build gets besides the bot's
    own variables. `rung`: how it is confined, because what an unconfined one has made may not pass
    for that of a confined one.
    """
    assert bot.build is not None
    command = runnable(bot.build)
    full = {**env, **bot.env}
    parts = {
        "format": FORMAT,
        "content": content,
        "command": command,
        "env": dict(bot.env),
        "chosen": {name: env[name] for name in CHOOSING if name in env},
        "rung": rung,
        "machine": [platform.machine(), *platform.libc_ver()],
        "programs": sorted(_stamps(_programs(command, full), full)),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _programs(command: Iterable[str], env: Mapping[str, str]) -> set[Path]:
    """Return the programs that a command names, with their interpreters and companions.

    Every word that is the name of a program is taken for one, in a line for a shell too: one too
    many only means one more build.
    """
    programs: set[Path] = set()
    left = [part for word in command for part in _words(word)]
    seen: set[str] = set()
    while left:
        word = left.pop()
        if word in seen:
            continue
        seen.add(word)
        left += COMPANIONS.get(os.path.basename(word), ())
        # What lies in the bot's own folder is in the hash of its content.
        is_own = "/" in word and not os.path.isabs(word)
        file = None if is_own else found(word, env, Path("/"))
        if file is not None:
            programs.add(file)
            left += shebang(file)[2:].split()
    return programs


def _words(word: str) -> list[str]:
    try:
        return shlex.split(word, comments=False)
    except ValueError:  # a quote that is not closed
        return [word]


def _stamps(programs: Iterable[Path], env: Mapping[str, str]) -> Iterator[str]:
    """Yield path, size and time of change of programs, and of what is behind their shims."""
    behind = (
        Path(file)
        for name, patterns in _BEHIND_SHIMS.items()
        if name in env
        for pattern in patterns
        for file in glob.iglob(os.path.join(glob.escape(env[name]), pattern))
    )
    for program in (*programs, *behind):
        path = os.path.realpath(program)
        try:
            state = os.stat(path)
        except OSError:  # nothing that this user could run
            continue
        yield f"{program} {path} {state.st_size} {state.st_mtime_ns}"
