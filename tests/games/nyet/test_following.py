"""What may be played to a trick (SPEC 11.4)."""

from __future__ import annotations

import pytest

from arena.games.errors import IllegalAction
from tests.games.trick_positions import act, legal, play, table

RULE_SETS = ("nyet", "njet", "njet-it")


def answers(name: str, led: str, hand: str, trump: str, supertrump: str) -> str:
    """What seat 1 may play from this hand to this card."""
    others = ["R2", "R3", "R4", "R6"][: len(hand.split())]
    hands = [" ".join([led, *others[1:]]), hand, *[" ".join(others)] * 2]
    state = table(name, hands, trump=trump, supertrump=supertrump, team=(0, 2))
    play(state, led)
    return " ".join(legal(state))


# ---- leading --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "hand"),
    [
        ("nyet", "R1 R5 B1 B5 Y1 G9"),
        ("njet", "R0 R5 K0 K5 B0 B9"),
        ("njet-it", "R1 R5 K1 K5 B1 B9"),
    ],
)
def test_any_card_may_be_led(name: str, hand: str) -> None:
    """Trump and supertrump included, in the first trick too."""
    state = table(name, [hand] * 4, first=2, trump="R", supertrump="B", team=(1, 2))
    assert state.to_act() == (2,)
    assert legal(state) == hand.split()


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_first_player_leads_and_the_others_follow_clockwise(name: str) -> None:
    state = table(name, ["R2", "R3", "R4", "R5"], first=2, team=(1, 2))
    for seat, card in ((2, "R4"), (3, "R5"), (0, "R2"), (1, "R3")):
        assert state.to_act() == (seat,)
        assert state.view(None)["turn"] == seat
        act(state, seat, card)


def test_the_winner_of_a_trick_leads_the_next_until_the_hands_are_empty() -> None:
    state = table("nyet", ["R2 B9", "R3 B2", "R9 G3", "R5 B3"], trump="Y", team=(0, 1))
    play(state, "R2", "R3", "R9", "R5")
    assert state.to_act() == (2,)
    assert state.view(None)["leaders"] == [0, 2]
    play(state, "G3", "B3", "B9", "B2")
    view = state.view(None)
    assert view["round"] == 2
    assert view["previous"]["tricks_won"] == [0, 0, 2, 0]
    assert view["previous"]["last_leader"] == 2


def test_a_trick_has_one_card_of_everyone() -> None:
    state = table("nyet", ["R2 B9", "R3 B2", "R9 G3"], trump="Y", team=(0,), bonus=0)
    for card in ("R2", "R3", "R9"):
        assert state.view(None)["tricks_won"] == [0, 0, 0]
        play(state, card)
    assert state.view(None)["tricks"] == [["R2", "R3", "R9"], []]
    assert state.view(None)["tricks_won"] == [0, 0, 1]


# ---- following suit, in all rule sets -------------------------------------------------------


@pytest.mark.parametrize("name", RULE_SETS)
def test_who_holds_the_suit_led_must_play_it(name: str) -> None:
    assert answers(name, "R5", "R2 R9 B3 B4", "B", "-") == "R2 R9"


@pytest.mark.parametrize(
    ("name", "hand", "supertrump"),
    [("nyet", "B4 Y1 Y3 G5", "Y"), ("njet", "K0 K3 B4 Y5", "K"), ("njet-it", "K1 K3 B4 G5", "K")],
)
def test_who_does_not_hold_the_suit_led_may_play_anything(
    name: str, hand: str, supertrump: str
) -> None:
    """Trump and supertrump included, and nobody is forced to trump."""
    assert answers(name, "R5", hand, "B", supertrump) == hand
    assert answers(name, "R5", hand, "B", "-") == hand


@pytest.mark.parametrize("name", RULE_SETS)
def test_trump_led_is_answered_with_trump(name: str) -> None:
    assert answers(name, "R5", "R2 R3 B4 B9", "R", "-") == "R2 R3"


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_low_card_that_is_no_supertrump_serves_its_colour(name: str) -> None:
    """Row 4 `none`, or another colour there."""
    low = "0" if name == "njet" else "1"
    assert answers(name, "R5", f"R{low} B4 B9", "B", "-") == f"R{low}"
    assert answers(name, "R5", f"R{low} B4 B9", "B", "B") == f"R{low}"
    assert answers(name, f"R{low}", "R5 B4", "B", "-") == "R5"


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_supertrump_of_the_trump_colour_is_a_trump_to_follow_with(name: str) -> None:
    """Supertrump equal to trump: its suit is trump by either reading."""
    low = "0" if name == "njet" else "1"
    assert answers(name, "R5", f"R{low} B4 B9", "R", "R") == f"R{low}"
    assert answers(name, "R5", f"R{low} R9 B4", "R", "R") == f"R{low} R9"
    assert answers(name, f"R{low}", "R9 B4", "R", "R") == "R9"
    assert answers(name, "B5", f"R{low} B4", "R", "R") == "B4"


@pytest.mark.parametrize("name", RULE_SETS)
def test_what_the_third_player_must_follow_is_the_card_led_not_the_card_before(
    name: str,
) -> None:
    state = table(name, ["R2", "B3", "R4 B5", "R6"], trump="B", team=(0, 1))
    play(state, "R2", "B3")
    assert legal(state) == ["R4"]


def test_a_refused_card_stays_in_the_hand() -> None:
    state = table("nyet", ["R2 R5", "R3 B3", "G2 G3"], trump="Y", team=(0,), bonus=0)
    play(state, "R2")
    with pytest.raises(IllegalAction):
        act(state, 1, "B3")
    assert state.view(1)["hand"] == ["R3", "B3"]
    assert state.to_act() == (1,)


