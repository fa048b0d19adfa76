"""What may be played to a trick (SPEC 11.4)."""

from __future__ import annotations

import pytest

from arena.games.errors import IllegalAction
from tests.games.trick_positions import RULE_SETS, act, legal, low_of, play, rules_of, table

DOUBLE_AGENTS = [name for name in RULE_SETS if rules_of(name).supertrump_joins_trump]
# With a colour to be trump: neither red nor blue, for which the positions have other uses.
KEPT_COLOURS = [
    (name, low_of(name), next(colour for colour in rules_of(name).colours if colour not in "RB"))
    for name in RULE_SETS
    if not rules_of(name).supertrump_joins_trump
]


def answers(name: str, led: str, hand: str, trump: str, supertrump: str) -> str:
    """What seat 1 may play from this hand to this card, the only one of seat 0.

    It may be led whatever a rule set says of leading.
    """
    state = table(name, [led, hand, "R2", "R3"], trump=trump, supertrump=supertrump, team=(0, 2))
    play(state, led)
    return " ".join(legal(state))


def answers_as_in_nyet(name: str, *told: str) -> str:
    """The same, told in the cards of nyet: in the colours and with the low rank of the rule set."""
    rules = rules_of(name)
    theirs = "".join(colour for colour in rules.colours if colour not in "RB") + low_of(name)
    there, back = str.maketrans("YG1", theirs), str.maketrans(theirs, "YG1")
    led, hand, trump, supertrump = (text.translate(there) for text in told)
    return answers(name, led, hand, trump, supertrump).translate(back)


# ---- leading --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULE_SETS)
def test_any_card_may_be_led(name: str) -> None:
    """Trump and supertrump included, in the first trick too."""
    colours = rules_of(name).colours[:3]
    hand = " ".join(f"{colour}{low_of(name)} {colour}5" for colour in colours)
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


def test_a_rule_of_all_tables_is_tried_at_a_table_that_the_rule_set_does_not_have() -> None:
    """So that tests of shared rules lay four hands, whoever plays the rule set."""
    assert rules_of("njet-it").seats == (4,)
    state = table("njet-it", ["R2 G9", "R9 G2"], trump="B")
    play(state, "R2", "R9")
    assert state.view(None)["leaders"] == [0, 1]
    assert legal(state) == ["G2"]


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


@pytest.mark.parametrize("name", RULE_SETS)
def test_who_does_not_hold_the_suit_led_may_play_anything(name: str) -> None:
    """Trump and supertrump included, and nobody is forced to trump."""
    supertrump, *others = (colour for colour in rules_of(name).colours if colour != "R")
    hand = f"{supertrump}{low_of(name)} {supertrump}3"
    hand += "".join(f" {colour}4" for colour in others)
    assert answers(name, "R5", hand, "B", supertrump) == hand
    assert answers(name, "R5", hand, "B", "-") == hand


@pytest.mark.parametrize("name", RULE_SETS)
def test_trump_led_is_answered_with_trump(name: str) -> None:
    assert answers(name, "R5", "R2 R3 B4 B9", "R", "-") == "R2 R3"


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_low_card_that_is_no_supertrump_serves_its_colour(name: str) -> None:
    """Row 4 `none`, or another colour there."""
    low = low_of(name)
    assert answers(name, "R5", f"R{low} B4 B9", "B", "-") == f"R{low}"
    assert answers(name, "R5", f"R{low} B4 B9", "B", "B") == f"R{low}"
    assert answers(name, f"R{low}", "R5 B4", "B", "-") == "R5"


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_supertrump_of_the_trump_colour_is_a_trump_to_follow_with(name: str) -> None:
    """Supertrump equal to trump: its suit is trump by either reading."""
    low = low_of(name)
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


# ---- the supertrump as a double agent, as in nyet -------------------------------------------


@pytest.mark.parametrize("name", DOUBLE_AGENTS)
def test_a_double_agent_answers_trump(name: str) -> None:
    """000: if trump is led, you must play a trump or supertrump if you can."""
    assert answers_as_in_nyet(name, "Y5", "B1 B9 G3", "Y", "B") == "B1"
    assert answers_as_in_nyet(name, "Y5", "R2 B1 B9 Y2", "Y", "B") == "B1 Y2"


