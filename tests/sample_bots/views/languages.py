"""The languages with typed views: where the file of each lies, and what writes its text."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena import data
from tests.sample_bots import views
from tests.sample_bots.views.shapes import Shape

NOT_LANGUAGES = {"__main__", "languages", "shapes"}


@dataclass(frozen=True)
class Target:
    """A generated file of a sample bot."""

    language: str
    path: str
    """In the folder of the sample bots."""
    text: Callable[[Sequence[Shape]], str]

    @property
    def file(self) -> Path:
        return data.sample_bots() / self.path


def targets() -> Iterator[Target]:
    """Every module beside this one is a language. It has FILES: by path, a function from shapes to
    the text of the file."""
    for module in pkgutil.iter_modules(views.__path__):
        if module.name not in NOT_LANGUAGES:
            files = importlib.import_module(f"{views.__name__}.{module.name}").FILES
            for path, text in files.items():
                yield Target(module.name, path, text)
