"""What sets the three rule sets apart: decks, boxes, numbers (SPEC 11.1)."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.games.errors import BadSeats
from arena.games.nyet.state import TrickState
from tests.games.trick_positions import RULE_SETS, act, legal, rules_of, settle, table, trick_game

TABLES = [(name, seats) for name in RULE_SETS for seats in rules_of(name).seats]


def dealt(name: str, seats: int, seed: bytes = b"decks") -> TrickState:
    return trick_game(name).deal(seats, seed)


def cards_dealt(name: str, seats: int) -> Counter[str]:
    state = dealt(name, seats)
    return Counter(card for seat in range(seats) for card in state.view(seat)["hand"])


def deck(colours: str, ranks: str) -> Counter[str]:
    return Counter(colour + rank for colour in colours for rank in ranks.split())


NYET = deck("RBYG", "1 1 1 2 3 4 5 6 7 8 9 10 11 12 13")
NJET = deck("RKBY", "0 0 0 1 2 3 4 5 6 7 7 7 7 8 9")
NJET_IT = deck("RKBG", "1 1 2 3 4 5 6 7 8 9")


def test_nyet_has_sixty_cards_with_three_ones_in_each_colour() -> None:
    assert NYET.total() == 60
    assert cards_dealt("nyet", 4) == NYET
    assert cards_dealt("nyet", 5) == NYET


def test_njet_has_sixty_cards_with_three_zeros_and_four_sevens_in_each_colour() -> None:
    """SPEC 11.1, D1: the colours are red, black, blue and yellow."""
    assert NJET.total() == 60
    assert cards_dealt("njet", 4) == NJET
    assert cards_dealt("njet", 5) == NJET


def test_njet_it_has_forty_cards_with_two_ones_in_each_colour() -> None:
    """SPEC 11.1, D2: the colours are red, black, blue and green."""
    assert NJET_IT.total() == 40
    assert cards_dealt("njet-it", 4) == NJET_IT


def test_three_players_of_nyet_play_without_the_elevens_twelves_and_thirteens() -> None:
    rest = deck("RBYG", "1 1 1 2 3 4 5 6 7 8 9 10")
    assert rest.total() == 48
    assert cards_dealt("nyet", 3) == rest


def test_three_players_of_njet_play_with_one_seven_of_each_colour() -> None:
    rest = deck("RKBY", "0 0 0 1 2 3 4 5 6 7 8 9")
    assert rest.total() == 48
    assert cards_dealt("njet", 3) == rest


@pytest.mark.parametrize(("name", "whole"), [("nyet", NYET), ("njet", NJET)])
def test_two_players_are_dealt_half_of_the_whole_deck(name: str, whole: Counter[str]) -> None:
    cards = cards_dealt(name, 2)
    assert cards.total() == 30
    assert cards <= whole


@pytest.mark.parametrize(("name", "whole"), [("nyet", NYET), ("njet", NJET)])
def test_two_players_play_with_every_card_of_the_deck(name: str, whole: Counter[str]) -> None:
    """No card is taken out; which thirty lie aside is chance."""
    seen: Counter[str] = Counter()
    for number in range(200):
        state = dealt(name, 2, b"whole %d" % number)
        seen |= Counter(card for seat in range(2) for card in state.view(seat)["hand"])
    assert seen == whole


@pytest.mark.parametrize(
    ("name", "seats", "cards"),
    [
        *[(name, 2, 15) for name in ("nyet", "njet")],
        *[(name, 3, 16) for name in ("nyet", "njet")],
        *[(name, 4, 15) for name in ("nyet", "njet")],
        *[(name, 5, 12) for name in ("nyet", "njet")],
        ("njet-it", 4, 10),
    ],
)
def test_everyone_is_dealt_the_tables_number_of_cards(name: str, seats: int, cards: int) -> None:
    state = dealt(name, seats)
    assert state.view(None)["hand_sizes"] == [cards] * seats
    assert [len(state.view(seat)["hand"]) for seat in range(seats)] == [cards] * seats


BOXES = {
    "nyet": """discard:1 discard:2 discard:1x discard:left1 discard:0
        trump:R trump:B trump:Y trump:G
        supertrump:R supertrump:B supertrump:Y supertrump:G supertrump:-
        points:1 points:2 points:3 points:4 points:-2""",
    "njet": """discard:1 discard:2 discard:2x discard:right2 discard:0
        trump:R trump:K trump:B trump:Y trump:-
        supertrump:R supertrump:K supertrump:B supertrump:Y supertrump:-
        points:1 points:2 points:3 points:4 points:-2""",
    "njet-it": """discard:0 discard:1 discard:2
        trump:R trump:K trump:B trump:G
        supertrump:R supertrump:K supertrump:B supertrump:G supertrump:-
        points:1 points:2 points:3 points:4""",
}


@pytest.mark.parametrize(
    ("name", "seats"), [(name, seats) for name in BOXES for seats in rules_of(name).seats]
)
def test_the_board_has_a_box_for_each_player_and_those_of_the_rule_set(
    name: str, seats: int
) -> None:
    """SPEC 11.1, D3 (row 2 of nyet), D4 (row 5 of njet)."""
    boxes = [f"first:{seat}" for seat in range(seats)] + BOXES[name].split()
    state = dealt(name, seats)
    assert state.view(None)["open"] == boxes
    assert legal(state) == boxes


@pytest.mark.parametrize(
    ("name", "seats", "tokens"),
    [
        *[("nyet", 2, 16), ("nyet", 3, 17), ("nyet", 4, 18), ("nyet", 5, 19)],
        *[("njet", 2, 17), ("njet", 3, 18), ("njet", 4, 19), ("njet", 5, 20)],
        ("njet-it", 4, 15),
    ],
)
def test_a_round_takes_as_many_tokens_as_there_are_boxes_to_close(
    name: str, seats: int, tokens: int
) -> None:
    """Each row keeps one box open; 003 and 002 count 20 and 15 tokens (SPEC 11.3)."""
    state = dealt(name, seats)
    settle(state)
    assert len(state.view(None)["tokens"]) == tokens


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_first_token_is_the_dealers_and_in_njet_it_his_left_neighbours(
    name: str, seats: int
) -> None:
    for dealer in range(seats):
        state = trick_game(name).deal(seats, b"first token", {"dealer": dealer})
        first = (dealer + 1) % seats if name == "njet-it" else dealer
        assert state.to_act() == (first,)
        assert state.view(None)["first_token"] == first


def captured(name: str, cards: str) -> int:
    """The loot of seat 0, who leads the first card; seats 2 and 3 are the other team."""
    state = table(name, cards.split(), team=(0, 1))
    act(state, 0, cards.split()[0])
    for seat in (1, 2, 3):
        act(state, seat, cards.split()[seat])
    view = state.view(0)
    assert view["previous"]["last_winner"] == 0
    loot = view["previous"]["loot"]
    assert loot[1:] == [0, 0, 0]
    return int(loot[0])


def test_the_low_rank_is_the_one_in_nyet_and_njet_it_and_the_zero_in_njet() -> None:
    assert captured("nyet", "R9 R2 R1 R3") == 1
    assert captured("njet-it", "R9 R2 R1 R3") == 1
    assert captured("njet", "R9 R2 R1 R3") == 0
    assert captured("njet", "R9 R2 R0 R3") == 1


@pytest.mark.parametrize(
    ("name", "seats", "rounds"),
    [
        *[(name, 2, 8) for name in ("nyet", "njet")],
        *[(name, 3, 9) for name in ("nyet", "njet")],
        *[(name, 4, 8) for name in ("nyet", "njet", "njet-it")],
        *[(name, 5, 10) for name in ("nyet", "njet")],
    ],
)
def test_a_match_has_the_tables_number_of_rounds(name: str, seats: int, rounds: int) -> None:
    """Every player deals equally often, as 000 promises."""
    assert dealt(name, seats).view(None)["rounds"] == rounds
    assert rounds % seats == 0


@pytest.mark.parametrize("name", ["nyet", "njet", "njet-it"])
def test_njet_it_is_for_four_and_the_others_for_two_to_five(name: str) -> None:
    game = trick_game(name)
    assert game.seats == ((4,) if name == "njet-it" else (2, 3, 4, 5))
    for seats in {0, 1, 2, 3, 4, 5, 6, 60} - set(game.seats):
        with pytest.raises(BadSeats):
            game.deal(seats, b"seed")


def test_a_wrong_table_size_is_told_the_right_ones() -> None:
    with pytest.raises(BadSeats) as error:
        trick_game("njet-it").deal(5, b"seed")
    assert str(error.value) == "njet-it is played by 4; got 5 (SPEC 11.1)"
    with pytest.raises(BadSeats) as error:
        trick_game("nyet").deal(6, b"seed")
    assert str(error.value) == "nyet is played by 2, 3, 4, 5; got 6 (SPEC 11.1)"


def test_each_card_has_a_name_of_its_colour_and_rank() -> None:
    """K is black; cards come first among the actions, colour by colour."""
    for name, whole in (("nyet", NYET), ("njet", NJET), ("njet-it", NJET_IT)):
        names = trick_game(name).actions.names
        assert list(names[: len(whole)]) == list(whole)
