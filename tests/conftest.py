"""What holds for all tests."""

from __future__ import annotations

import pytest
from hypothesis import settings

# The same examples in every run, and no limit on the time one takes: a slow machine is no
# failure, and a failure can be had again.
settings.register_profile("arena", derandomize=True, deadline=None)
settings.load_profile("arena")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--full", action="store_true", help="every interruption of a league, not a sample of them"
    )
