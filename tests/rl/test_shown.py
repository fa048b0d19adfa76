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


def test_whose_turn_it_is_is_shown_and_nobodys_after_the_end() -> None:
    state = GAMES["nope"].deal(2, b"shown", {"hand": 2, "max_turns": 1})
    while owing := state.to_act():
        assert shown(state).splitlines()[0].endswith(f"to act: {', '.join(map(str, owing))}")
        state.apply(owing[0], state.legal(owing[0])[0])
    assert shown(state).splitlines()[0].endswith("to act: nobody")
