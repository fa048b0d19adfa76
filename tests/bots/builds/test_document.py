"""docs/builds.md says what the code does."""

from __future__ import annotations

from arena.bots.build import BUILD_SECONDS
from arena.bots.builds.builder import MOST_AT_ONCE
from arena.bots.builds.cache import MOST_BYTES
from arena.bots.builds.variables import GOFLAGS
from arena.bots.confine.limits import BUILD_LIMITS
from tests.bots.builds.document import DOCUMENT, written

TEXT = DOCUMENT.read_text(encoding="utf-8")


def test_its_table_is_that_of_the_code() -> None:
    assert written(TEXT) == TEXT, "python -m tests.bots.builds.document --write"


def test_its_figures_are_those_of_the_code() -> None:
    limits = BUILD_LIMITS
    assert (
        f"It has {BUILD_SECONDS / 60:.0f} minutes, {limits.memory_mb} MB of memory,"
        f" {limits.processes} processes and threads, and {limits.scratch_mb} MB of scratch."
    ) in TEXT
    assert f"Above {MOST_BYTES // 1024**3} GiB" in TEXT
    assert MOST_AT_ONCE == 4
    assert "at most four." in TEXT
    assert f"`GOFLAGS` is `{GOFLAGS}`" in TEXT
