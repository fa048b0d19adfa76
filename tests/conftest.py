"""What holds for all tests."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

pytest_plugins = ["tests.browsers", "tests.limits"]

# The same examples in every run, and no limit on the time one takes: a slow machine is no
# failure, and a failure can be had again.
settings.register_profile("arena", derandomize=True, deadline=None)
settings.load_profile("arena")


# A shell has what it starts with `&` ignore SIGINT, and so would the referees that tests start in
# order to interrupt them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def builds_of_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the builds of tests, and the caches of compilers, where the run keeps its files."""
    base = tmp_path_factory.getbasetemp()
    # A worker's folder lies in the one that all workers of a run share.
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    os.environ["XDG_CACHE_HOME"] = str(shared / "cache")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--full", action="store_true", help="every interruption of a league, not a sample of them"
    )


# Bots of tests read their tools in this repository, which a confined bot does not see by itself.
os.environ["ARENA_READ"] = str(Path(__file__).parent.parent)
