"""Action cards, above all selects (SPEC 12.5)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.games.nope.actions import ACTIONS
from arena.games.nope.cards import DECK, KINDS, SHOWS
from arena.games.nope.demand import DEMANDS
from arena.games.nope.holdings import holding
from arena.games.nope.legality import lay_or_draw
from tests.games.nope_positions import demand_of, hand_of, legal, play, position

hands = st.lists(st.integers(0, len(DECK) - 1), unique=True, min_size=1, max_size=12).map(
    lambda places: bytes(DECK[place] for place in places)
)


@given(hands, st.sampled_from(list(DEMANDS)))
def test_what_a_turn_begins_with_is_what_the_rules_say_in_plain_words(
    hand: bytes, key: tuple[int, int]
) -> None:
    count, colours = key
    complete = [
        bit
        for bit in range(4)
        if colours >> bit & 1 and sum(SHOWS[kind] >> bit & 1 for kind in hand) >= count
    ]
    expected = [
        KINDS[kind]
        for kind in range(len(KINDS))
        if kind in hand and any(SHOWS[kind] >> bit & 1 for bit in complete)
    ]
    if count > 1:
        expected += [
            f"{KINDS[kind]}!"
            for kind in range(KINDS.index("X"), len(KINDS))
            if kind in hand and SHOWS[kind] & colours
        ]
    if not complete:
        expected.append("draw")
    legal_now = lay_or_draw(holding(hand), DEMANDS[key])
    assert [ACTIONS.names[code] for code in legal_now] == expected


def test_a_reset_fits_on_any_demand() -> None:
    for top in ("R1", "GY3", "B2", "TR", "J", "X"):
        assert "X" in legal(position(["X R1", "B1"], top)).replace("!", "").split()


def test_a_see_through_or_select_fits_where_it_shows_a_demanded_colour() -> None:
    assert legal(position(["TR TG SB SY", "B1"], "GB3")) == "TG! SB! draw"


def test_a_see_through_holds_the_demand_for_action_cards_too() -> None:
    """After a see-through only action cards fitting the demand below it may be laid."""
    state = play(position(["TR B1", "TG SG SB B2", "B3"], "RG3"), "TR!")
    assert legal(state) == "TG! SG! draw"


def test_a_select_names_another_player_still_in_the_game_and_a_count() -> None:
    """[12.5-1]"""
    state = play(position(["SR B1", "B2", "", "B3"], "R2", turn=0), "SR!")
    assert legal(state) == "to1:1 to1:2 to1:3 to3:1 to3:2 to3:3"


def test_a_four_coloured_select_names_a_colour_too() -> None:
    state = play(position(["S* B1", "B2", "B3"], "R2"), "S*!")
    assert legal(state) == " ".join(
        f"to{seat}:{count}{colour}" for seat in (1, 2) for count in (1, 2, 3) for colour in "RGBY"
    )


def test_a_one_coloured_select_demands_its_own_colour() -> None:
    state = play(position(["SR B1", "R1 B2", "B3"], "RB2"), "SR! to1:1")
    assert demand_of(state) == "1 R"
    assert legal(state) == "R1"


def test_the_count_may_exceed_the_hand_of_the_player_named() -> None:
    state = play(position(["SR B1", "R1", "B3"], "R1"), "SR to1:3")
    assert demand_of(state) == "3 R"
    assert legal(state) == "draw"


def test_the_player_named_takes_a_normal_turn() -> None:
    state = position(["SR B1", "B3", "R1 B2"], "R1", draw_pile="G1 R2 B1")
    play(state, "SR to2:2")
    assert state.to_act() == (2,)
    assert legal(state) == "draw"


def test_the_player_named_may_lay_another_select() -> None:
    state = play(position(["SR B1", "B3", "S* B2"], "R1"), "SR to2:2")
    assert legal(state) == "S*! draw"
    play(state, "S*! to0:3Y")
    assert demand_of(state) == "3 Y"
    assert state.to_act() == (0,)
    assert state.view(None)["choice"] == {"by": 2, "to": 0}


def test_if_the_player_named_says_nope_the_demand_stands_for_the_next_from_them() -> None:
    state = position(["SR B1", "R2", "B3", "R1 B2"], "R1", draw_pile="G1 G2 B1")
    play(state, "SR to2:1 draw")
    assert state.to_act() == (3,)
    assert demand_of(state) == "1 R"
    assert legal(state) == "R1"


def test_on_a_four_coloured_select_only_the_chosen_colour_counts_for_action_cards_too() -> None:
    state = play(position(["S* B1", "TR SG G1 R1 R2", "B3"], "R1"), "S* to1:2G")
    assert demand_of(state) == "2 G"
    assert legal(state) == "G1 SG SG!"


def test_a_see_through_on_a_select_keeps_count_and_colour_for_the_next_seat() -> None:
    """[N9]: the next seat after whoever laid the see-through, not the player named."""
    state = play(position(["S* B1", "B2", "TG B3", "G1 G2"], "R1"), "S* to2:2G TG!")
    assert state.to_act() == (3,)
    assert demand_of(state) == "2 G"
    assert legal(state) == "G1 G2"


def test_after_a_select_play_goes_on_from_the_player_named() -> None:
    state = play(position(["SR B1", "B2", "R1 B3", "B1"], "R1"), "SR to2:1 R1")
    assert state.to_act() == (3,)


def test_an_action_card_need_not_be_laid_by_who_holds_no_set() -> None:
    state = play(position(["TR B1", "B2", "B3"], "R2", draw_pile="G1 B1"), "draw")
    assert hand_of(state, 0) == "G1 B1 TR"


def test_a_drawn_action_card_completes_a_set_and_then_may_be_laid_alone() -> None:
    """The booklet: you must then lay the set, or the action card alone."""
    state = position(["R1 B1", "B2", "B3"], "R2", draw_pile="SR B1")
    assert legal(play(state, "draw")) == "R1 SR SR!"
