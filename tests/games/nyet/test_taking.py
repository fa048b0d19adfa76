"""Who takes a trick, and which cards are loot (SPEC 11.5, 11.6)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.games.trick_positions import RULE_SETS, low_of, play, rules_of, table

LOWS = [(name, low_of(name)) for name in RULE_SETS]
# Rule sets in which five play and three copies of a low card are in play.
LARGE_LOWS = [
    (name, low)
    for name, low in LOWS
    if 5 in rules_of(name).seats and rules_of(name).ranks.count(rules_of(name).low) > 2
]


def other_colour(name: str) -> str:
    """A colour that the positions here have no other use for: neither red nor blue."""
    return next(colour for colour in rules_of(name).colours if colour not in "RB")


def trick(
    name: str,
    cards: str,
    trump: str = "-",
    supertrump: str = "-",
    team: Sequence[int] | None = None,
) -> tuple[int, int]:
    """Who takes this trick, led by seat 0, and how much loot; all else void in all suits."""
    played = cards.split()
    seats = len(played)
    if team is None and seats > 2:
        team = {3: (0,), 4: (0, 2), 5: (0, 1)}[seats]
    bonus = None
    if team is not None and seats != 4:
        smaller = [seat for seat in range(seats) if (seat in team) == (2 * len(team) < seats)]
        bonus = smaller[0]
    state = table(name, played, trump=trump, supertrump=supertrump, team=team, bonus=bonus)
    play(state, *played)
    previous = state.view(None)["previous"]
    winner = previous["last_winner"]
    assert previous["tricks_won"] == [int(seat == winner) for seat in range(seats)]
    loot = previous["loot"][winner]
    assert sum(previous["loot"]) == loot
    return winner, loot


def taker(name: str, cards: str, trump: str, supertrump: str = "-") -> int:
    return trick(name, cards, trump, supertrump)[0]


# ---- the highest card of the suit led -------------------------------------------------------


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_highest_card_of_the_suit_led_takes_the_trick(name: str) -> None:
    assert taker(name, "R4 R7 R9 R2", "B") == 2
    assert taker(name, "R9 R7 R4 R2", "B") == 0
    assert taker(name, "R2 R4 R7 R9", "B") == 3


def test_two_digit_ranks_are_higher_than_one_digit_ranks() -> None:
    assert taker("nyet", "R9 R10 R2 R8", "B") == 1
    assert taker("nyet", "R11 R13 R12 R10", "B") == 1


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_higher_card_of_another_colour_takes_nothing(name: str) -> None:
    other = other_colour(name)
    assert taker(name, f"R2 {other}9 {other}8 {other}3", "B") == 0
    assert taker(name, f"R2 {other}9 R3 {other}8", "B") == 2


def test_among_equal_cards_of_the_suit_led_the_last_takes_the_trick() -> None:
    assert taker("njet", "R7 R2 R7 R5", "B") == 2
    assert taker("njet", "R7 R7 R7 R7", "B") == 3
    assert taker("njet", "R7 R7 R9 R7", "B") == 2
    assert taker("nyet", "R1 R1 R1 G9", "B") == 2
    assert taker("njet", "R0 R0 Y9 R0", "B") == 3
    assert taker("njet-it", "R1 G9 R1 G8", "B") == 2


# ---- trump ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_highest_trump_takes_the_trick(name: str) -> None:
    assert taker(name, "R9 B2 R8 R7", "B") == 1
    assert taker(name, "R9 B2 B5 B3", "B") == 2
    assert taker(name, "B2 B5 B9 B3", "B") == 2


def test_among_equal_trumps_the_last_takes_the_trick() -> None:
    assert taker("njet", "R9 B7 B7 B5", "B") == 2
    assert taker("njet", "R9 B7 B5 B7", "B") == 3
    assert taker("nyet", "R13 B1 G2 B1", "B") == 3
    assert taker("njet-it", "R9 B1 B1 G9", "B") == 2


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_low_card_of_the_trump_colour_is_the_lowest_trump(name: str) -> None:
    """Where it is no supertrump; and it still beats any other colour."""
    low = low_of(name)
    assert taker(name, f"R9 B{low} R8 R7", "B") == 1
    assert taker(name, f"R9 B{low} B2 R7", "B") == 2
    assert taker(name, f"R9 B{low} B2 R7", "B", "R") == 2


# ---- supertrump -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_supertrump_takes_the_trick(name: str) -> None:
    """Against the highest trump, whoever plays it and wherever in the trick."""
    low = low_of(name)
    high = rules_of(name).ranks[-1]
    for cards, winner in (
        (f"R{low} B{high} B8 B7", 0),
        (f"B{high} R{low} B8 B7", 1),
        (f"B{high} B8 R{low} B7", 2),
        (f"B8 B7 B{high} R{low}", 3),
    ):
        assert taker(name, cards, "B", "R") == winner


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_supertrump_played_last_takes_the_trick(name: str) -> None:
    low = low_of(name)
    assert taker(name, f"B9 R{low} R{low} B8", "B", "R") == 2
    assert taker(name, f"R{low} B9 B8 R{low}", "B", "R") == 3


@pytest.mark.parametrize(("name", "low"), LARGE_LOWS)
def test_the_last_of_three_supertrumps_takes_the_trick(name: str, low: str) -> None:
    super_ = f"R{low}"
    assert taker(name, f"{super_} {super_} {super_} B9", "B", "R") == 2
    assert taker(name, f"{super_} {super_} B9 {super_}", "B", "R") == 3
    assert taker(name, f"B9 {super_} {super_} B8 {super_}", "B", "R") == 4


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_supertrump_of_the_trump_colour_is_above_all_trumps(name: str) -> None:
    low = low_of(name)
    assert taker(name, f"B9 B{low} B8 B7", "B", "B") == 1
    assert taker(name, f"R9 B{low} B8 R7", "B", "B") == 1
    assert taker(name, f"B{low} B9 B{low} B8", "B", "B") == 2


@pytest.mark.parametrize("name", RULE_SETS)
def test_only_the_low_cards_of_the_chosen_colour_are_supertrumps(name: str) -> None:
    low = low_of(name)
    assert taker(name, f"R9 R{low} R8 R7", "B", "B") == 0
    assert taker(name, f"R5 R{low} R9 R7", "B", "B") == 2
    # Other cards of the supertrump's colour are plain cards.
    assert taker(name, "B5 R9 R8 R7", "B", "R") == 0


@pytest.mark.parametrize("name", RULE_SETS)
def test_without_supertrump_low_cards_are_ordinary(name: str) -> None:
    low = low_of(name)
    assert taker(name, f"R2 R{low} R3 R{low}", "B", "-") == 2
    assert taker(name, f"B2 B{low} R3 B{low}", "B", "-") == 0


def test_in_njet_the_zero_is_lower_than_the_one() -> None:
    assert taker("njet", "R0 R1 R0 R0", "B") == 1


# ---- njet without trump ---------------------------------------------------------------------


def test_without_trump_only_the_suit_led_takes() -> None:
    assert taker("njet", "R2 K9 B9 Y9", "-") == 0
    assert taker("njet", "R2 R3 B9 Y9", "-") == 1


def test_without_trump_a_supertrump_still_takes() -> None:
    assert taker("njet", "R9 K9 B0 Y9", "-", "B") == 2
    assert taker("njet", "R9 B0 B0 B9", "-", "B") == 2
    assert taker("njet", "B9 B8 B0 B7", "-", "B") == 2


def test_without_trump_the_supertrump_colour_is_plain_but_for_its_zeros() -> None:
    assert taker("njet", "R2 B9 B8 B7", "-", "B") == 0


# ---- loot -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "low"), LOWS)
def test_a_low_card_of_an_opponent_is_loot_and_a_teammates_is_not(name: str, low: str) -> None:
    assert trick(name, f"R9 R{low} R3 R4", "B", team=(0, 2)) == (0, 1)
    assert trick(name, f"R9 R3 R{low} R4", "B", team=(0, 2)) == (0, 0)
    assert trick(name, f"R9 R3 R4 R{low}", "B", team=(0, 2)) == (0, 1)
    assert trick(name, f"R9 R{low} R3 R4", "B", team=(0, 1)) == (0, 0)


@pytest.mark.parametrize(("name", "low"), LOWS)
def test_whose_opponent_it_is_depends_on_who_takes_the_trick(name: str, low: str) -> None:
    """Also when that is not the first player's team."""
    assert trick(name, f"R{low} R9 R3 R4", "B", team=(0, 2)) == (1, 1)
    assert trick(name, f"R2 R9 R3 R{low}", "B", team=(0, 2)) == (1, 0)
    assert trick(name, f"R{low} R9 R{low} R4", "B", team=(0, 2)) == (1, 2)
    assert trick(name, f"R{low} R9 R{low} R4", "B", team=(0, 3)) == (1, 1)


