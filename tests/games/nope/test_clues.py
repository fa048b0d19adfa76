"""What the last turns of a seat tell of its hand (SPEC 12.4, 12.9)."""

from __future__ import annotations

import random

from arena.games.nope import NOPE
from arena.games.nope.clues import Clue, Clues, fill, read_clues
from arena.games.nope.demand import DEMANDS
from tests.games.nope_positions import cards

RED_1 = DEMANDS[1, 0b0001]
RED_2 = DEMANDS[2, 0b0001]
RED_GREEN_2 = DEMANDS[2, 0b0011]


def test_nope_tells_that_there_is_no_set() -> None:
    clues = read_clues([[5, 2, "R", 1]], None, 0)
    assert clues == Clues((Clue(RED_2, b"", 0),))


def test_a_card_laid_since_counts_with_the_hand_of_then() -> None:
    """Nope on two red, then one red laid: no red is left but what cannot make two."""
    clues = read_clues([[5, 2, "R", 1], [8, 1, "RG", 0, "R1"]], None, 0)
    assert clues.no_set == (Clue(RED_2, cards("R1"), 0),)
    assert fill(b"", cards("R2 B1 RG1"), 3, clues, 15) == (cards("B1"), cards("R2 RG1"))


def test_a_draw_tells_that_there_was_no_set_before() -> None:
    clues = read_clues([[5, 2, "R", 1, "R1", "R2"]], None, 0)
    assert clues == Clues((Clue(RED_2, cards("R1 R2"), 1),))
    # One of R1 and R2 was drawn, so one red was held: no more.
    assert fill(b"", cards("RY2 B1"), 2, clues, 15) == (cards("B1"), cards("RY2"))


def test_laying_without_a_draw_tells_nothing() -> None:
    assert read_clues([[5, 2, "R", 0, "R1", "R2"], [6, 2, "R", 0, "TR"]], None, 0) == Clues()


def test_an_action_card_laid_alone_after_a_draw_tells_that_there_was_a_set() -> None:
    """[N2]: without a set it would have been Nope."""
    clues = read_clues([[5, 2, "R", 1, "TR"]], None, 0)
    assert clues.a_set == (Clue(RED_2, cards("TR")),)
    assert clues.a_set[0].holds_set(cards("R3"))
    assert not clues.a_set[0].holds_set(cards("B3"))


def test_the_choice_after_a_select_is_no_card() -> None:
    clues = read_clues([[5, 2, "R", 1], [9, 1, "R", 0, "SR", "to2:3"]], None, 0)
    assert clues.no_set == (Clue(RED_2, cards("SR"), 0),)


def test_who_is_between_draw_and_lay_holds_a_set_and_held_none_before() -> None:
    clues = read_clues([], RED_1, 1)
    assert clues == Clues((Clue(RED_1, b"", 1),), (Clue(RED_1, b""),))


def test_a_clue_from_before_too_many_draws_is_dropped() -> None:
    turns: list[list[int | str]] = [[n, 1, "R", 1] for n in range(1, 5)]
    assert [clue.drawn for clue in read_clues(turns, None, 0).no_set] == [0, 1, 2]


def test_a_positive_clue_is_dropped_once_more_was_drawn() -> None:
    assert read_clues([[5, 2, "R", 1, "TR"], [6, 2, "R", 1]], None, 0).a_set == ()


def test_with_a_card_drawn_since_a_hand_may_hold_one_card_too_many() -> None:
    clues = Clues((Clue(RED_GREEN_2, b"", 1),))
    assert fill(b"", cards("RG1 RG1 G1"), 3, clues, 15) == (cards("RG1 RG1"), cards("G1"))
    # One card can be taken away, not two: red and green both have two without a common card.
    assert fill(b"", cards("R1 R2 G1 G2"), 4, clues, 15) == (cards("R1 R2 G1"), cards("G2"))


def test_only_the_colours_asked_for_are_filled_in_and_only_to_the_size() -> None:
    left = cards("B1 R1 R2 R3")
    assert fill(b"", left, 2, Clues(), 0b0001) == (cards("R1 R2"), cards("B1 R3"))
    assert fill(b"", left, 0, Clues(), 15) == (b"", left)
    assert fill(b"", b"", 1, Clues(), 15) == (b"", b"")


def test_the_narrowest_clue_tells_how_tight_a_hand_is() -> None:
    one_of_all = Clues((Clue(DEMANDS[1, 15], b""),))
    assert one_of_all.tightness() < Clues((Clue(RED_1, b""),)).tightness()
    assert Clues((Clue(RED_1, b""),)).tightness() < Clues().tightness()


def test_the_true_hand_always_agrees_with_the_clues() -> None:
    """Or else truth itself would be ruled out."""
    rng = random.Random(7)
    for number in range(40):
        state = NOPE.deal(2 + number % 5, b"true %d" % number, {"max_turns": 100})
        while state.to_act():
            view = state.view(None)
            for seat, hand in enumerate(state.hands):
                whole = hand + (state.chosen if seat == state.seat else b"")
                now = state.demand if seat == state.seat and state.selecting < 0 else None
                drew = state.drew if now is not None else 0
                clues = read_clues(view["recent"][seat], now if drew else None, drew)
                assert fill(b"", whole, len(whole), clues, 15) == (whole, b"")
                assert all(clue.holds_set(whole) for clue in clues.a_set)
            (seat,) = state.to_act()
            state.apply(seat, rng.choice(state.legal(seat)))
