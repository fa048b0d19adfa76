"""Builds the compiled rules into a wheel, where ARENA_COMPILED=1 asks for them.

mypyc makes C of the modules below, and the wheel has the libraries beside their sources, which
Python then loads instead. Without the variable nothing happens here: the wheel is pure Python, and
installing it needs no compiler. docs/library.md has it for users.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GAMES = "arena/games"
# Those in which search spends its time. Left out are classes that others build on (derived), and
# the tables of what may be led (terms): those are made once, and a test puts other rules there.
COMPILED = [
    f"{GAMES}/{name}.py"
    for name in (
        "chance",
        "nyet/cards",
        "nyet/playout",
        "nyet/position",
        "nyet/scoring",
        "nyet/tables",
        "nyet/turns",
    )
]
COMPILER = ["mypy[mypyc]>=2.4", "setuptools>=75"]


def is_wanted() -> bool:
    return os.environ.get("ARENA_COMPILED", "") not in ("", "0")


class CompiledRules(BuildHookInterface):  # type: ignore[type-arg]
    """See https://hatch.pypa.io/latest/plugins/build-hook/custom/."""

    def dependencies(self) -> list[str]:
        return COMPILER if is_wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not is_wanted():
            return
        if version == "editable":
            raise RuntimeError(
                "ARENA_COMPILED=1 does not go with `pip install -e`: Python would load the "
                "libraries and never see a change of their sources. Install without -e."
            )
        self.folder = tempfile.TemporaryDirectory()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for library, place in compile_into(Path(self.folder.name), Path(self.root)):
            build_data["force_include"][str(library)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if is_wanted():
            self.folder.cleanup()


def compile_into(folder: Path, root: Path) -> list[tuple[Path, str]]:
    """Compile the modules; return each library with its place in the wheel."""
    # Late, because they are only there where the compiled build is wanted.
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.errors import CompileError

    os.chdir(root)
    extensions = mypycify(
        ["--config-file=", f"--cache-dir={folder / 'types'}", *COMPILED],
        target_dir=str(folder / "c"),
        group_name="arena",
    )
    command = Distribution({"name": "arena", "ext_modules": extensions}).get_command_obj(
        "build_ext"
    )
    out = folder / "libraries"
    command.build_lib, command.build_temp = str(out), str(folder / "objects")
    command.ensure_finalized()
    try:
        command.run()
    except CompileError as error:
        raise RuntimeError(
            f"ARENA_COMPILED=1 needs a C compiler and the headers of Python ({error}). On Debian "
            "and Ubuntu: apt install gcc python3-dev. Without the variable neither is needed."
        ) from None
    return [(library, library.relative_to(out).as_posix()) for library in out.rglob("*.so")]