@pytest.mark.parametrize(("name", "low"), LOWS)
def test_a_supertrump_can_be_loot(name: str, low: str) -> None:
    """Beaten by a later one; then the earlier is the opponents'."""
    assert trick(name, f"B9 R{low} R{low} B8", "B", "R", team=(0, 2)) == (2, 1)
    assert trick(name, f"R{low} B9 R{low} B8", "B", "R", team=(0, 2)) == (2, 0)


@pytest.mark.parametrize(("name", "low"), LOWS)
def test_the_low_card_that_takes_the_trick_is_not_loot(name: str, low: str) -> None:
    assert trick(name, f"B9 R{low} B7 B8", "B", "R", team=(0, 2)) == (1, 0)
    assert trick(name, f"R9 B{low} R7 R8", "B", "-", team=(0, 2)) == (1, 0)


@pytest.mark.parametrize(("name", "low"), LOWS)
def test_low_cards_of_all_colours_are_loot(name: str, low: str) -> None:
    assert trick(name, f"R9 R{low} R2 B{low}", "B", "B", team=(0, 1)) == (3, 1)
    other = other_colour(name)
    assert trick(name, f"R9 {other}{low} R2 R{low}", "B", "-", team=(0, 2)) == (0, 2)


@pytest.mark.parametrize(("name", "low"), LARGE_LOWS)
def test_up_to_three_pieces_of_loot_lie_in_a_trick(name: str, low: str) -> None:
    """000 and 003: by one of two against three."""
    third, fourth = (colour for colour in rules_of(name).colours if colour not in "RB")
    assert trick(name, f"R9 R2 R{low} R{low} R{low}", "B", team=(0, 1)) == (0, 3)
    assert trick(name, f"R9 R{low} R{low} B{low} {third}{low}", fourth) == (0, 3)
    assert trick(name, f"R{low} R{low} B9 R{low} B2", "B", team=(0, 1)) == (2, 2)


