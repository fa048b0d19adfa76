"""The files that programs need to run, wherever they are installed, and if a bot can see them.

Virtual environments and pyenv live in home folders, which no bot sees otherwise. Those of the
Python that runs arena are found here; those of other interpreters are for the operator to name
(`read` under `[confine]`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from arena.bots.confine.system import is_within
from arena.bots.executable import found, shebang

# Folders of toolchains below a home folder, by the variable that says where they are.
TOOL_HOMES = {"RUSTUP_HOME": ".rustup", "PYENV_ROOT": ".pyenv", "NVM_DIR": ".nvm"}

# By folder of a toolchain: the variable of a second folder, which its programs read too. rustup's
# `cargo` only starts the one below RUSTUP_HOME.
_SECOND = {".cargo": "RUSTUP_HOME"}
# By folder of a toolchain, the part with its programs, where the rest is not for bots: in .cargo
# lie the tokens of registries.
_PART = {".cargo": "bin"}

# More links than the kernel follows (40) are a loop.
_MOST_LINKS = 40


def python_needs() -> tuple[Path, ...]:
    """Return the folders that this interpreter, its packages, the bot kit and the rules of the
    games are read from."""
    needs = {
        Path(sys.prefix),
        Path(sys.base_prefix),
        Path(sys.base_exec_prefix),
        *links_on_the_way(Path(sys.executable)),
        # Installed for editing, they are not below the prefix; only themselves, because the rest
        # of that folder is the operator's.
        *_own_packages(),
    }
    return without_inner(needs)


def folders_to_list() -> tuple[Path, ...]:
    """Return folders that the interpreter looks through for a package it may read.

    That is the folder of packages installed for editing: without its names, Python finds nothing
    in it.
    """
    needs = python_needs()
    folders = {package.parent for package in _own_packages()}
    return tuple(folder for folder in sorted(folders) if not is_within(folder, needs))


def _own_packages() -> tuple[Path, ...]:
    """Return the folders of the bot kit, and of arena, whose games search bots play by."""
    found = []
    for name in ("protocol", "arena"):
        spec = find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        found.append(Path(os.path.abspath(spec.origin)).parent)
    return tuple(found)


def links_on_the_way(program: Path) -> tuple[Path, ...]:
    """Return a program and each file on the way that its symbolic links lead, itself first."""
    found = [program]
    for _ in range(_MOST_LINKS):
        last = found[-1]
        if not last.is_symlink():
            break
        found.append(Path(os.path.normpath(last.parent / os.readlink(last))))
    return tuple(found)


def without_inner(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Leave out every path that lies below another one; sorted."""
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return tuple(kept)


def out_of_sight(
    command: Sequence[str], env: Mapping[str, str], folder: Path, visible: Sequence[Path]
) -> Path | None:
    """Return the first file that a command needs and a bot cannot see, None if it sees all.

    Looked at are files that the arguments name by their whole paths, the program, the links on the
    way to it, and the interpreter of a script. A command that is not found at all is not this
    function's business.
    """
    for word in command[1:]:
        if word.startswith("/") and os.path.exists(word) and not is_within(Path(word), visible):
            return Path(word)
    program = found(command[0], env, folder)
    while program is not None:
        for step in links_on_the_way(Path(os.path.normpath(folder / program))):
            if not is_within(step, visible):
                return step
        words = shebang(program)[2:].split()
        if not words:
            return None
        is_env = Path(words[0]).name == "env" and len(words) > 1
        program = found(words[1] if is_env else words[0], env, folder)
    return None


def folders_to_read(missing: Path, env: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """Return the folders to name so that a program is seen with all that belongs to it.

    Below a home folder that is the folder of the toolchain (`.nvm`, `.cargo/bin` and `.rustup`),
    elsewhere the one that the program's `bin` is in. `env`: the operator's.
    """
    home = Path(env.get("HOME", "/"))
    if missing.is_relative_to(home) and len(missing.relative_to(home).parts) > 1:
        folder = home / missing.relative_to(home).parts[0]
        return (folder / _PART.get(folder.name, ""), *_second(folder, home, env))
    inner = missing.parent
    is_bin = inner.name in ("bin", "sbin") and inner.parent != Path("/")
    return (inner.parent if is_bin else inner,)


def _second(folder: Path, home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    variable = _SECOND.get(folder.name)
    if variable is None:
        return ()
    second = Path(env.get(variable, home / TOOL_HOMES[variable]))
    return (second,) if second.is_dir() else ()
