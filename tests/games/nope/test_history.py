"""Turns written down and told again (SPEC 12.9)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.games.nope.actions import ACTIONS, FIRST_CHOICE
from arena.games.nope.cards import KINDS
from arena.games.nope.demand import DEMANDS
from arena.games.nope.history import DRAWS, KEPT_TURNS, MARKS, choice_mark, tell

turn = st.tuples(
    st.integers(0, 5),
    st.sampled_from(list(DEMANDS.values())),
    st.integers(0, 2),
    st.lists(st.integers(0, len(KINDS) - 1), max_size=3),
    st.none() | st.integers(FIRST_CHOICE, len(ACTIONS) - 1),
)


@given(st.lists(turn, max_size=30), st.integers(0, 30))
def test_what_is_told_is_what_was_written_however_it_is_cut(turns: list, cut: int) -> None:  # type: ignore[type-arg]
    expected: list[list[tuple[int | str, ...]]] = [[] for _ in range(6)]
    recent: tuple[tuple[tuple[int | str, ...], ...], ...] = ((),) * 6
    written = b""
    for number, (seat, demand, drew, laid, choice) in enumerate(turns, 1):
        told = (number, demand.count, demand.colours, drew, *(KINDS[kind] for kind in laid))
        written += bytes(laid) + MARKS[demand.code][seat * DRAWS + drew]
        if choice is not None:
            told += (ACTIONS.names[choice],)
            written += choice_mark(choice)
        expected[seat].append(told)
        if number == cut:
            recent = tell(recent, written, number)
            written = b""
    recent = tell(recent, written, len(turns))
    assert [list(seat) for seat in recent] == [seat[-KEPT_TURNS:] for seat in expected]
