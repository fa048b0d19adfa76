"""A state as text."""

from __future__ import annotations

from arena.games import GAMES
from arena.rl.shown import shown


def test_everything_is_shown_with_all_hands() -> None:
    state = GAMES["nope"].deal(2, b"shown", {"hand": 2})
    text = shown(state)
    assert text.startswith("nope, 2 seats; to act: ")
    for seat in range(2):
        assert f"hand of seat {seat}: {' '.join(state.view(seat)['hand'])}" in text
    assert "  phase: " in text
