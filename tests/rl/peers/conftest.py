"""The tests of this folder import the extra `rl`, so they are read where they are asked for."""

from __future__ import annotations

import re

import pytest

ASKED_FOR = re.compile(r"(?<!not )\brl\b")


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    return None if ASKED_FOR.search(config.option.markexpr) else True
