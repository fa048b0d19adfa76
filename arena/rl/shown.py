"""A state as text for people who debug a program: everything, all hands included."""

from __future__ import annotations

from arena.games import State

HIDDEN = {"hand", "seat", "seats", "game", "options"}  # told elsewhere


def shown(state: State) -> str:
    """Return the whole state, a line for each public field and for each hand."""
    view = state.view(None)
    owing = ", ".join(map(str, state.to_act())) or "nobody"
    lines = [f"{state.game.name}, {state.seats} seats; to act: {owing}"]
    lines += [
        f"  {name}: {value}"
        for name, value in view.items()
        if name not in HIDDEN and value not in (None, [], {})
    ]
    lines += [
        f"  hand of seat {seat}: {' '.join(state.view(seat)['hand'])}"
        for seat in range(state.seats)
    ]
    return "\n".join(lines)
