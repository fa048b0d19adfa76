"""Ten minutes of the soak, the only test of its mark; `python -m tests.league.soak.soak` is longer.

Its seed is its own, so that a run by hand tries something else.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.league.soak.soak import MOST_SHOWN, soak

MINUTES = 10.0


@pytest.mark.soak
@pytest.mark.alone
def test_bots_come_go_crash_and_return_for_ten_minutes_and_nothing_is_wrong(
    tmp_path: Path,
) -> None:
    verdict = soak(tmp_path, MINUTES, "ten minutes", tell=print)
    print(*verdict.told, sep="\n")
    assert verdict.wrong[:MOST_SHOWN] == []
