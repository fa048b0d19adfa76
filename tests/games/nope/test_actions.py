"""The action table of SPEC 12.10."""

from __future__ import annotations

from arena.games.nope.actions import ACTIONS, DRAW, Masked
from arena.games.nope.cards import KINDS


def test_the_actions_have_a_fixed_order() -> None:
    alone = ("X!", "TR!", "TG!", "TB!", "TY!", "SR!", "SG!", "SB!", "SY!", "S*!")
    assert ACTIONS.names[:41] == KINDS
    assert ACTIONS.names[41:51] == alone
    assert ACTIONS.names[51] == "draw"
    assert ACTIONS.names[52:56] == ("to0:1", "to0:2", "to0:3", "to1:1")
    assert ACTIONS.names[69] == "to5:3"
    assert ACTIONS.names[70:76] == ("to0:1R", "to0:1G", "to0:1B", "to0:1Y", "to0:2R", "to0:2G")
    assert ACTIONS.names[-1] == "to5:3Y"
    assert len(ACTIONS) == 41 + 10 + 1 + 18 + 72
    assert len(set(ACTIONS.names)) == len(ACTIONS)
    assert ACTIONS.code("draw") == DRAW


def test_a_mask_stands_for_its_actions_in_order() -> None:
    table = Masked(3, (10, 11, 12), always=(99,))
    assert table[0b101 << 3] == (10, 12, 99)
    assert table[0] == (99,)


def test_the_table_of_masks_does_not_grow_without_end() -> None:
    table = Masked(0, range(20))
    for mask in range(Masked.MOST_MASKS + 5):
        assert len(table[mask]) == mask.bit_count()
    assert len(table) == 5
