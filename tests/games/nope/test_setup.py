"""Setting up a match (SPEC 12.2), the first open card (12.6) and options (12.8)."""

from __future__ import annotations

import pytest

from arena.games.chance import draw, shuffle
from arena.games.errors import BadOption, BadSeats
from arena.games.nope import NOPE, NopeState
from arena.games.nope.cards import DECK, DECK_WITHOUT_ACTIONS, named
from tests.games.nope_positions import demand_of, hand_of, legal, play, position

SEED = b"a seed of any length"


def all_cards(state: NopeState) -> bytes:
    return bytes(sorted(b"".join(state.hands) + state.discard + state.draw_pile))


@pytest.mark.parametrize("seats", NOPE.seats)
def test_seven_cards_each_with_two_players_eight(seats: int) -> None:
    state = NOPE.deal(seats, SEED)
    expected = 8 if seats == 2 else 7
    assert state.view(None)["hand_sizes"] == [expected] * seats
    assert all_cards(state) == DECK


def test_the_cards_are_dealt_seat_by_seat_then_one_is_opened_the_rest_is_the_draw_pile() -> None:
    state = NOPE.deal(3, SEED, {"hand": [2, 3, 1]})
    order = bytes(shuffle(DECK, SEED, "deal", 0))
    assert state.hands == [order[:2], order[2:5], order[5:6]]
    assert state.discard == order[6:7]
    assert state.draw_pile == order[7:]


def test_the_draw_pile_is_drawn_from_the_front() -> None:
    state = play(position(["B1", "B1", "B1"], "R1", draw_pile="B2 B3 G1"), "draw draw")
    assert hand_of(state, 0) == "B1 B2"
    assert hand_of(state, 1) == "B1 B3"


def test_the_dealer_is_drawn_by_lot_and_the_next_seat_starts() -> None:
    dealers = set()
    for number in range(40):
        seed = b"%d" % number
        state = NOPE.deal(4, seed)
        dealer = state.view(None)["dealer"]
        assert dealer == draw(4, seed, "dealer", 0)
        assert state.to_act() == ((dealer + 1) % 4,)
        dealers.add(dealer)
    assert dealers == {0, 1, 2, 3}


def test_the_same_seed_gives_the_same_match() -> None:
    assert NOPE.deal(5, b"").view(2) == NOPE.deal(5, b"").view(2)
    assert NOPE.deal(5, b"x" * 1000).view(2) != NOPE.deal(5, b"").view(2)


def test_a_seed_is_bytes() -> None:
    with pytest.raises(TypeError, match="a seed is bytes, got str"):
        NOPE.deal(4, "seed")  # type: ignore[arg-type]


# The first open card.


def test_a_first_open_number_or_joker_is_played_on_as_ever() -> None:
    assert demand_of(position(["B1", "B1"], "GY2")) == "2 GY"
    assert demand_of(position(["B1", "B1"], "J")) == "1 RGBY"


def test_on_a_first_open_reset_the_starting_player_must_lay_any_one_card() -> None:
    """[N10]"""
    assert legal(position(["B1 RG3 S*", "B1"], "X")) == "B1 RG3 S*"


def test_a_first_open_see_through_demands_one_card_of_its_colour() -> None:
    state = position(["B1 RG3", "B1"], "TR")
    assert demand_of(state) == "1 R"
    assert legal(state) == "RG3"


def test_on_a_first_open_see_through_who_lacks_its_colour_draws_as_ever() -> None:
    state = position(["B1", "B1", "B1"], "TR", draw_pile="R3 B1")
    assert legal(state) == "draw"
    assert legal(play(state, "draw")) == "R3"


def test_a_see_through_on_a_first_open_see_through_keeps_its_demand() -> None:
    """The one below demands a card of its own colour, not of the one on top."""
    state = position(["TG B1", "B1"], "TR", demand=(1, "RG"))
    assert demand_of(play(state, "TG")) == "1 RG"


def test_on_a_first_open_select_the_starting_player_chooses_as_if_they_had_laid_it() -> None:
    state = position(["B1", "R1", "R2"], "SR", turn=1)
    assert state.to_act() == (1,)
    assert demand_of(state) == "none"
    assert legal(state) == "to0:1 to0:2 to0:3 to2:1 to2:2 to2:3"
    play(state, "to0:2")
    assert demand_of(state) == "2 R"
    assert state.to_act() == (0,)
    assert state.view(None)["choice"] == {"by": 1, "to": 0}


