"""One small cell of the ladder, played as the benchmark plays them all."""

from __future__ import annotations

import pytest

from benchmarks.ladder import SEPARATED, measure

# It ends when its sets are played, in a few seconds; the limit is for a machine that stands still.
MOST_SECONDS = 120


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "bot"), [("nyet", "python-tricks"), ("nope", "python-nope")], ids=["nyet", "nope"]
)
def test_the_careful_bot_is_clearly_above_chance(game: str, bot: str) -> None:
    """By so much that no luck of this many sets hides it."""
    gap = measure(game, 2, bot, "python-random", MOST_SECONDS)
    assert gap is not None
    assert gap.los >= SEPARATED
    assert gap.faults == 0