@pytest.mark.parametrize("name", DOUBLE_AGENTS)
def test_a_double_agent_led_is_answered_with_trump_or_supertrump(name: str) -> None:
    assert answers_as_in_nyet(name, "B1", "R2 B9 Y2", "Y", "B") == "Y2"
    assert answers_as_in_nyet(name, "B1", "R2 B1 B9", "Y", "B") == "B1"
    assert answers_as_in_nyet(name, "B1", "R2 B1 Y2", "Y", "B") == "B1 Y2"


@pytest.mark.parametrize("name", DOUBLE_AGENTS)
def test_a_double_agent_led_is_not_answered_with_its_printed_colour(name: str) -> None:
    """Who holds neither trump nor supertrump plays anything."""
    assert answers_as_in_nyet(name, "B1", "R2 B9 G3", "Y", "B") == "R2 B9 G3"


@pytest.mark.parametrize("name", DOUBLE_AGENTS)
def test_a_double_agent_does_not_serve_its_printed_colour(name: str) -> None:
    assert answers_as_in_nyet(name, "B5", "B1 G3", "Y", "B") == "B1 G3"
    assert answers_as_in_nyet(name, "B5", "B1 B2 G3", "Y", "B") == "B2"
    assert answers_as_in_nyet(name, "B5", "B1 Y2 G3", "Y", "B") == "B1 Y2 G3"


@pytest.mark.parametrize("name", DOUBLE_AGENTS)
def test_without_a_supertrump_all_low_cards_keep_their_colour(name: str) -> None:
    assert answers_as_in_nyet(name, "Y5", "B1 G3", "Y", "-") == "B1 G3"
    assert answers_as_in_nyet(name, "B5", "B1 G3", "Y", "-") == "B1"


@pytest.mark.parametrize("name", DOUBLE_AGENTS)
def test_a_hand_of_double_agents_and_the_suit_led_is_bound_to_the_suit(name: str) -> None:
    assert answers_as_in_nyet(name, "R5", "R2 B1 B1 B1", "Y", "B") == "R2"


# ---- the supertrump keeps its colour, as in njet and njet-it --------------------------------


@pytest.mark.parametrize(("name", "low", "trump"), KEPT_COLOURS)
def test_a_supertrump_serves_its_printed_colour(name: str, low: str, trump: str) -> None:
    """003: if trump or super trump is the same color as the first card, it must be played."""
    assert answers(name, "B5", f"R2 {trump}3 B{low}", trump, "B") == f"B{low}"


@pytest.mark.parametrize(("name", "low", "trump"), KEPT_COLOURS)
def test_a_supertrump_may_be_kept_back_while_another_card_of_its_colour_is_held(
    name: str, low: str, trump: str
) -> None:
    """D8."""
    assert answers(name, "B5", f"{trump}3 B{low} B2", trump, "B") == f"B{low} B2"


@pytest.mark.parametrize(("name", "low", "trump"), KEPT_COLOURS)
def test_trump_led_a_supertrump_of_another_colour_is_only_for_who_has_no_trump(
    name: str, low: str, trump: str
) -> None:
    """And it is not forced even then."""
    assert answers(name, f"{trump}5", f"R3 {trump}2 B{low}", trump, "B") == f"{trump}2"
    assert answers(name, f"{trump}5", f"R3 B{low} B2", trump, "B") == f"R3 B{low} B2"


@pytest.mark.parametrize(("name", "low", "trump"), KEPT_COLOURS)
def test_supertrump_led_asks_for_its_printed_colour_and_not_for_trump(
    name: str, low: str, trump: str
) -> None:
    assert answers(name, f"B{low}", f"R1 {trump}2 B5", trump, "B") == "B5"
    assert answers(name, f"B{low}", f"R1 {trump}2", trump, "B") == f"R1 {trump}2"
    assert answers(name, f"B{low}", f"{trump}2 B{low} B5", trump, "B") == f"B{low} B5"


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
