"""Who came where (SPEC 12.4, 12.8)."""

from __future__ import annotations


def places(held: tuple[int, ...], out: tuple[int, ...]) -> tuple[int, ...]:
    """Who still holds cards ranks by how many, ties sharing; then who went out last [N12, N6]."""
    return tuple(
        1 + sum(other > cards for other in held) if cards else len(held) - out.index(seat)
        for seat, cards in enumerate(held)
    )
