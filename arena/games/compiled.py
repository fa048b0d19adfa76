"""The compiled build: the part of the rules that search lives on, made into C by mypyc.

It is an option of the installation (docs/library.md, "The compiled build"); the modules in it are
listed in hatch_build.py. Python is the reference: both builds pass the same tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**wishes):
        """Return a decorator that does nothing: only the compiler reads its wishes."""
        return lambda kind: kind


def is_compiled() -> bool:
    """True if the rules run as compiled code, False if they run in Python."""
    from arena.games.nyet import position

    return not str(position.__file__).endswith(".py")
