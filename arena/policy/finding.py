"""A policy by its name on a command line, MODULE:NAME, imported from the current folder."""

from __future__ import annotations

import importlib
import sys
from contextlib import redirect_stdout
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.policy.policy import Chooses, Policy, check_policy, told
from arena.text import did_you_mean, listed

EXAMPLE = "my_policy:policy, for the function `policy` in my_policy.py"


class NoPolicy(Exception):
    """There is no such policy, in words for its author. `is_usage`: another name may do."""

    def __init__(self, text: str, *, is_usage: bool = True):
        super().__init__(text)
        self.is_usage = is_usage


def find_policy(words: str) -> Policy:
    """Import the module of MODULE:NAME and return the policy in it. Raises NoPolicy."""
    module_name, colon, name = words.partition(":")
    if not colon or not module_name or not name:
        hint = ""
        if Path(words).suffix == ".py":
            hint = f" For {words} it begins with {Path(words).stem}:"
        raise NoPolicy(f"a policy is named MODULE:NAME, such as {EXAMPLE}; got {words!r}.{hint}")
    if "/" in module_name or module_name.endswith(".py"):
        raise NoPolicy(
            f"{module_name!r} is a file, and here a module is named: go to its folder, and write"
            f" {Path(module_name).stem}:{name}"
        )
    if module_name.startswith("."):
        named = words.lstrip(".")
        hint = "" if named.startswith(":") else f"; it may be {named}"
        raise NoPolicy(
            "a module is named from the current folder, without a dot before it; got"
            f" {words!r}{hint}"
        )
    module = imported(module_name)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise NoPolicy(_no_such(module, found, part))
        found = getattr(found, part)
    chooses = _callable(found, words)
    try:
        return Policy(chooses, words)
    except TypeError as error:
        raise NoPolicy(f"{words}: {error}", is_usage=False) from None


def imported(name: str) -> ModuleType:
    """Import a module, from the current folder before any other place. Raises NoPolicy."""
    here = str(Path.cwd())
    if sys.path[:1] != [here]:
        sys.path.insert(0, here)
    try:
        with redirect_stdout(sys.stderr):
            return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise NoPolicy(_failed(name, error), is_usage=False) from None
        files = sorted(file.stem for file in Path().glob("*.py"))
        there = f" Python files here: {listed(files[:12])}." if files else " No Python file is."
        raise NoPolicy(
            f"there is no module {name!r}, neither in the current folder nor"
            f" installed.{did_you_mean(name, files)}{there}"
        ) from None
    except (Exception, SystemExit) as error:  # any: it is the program of somebody else
        raise NoPolicy(_failed(name, error), is_usage=False) from None


def content_of(policy: str) -> str:
    """Return the hash of the policy's module file; "" if the module has none.

    What the module reads, weights for instance, is not in it.
    """
    file = getattr(sys.modules[policy.partition(":")[0]], "__file__", None)
    return sha256(Path(file).read_bytes()).hexdigest() if file else ""


def _callable(found: Any, words: str) -> Chooses:
    """Return what is to be called for each decision: the object itself, or one of a class."""
    if isinstance(found, type):
        try:
            with redirect_stdout(sys.stderr):
                found = found()
        except Exception as error:  # any: it is the program of somebody else
            raise NoPolicy(
                f"{words} is a class, and is called without arguments for its object; this"
                f" failed:\n{told(error, __file__)}",
                is_usage=False,
            ) from None
    try:
        check_policy(found, words)
    except TypeError as error:
        raise NoPolicy(str(error)) from None
    chooses: Chooses = found
    return chooses


def _no_such(module: ModuleType, found: Any, part: str) -> str:
    """Return what is wrong with a name that is not there, and those that are."""
    where = module.__name__ if found is module else type(found).__name__
    known = sorted(
        name
        for name, value in vars(module).items()
        if callable(value) and not name.startswith("_")
        # Names that the module imported are rarely meant.
        if getattr(value, "__module__", module.__name__) == module.__name__
    )
    there = f" It has {listed(known[:12])}." if known and found is module else ""
    file = getattr(module, "__file__", None)
    return f"{where} ({file or 'no file'}) has no {part!r}.{did_you_mean(part, known)}{there}"


def _failed(name: str, error: BaseException) -> str:
    return f"the module {name} failed while it was imported:\n{told(error, __file__)}"