def test_a_first_open_select_any_asks_for_a_colour_too() -> None:
    state = position(["B1", "R1"], "S*")
    assert legal(state).split()[:5] == ["to1:1R", "to1:1G", "to1:1B", "to1:1Y", "to1:2R"]
    assert len(legal(state).split()) == 12


def test_the_choice_for_a_first_open_select_is_no_turn() -> None:
    """It belongs to the starting player's first turn, which ends when they lay or say Nope."""
    state = play(position(["B1", "R1", "B2"], "SR", options={"max_turns": 1}), "to1:1")
    assert state.view(None)["turns"] == 0
    assert state.view(None)["recent"] == [[], [], []]
    assert play(state, "R1").to_act() == ()


# Options.


def test_the_defaults_are_in_force_where_nothing_is_given() -> None:
    shown = {"actions": True, "hand": 7, "max_turns": 1000}
    assert NOPE.deal(3, SEED).view(None)["options"] == shown
    assert NOPE.deal(2, SEED).view(None)["options"] == {**shown, "hand": 8}
    assert NOPE.deal(2, SEED, {"hand": None}).view(None)["options"] == {**shown, "hand": 8}


def test_the_default_of_every_option_is_one_of_its_values() -> None:
    shown = NOPE.deal(4, SEED).view(None)["options"]
    for option in NOPE.options:
        assert option.kind.read(option.default, 4) == shown[option.name]


def test_without_actions_the_14_action_cards_are_out() -> None:
    state = NOPE.deal(4, SEED, {"actions": False})
    assert all_cards(state) == DECK_WITHOUT_ACTIONS


def test_hand_is_a_number_for_all_or_one_for_each_seat() -> None:
    assert NOPE.deal(3, SEED, {"hand": 5}).view(None)["hand_sizes"] == [5, 5, 5]
    state = NOPE.deal(3, SEED, {"hand": (7, 8, 1)})
    assert state.view(None)["hand_sizes"] == [7, 8, 1]
    assert state.view(None)["options"]["hand"] == [7, 8, 1]


def test_all_but_one_card_may_be_dealt() -> None:
    assert NOPE.deal(2, SEED, {"hand": [102, 1]}).view(None)["draw_pile"] == 0
    assert NOPE.deal(2, SEED, {"hand": [88, 1], "actions": False}).view(None)["draw_pile"] == 0


@pytest.mark.parametrize(
    "hand", [0, -1, 35, [7, 7], [7, 7, 0], [100, 2, 2], [7, 7, 7.0], "7", True, [True, 7, 7], 7.0]
)
def test_a_hand_that_cannot_be_dealt_is_refused(hand: object) -> None:
    with pytest.raises(BadOption, match=r"option 'hand' of nope with 3 seats is .*SPEC 12\.8"):
        NOPE.deal(3, SEED, {"hand": hand})


def test_the_words_for_a_bad_hand_say_what_would_do() -> None:
    with pytest.raises(BadOption) as refused:
        NOPE.deal(3, SEED, {"hand": 0})
    assert str(refused.value) == (
        "option 'hand' of nope with 3 seats is a whole number of cards, at least 1, or a list of "
        "3 of them, one for each seat, in all at most one less than the deck, or nil: 7 each; "
        "got 0 (SPEC 12.8)"
    )


def test_a_hand_that_only_the_whole_deck_could_serve_is_refused_without_actions() -> None:
    with pytest.raises(BadOption) as refused:
        NOPE.deal(2, SEED, {"hand": [89, 1], "actions": False})
    assert str(refused.value) == (
        "option 'hand' of nope with 2 seats deals 90 cards, but without the action cards at most "
        "89 can be dealt, so that one opens the discard pile (SPEC 12.8)"
    )


@pytest.mark.parametrize(
    "options",
    [{"max_turns": 0}, {"max_turns": "9"}, {"max_turns": None}, {"actions": 1}, {"cards": 7}],
)
def test_other_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(BadOption, match=r"SPEC 12\.8"):
        NOPE.deal(3, SEED, options)


@pytest.mark.parametrize("seats", [1, 7, 0, -2, True, "4", 4.0, None])
def test_nope_is_for_two_to_six(seats: int) -> None:
    with pytest.raises(BadSeats, match=r"nope is played by 2 to 6; got .* \(SPEC 12\.2\)"):
        NOPE.deal(seats, SEED)


def test_a_deal_shows_by_name() -> None:
    assert len(named(NOPE.deal(6, SEED).hands[5])) == 7