@pytest.mark.parametrize(("name", "low"), LARGE_LOWS)
def test_between_two_every_low_card_of_the_other_is_loot(name: str, low: str) -> None:
    assert trick(name, f"R9 R{low}", "B") == (0, 1)
    assert trick(name, f"R{low} R9", "B") == (1, 1)
    assert trick(name, f"R{low} R{low}", "B") == (1, 1)
    assert trick(name, f"B9 R{low}", "B", "R") == (1, 0)


@pytest.mark.parametrize(("name", "low"), LARGE_LOWS)
def test_of_three_the_lone_player_loots_both_and_they_only_him(name: str, low: str) -> None:
    assert trick(name, f"R9 R{low} B{low}", other_colour(name)) == (0, 2)
    assert trick(name, f"R{low} R9 B{low}", other_colour(name)) == (1, 1)


@pytest.mark.parametrize(("name", "low"), LARGE_LOWS)
def test_loot_and_tricks_are_the_takers_own(name: str, low: str) -> None:
    """They are counted by seat, though the team scores their sum."""
    hands = [f"R9 B{low}", "R2 B9", f"R{low} B2", "R3 B3"]
    state = table(name, hands, trump=other_colour(name), team=(0, 1))
    play(state, "R9", "R2", f"R{low}", "R3")
    assert state.view(None)["tricks_won"] == [1, 0, 0, 0]
    assert state.view(None)["loot"] == [1, 0, 0, 0]
    play(state, f"B{low}", "B9", "B2", "B3")
    assert state.view(None)["previous"]["tricks_won"] == [1, 1, 0, 0]
    assert state.view(None)["previous"]["loot"] == [1, 0, 0, 0]


# ---- the worked examples (SPEC 11.8) --------------------------------------------------------


def test_the_trick_of_000() -> None:
    """Green 9, green 1 of a teammate, green 4 and yellow 1 of the other two, yellow 7."""
    cards = "G9 G1 G4 Y1 Y7"
    assert trick("nyet", cards, "Y", "-", team=(0, 1, 4)) == (4, 1)


def test_the_trick_of_000_with_yellow_supertrumps() -> None:
    """Now the yellow 1 takes it, and its loot is the green 1."""
    cards = "G9 G1 G4 Y1 Y7"
    assert trick("nyet", cards, "Y", "Y", team=(0, 1, 4)) == (3, 1)


def test_the_trick_of_003() -> None:
    """Yellow 9, yellow 0 of a partner, yellow 4 and black 0 of the other two, black 7.

    003 prints green for yellow (D1).
    """
    cards = "Y9 Y0 Y4 K0 K7"
    assert trick("njet", cards, "K", "-", team=(0, 1, 4)) == (4, 1)
