"""The tests of this folder import the extra `rl`, so they are read where they are asked for."""

from __future__ import annotations

import pytest


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    return True if "not rl" in config.option.markexpr else None