def test_one_copy_of_a_card_is_played_at_a_time() -> None:
    state = table("njet", ["R7 R7 R7", "R2 R3 R4"], trump="B")
    assert legal(state) == ["R7"]
    play(state, "R7", "R2")
    assert state.view(0)["hand"] == ["R7", "R7"]
    assert state.view(None)["hand_sizes"] == [2, 2]
    assert legal(state) == ["R7"]


# ---- nyet: the supertrump is a double agent -------------------------------------------------


def test_in_nyet_a_supertrump_answers_trump() -> None:
    """000: if trump is led, you must play a trump or supertrump if you can."""
    assert answers("nyet", "Y5", "B1 B9 G3", "Y", "B") == "B1"
    assert answers("nyet", "Y5", "R2 B1 B9 Y2", "Y", "B") == "B1 Y2"


def test_in_nyet_supertrump_led_is_answered_with_trump_or_supertrump() -> None:
    assert answers("nyet", "B1", "R2 B9 Y2", "Y", "B") == "Y2"
    assert answers("nyet", "B1", "R2 B1 B9", "Y", "B") == "B1"
    assert answers("nyet", "B1", "R2 B1 Y2", "Y", "B") == "B1 Y2"


def test_in_nyet_supertrump_led_is_not_answered_with_its_printed_colour() -> None:
    """Who holds neither trump nor supertrump plays anything."""
    assert answers("nyet", "B1", "R2 B9 G3", "Y", "B") == "R2 B9 G3"


def test_in_nyet_a_supertrump_does_not_serve_its_printed_colour() -> None:
    assert answers("nyet", "B5", "B1 G3", "Y", "B") == "B1 G3"
    assert answers("nyet", "B5", "B1 B2 G3", "Y", "B") == "B2"
    assert answers("nyet", "B5", "B1 Y2 G3", "Y", "B") == "B1 Y2 G3"


def test_in_nyet_without_a_supertrump_all_ones_keep_their_colour() -> None:
    assert answers("nyet", "Y5", "B1 G3", "Y", "-") == "B1 G3"
    assert answers("nyet", "B5", "B1 G3", "Y", "-") == "B1"


def test_in_nyet_a_hand_of_supertrumps_and_the_suit_led_is_bound_to_the_suit() -> None:
    assert answers("nyet", "R5", "R2 B1 B1 B1", "Y", "B") == "R2"


# ---- njet and njet-it: the supertrump keeps its colour --------------------------------------


@pytest.mark.parametrize(("name", "low"), [("njet", "0"), ("njet-it", "1")])
def test_a_supertrump_serves_its_printed_colour(name: str, low: str) -> None:
    """003: if trump or super trump is the same color as the first card, it must be played."""
    assert answers(name, "B5", f"R2 K3 B{low}", "K", "B") == f"B{low}"


@pytest.mark.parametrize(("name", "low"), [("njet", "0"), ("njet-it", "1")])
def test_a_supertrump_may_be_kept_back_while_another_card_of_its_colour_is_held(
    name: str, low: str
) -> None:
    """D8."""
    assert answers(name, "B5", f"K3 B{low} B2", "K", "B") == f"B{low} B2"


@pytest.mark.parametrize(("name", "low"), [("njet", "0"), ("njet-it", "1")])
def test_trump_led_a_supertrump_of_another_colour_is_only_for_who_has_no_trump(
    name: str, low: str
) -> None:
    """And it is not forced even then."""
    assert answers(name, "K5", f"R3 K2 B{low}", "K", "B") == "K2"
    assert answers(name, "K5", f"R3 B{low} B2", "K", "B") == f"R3 B{low} B2"


@pytest.mark.parametrize(("name", "low"), [("njet", "0"), ("njet-it", "1")])
def test_supertrump_led_asks_for_its_printed_colour_and_not_for_trump(name: str, low: str) -> None:
    assert answers(name, f"B{low}", "R1 K2 B5", "K", "B") == "B5"
    assert answers(name, f"B{low}", "R1 K2", "K", "B") == "R1 K2"
    assert answers(name, f"B{low}", f"K2 B{low} B5", "K", "B") == f"B{low} B5"


def test_without_trump_supertrump_led_asks_for_its_printed_colour() -> None:
    assert answers("njet", "B0", "R1 B5 Y2", "-", "B") == "B5"
    assert answers("njet", "B0", "R1 Y2", "-", "B") == "R1 Y2"


def test_without_trump_a_supertrump_serves_its_printed_colour() -> None:
    assert answers("njet", "B5", "R1 B0 Y2", "-", "B") == "B0"
    assert answers("njet", "R5", "B0 Y2", "-", "B") == "B0 Y2"


def test_without_trump_and_supertrump_there_are_only_colours() -> None:
    assert answers("njet", "B5", "R0 B0 Y2", "-", "-") == "B0"
    assert answers("njet", "B5", "R0 K0 Y2", "-", "-") == "R0 K0 Y2"


# ---- the worked example (SPEC 11.8) ---------------------------------------------------------


def test_the_blue_one_as_a_supertrump_with_yellow_trump() -> None:
    """Blue led, it is no blue card; yellow led, it has to be played."""
    assert answers("nyet", "B5", "B1 G3", "Y", "B") == "B1 G3"
    assert answers("nyet", "Y5", "B1 G3", "Y", "B") == "B1"
