"""The oracle itself: worked examples, decks, and one position for each decision of SPEC 11, 12."""

from __future__ import annotations

import hashlib
import random
from collections import Counter

import pytest

from tests.oracle import NopeMatch, TrickMatch, deal, nope, trick
from tests.oracle.chance import below, dealer_by_lot, shuffled, stream
from tests.oracle.nope import Demand, Laid
from tests.oracle.trick import NJET, NJET_IT, NYET, who_takes

SEED = b"oracle"


# ---- chance ---------------------------------------------------------------------------------


def test_the_stream_is_hashed_block_by_block() -> None:
    bytes_ = stream(b"seed", "deal", 3)
    first = hashlib.sha256(b"deal\0\0\0\0\3\0\0\0\0seed").digest()
    second = hashlib.sha256(b"deal\0\0\0\0\3\0\0\0\1seed").digest()
    assert bytes([next(bytes_) for _ in range(64)]) == first + second


def test_bytes_beyond_the_largest_multiple_are_dropped() -> None:
    assert below(iter([255, 7]), 5) == 2
    assert below(iter([254]), 5) == 4
    assert below(iter([255]), 256) == 255


def test_a_lot_among_one_takes_no_byte() -> None:
    assert below(iter([]), 1) == 0


def test_spec_13_1_is_met() -> None:
    seed = bytes(range(32))
    lots = stream(seed, "penalty", 2)
    sizes = [1, 256, 2, 200, 200, 200, 129, 129, 129, 129, 5]
    assert [below(lots, n) for n in sizes] == [0, 133, 0, 54, 81, 47, 116, 81, 5, 27, 1]
    assert dealer_by_lot(seed, 4) == 1
    assert shuffled(seed, "deal", 0, list(range(10))) == [9, 8, 5, 7, 4, 2, 0, 3, 6, 1]


def test_a_shuffle_keeps_every_card() -> None:
    cards = trick.deck(NYET, 5)
    assert Counter(shuffled(SEED, "deal", 0, cards)) == Counter(cards)
    assert shuffled(SEED, "deal", 0, cards) != shuffled(SEED, "deal", 1, cards)


# ---- trick games: positions -----------------------------------------------------------------


def tricks_position(
    name: str,
    hands: list[list[str]],
    *,
    first: int = 0,
    teams: list[int] | None = None,
    trump: str = "R",
    supertrump: str = "-",
    points: str = "1",
    **options: object,
) -> TrickMatch:
    """A match of one round, board settled and discards made, these cards still held."""
    match = deal(name, len(hands), SEED, {"rounds": 1, **options})
    assert isinstance(match, TrickMatch)
    match.open_boxes = {
        "first": [f"first:{first}"],
        "discard": ["discard:0"],
        "trump": [f"trump:{trump}"],
        "supertrump": [f"supertrump:{supertrump}"],
        "points": [f"points:{points}"],
    }
    match.hands = [list(hand) for hand in hands]
    match.team_of = teams or [0] + [1] * (len(hands) - 1)
    match.phase = "tricks"
    match.turn = first
    return match


def discard_position(name: str, word: str, hands: list[list[str]]) -> TrickMatch:
    match = tricks_position(name, hands)
    match.open_boxes["discard"] = [f"discard:{word}"]
    match.phase = "discard"
    return match


def play(match: TrickMatch | NopeMatch, *moves: tuple[int, str]) -> None:
    for seat, action in moves:
        match.apply(seat, action)


def words(text: str) -> list[str]:
    return text.split()


def every_card(match: TrickMatch) -> list[str]:
    """Wherever they are now."""
    cards = list(match.aside)
    for seat in range(match.seats):
        cards += match.hand(seat) + match.discarded(seat)
    for played in [*match.finished_tricks, match.trick]:
        cards += [card for _, card in played]
    return cards


def random_match(match: TrickMatch | NopeMatch, rng: random.Random) -> None:
    while match.to_act():
        seat = rng.choice(match.to_act())
        match.apply(seat, rng.choice(match.legal(seat)))


def scores_by_round(match: TrickMatch) -> list[list[int]]:
    return [finished.scores for finished in match.finished_rounds]


TABLES = [(name, seats) for name in ("nyet", "njet") for seats in (2, 3, 4, 5)] + [("njet-it", 4)]


# ---- trick games: decks, tokens, teams ------------------------------------------------------


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_deck_is_dealt_out_evenly(name: str, seats: int) -> None:
    match = deal(name, seats, SEED)
    assert isinstance(match, TrickMatch)
    sizes = {2: 15, 3: 16, 4: 15, 5: 12}
    each = 10 if name == "njet-it" else sizes[seats]
    assert [len(match.hand(seat)) for seat in range(seats)] == [each] * seats
    assert len(match.aside) == (30 if seats == 2 else 0)


def test_decks_are_counted() -> None:
    assert Counter(trick.deck(NYET, 5)) == Counter(
        {f"{c}{r}": 3 if r == 1 else 1 for c in "RBYG" for r in range(1, 14)}
    )
    assert Counter(trick.deck(NJET, 4)) == Counter(
        {f"{c}{r}": {0: 3, 7: 4}.get(r, 1) for c in "RKBY" for r in range(10)}
    )
    assert Counter(trick.deck(NJET_IT, 4)) == Counter(
        {f"{c}{r}": 2 if r == 1 else 1 for c in "RKBG" for r in range(1, 10)}
    )
    assert Counter(trick.deck(NYET, 5)) - Counter(trick.deck(NYET, 3)) == Counter(
        {f"{c}{r}": 1 for c in "RBYG" for r in (11, 12, 13)}
    )
    assert Counter(trick.deck(NJET, 5)) - Counter(trick.deck(NJET, 3)) == Counter(
        {f"{c}7": 3 for c in "RKBY"}
    )
    assert trick.deck(NJET, 4)[:5] == ["R0", "R0", "R0", "R1", "R2"]


@pytest.mark.parametrize(
    ("name", "seats", "tokens"),
    [("nyet", 2, 16), ("nyet", 5, 19), ("njet", 2, 17), ("njet", 5, 20), ("njet-it", 4, 15)],
)
def test_the_tokens_are_counted(name: str, seats: int, tokens: int) -> None:
    """[D3] [D4] [D9] fix the boxes; a token covers all but one in each row."""
    match = deal(name, seats, SEED)
    assert isinstance(match, TrickMatch)
    while match.phase == "tokens":
        seat = match.to_act()[0]
        match.apply(seat, match.legal(seat)[-1])
    assert len(match.tokens) == tokens
    assert set(match.settled()) == {"first", "discard", "trump", "supertrump", "points"}


def test_boxes_are_named_row_by_row() -> None:
    nyet = deal("nyet", 2, SEED, {"dealer": 0}).legal(0)
    assert nyet == words(
        "first:0 first:1 discard:1 discard:2 discard:1x discard:left1 discard:0"
        " trump:R trump:B trump:Y trump:G"
        " supertrump:R supertrump:B supertrump:Y supertrump:G supertrump:-"
        " points:1 points:2 points:3 points:4 points:-2"
    )
    njet = deal("njet", 2, SEED, {"dealer": 0}).legal(0)
    assert njet == words(
        "first:0 first:1 discard:1 discard:2 discard:2x discard:right2 discard:0"
        " trump:R trump:K trump:B trump:Y trump:-"
        " supertrump:R supertrump:K supertrump:B supertrump:Y supertrump:-"
        " points:1 points:2 points:3 points:4 points:-2"
    )
    njet_it = deal("njet-it", 4, SEED, {"dealer": 0}).legal(1)
    assert njet_it == words(
        "first:0 first:1 first:2 first:3 discard:0 discard:1 discard:2"
        " trump:R trump:K trump:B trump:G"
        " supertrump:R supertrump:K supertrump:B supertrump:G supertrump:-"
        " points:1 points:2 points:3 points:4"
    )


def test_the_dealer_places_first_and_in_njet_it_the_seat_after() -> None:
    assert deal("nyet", 4, SEED, {"dealer": 3}).to_act() == [3]
    assert deal("njet", 4, SEED, {"dealer": 3}).to_act() == [3]
    assert deal("njet-it", 4, SEED, {"dealer": 3}).to_act() == [0]


def test_a_row_with_one_open_box_takes_no_token() -> None:
    match = deal("nyet", 2, SEED, {"dealer": 0})
    play(match, (0, "first:1"), (1, "trump:R"))
    assert "first:0" not in match.legal(0)
    with pytest.raises(ValueError, match="first:0 is not legal"):
        match.apply(0, "first:0")


def test_teams_are_named_in_order() -> None:
    assert trick.team_choices(NYET, 2, 0) == []
    assert trick.team_choices(NYET, 3, 1) == ["team:1", "team:01", "team:12"]
    assert trick.team_choices(NYET, 4, 2) == ["team:02", "team:12", "team:23"]
    assert trick.team_choices(NYET, 5, 0) == words(
        "team:01*0 team:01*1 team:02*0 team:02*2 team:03*0 team:03*3 team:04*0 team:04*4"
        " team:012*3 team:012*4 team:013*2 team:013*4 team:014*2 team:014*3"
        " team:023*1 team:023*4 team:024*1 team:024*3 team:034*1 team:034*2"
    )


def test_the_lone_player_of_three_holds_the_bonus() -> None:
    for choice, bonus in (("team:1", 1), ("team:01", 2), ("team:12", 0)):
        match = tricks_position("nyet", [["R2"], ["R3"], ["R4"]], first=1)
        match.begin_teams()
        match.apply(1, choice)
        assert match.bonus == bonus
        assert match.to_act() == [1]


def test_four_players_and_the_italian_game_have_no_bonus() -> None:
    for name in ("nyet", "njet", "njet-it"):
        match = tricks_position(name, [["R2"], ["R3"], ["R4"], ["R5"]])
        match.begin_teams()
        match.apply(0, "team:02")
        assert match.bonus is None
        assert match.teams() == [[0, 2], [1, 3]]


# ---- trick games: discards ------------------------------------------------------------------


def test_discards_take_effect_together_and_leave_the_round() -> None:
    match = discard_position("nyet", "1", [["R2", "R3"], ["B2", "B3"]])
    match.apply(1, "B3")
    assert match.to_act() == [0]
    assert match.hand(1) == ["B2", "B3"]
    match.apply(0, "R2")
    assert (match.hand(0), match.hand(1)) == (["R3"], ["B2"])
    assert match.phase == "tricks"


def test_cards_passed_left_go_to_the_next_seat() -> None:
    hands = [["R2", "R3"], ["B2", "B3"], ["G2", "G3"]]
    match = discard_position("nyet", "left1", hands)
    play(match, (2, "G2"), (0, "R2"), (1, "B2"))
    assert match.received == [["G2"], ["R2"], ["B2"]]
    assert [match.hand(s) for s in range(3)] == [["R3", "G2"], ["R2", "B3"], ["B2", "G3"]]


def test_cards_passed_right_go_to_the_seat_before() -> None:
    hands = [["R2", "R3", "R4"], ["B2", "B3", "B4"], ["K2", "K3", "K4"]]
    match = discard_position("njet", "right2", hands)
    play(match, (0, "R2"), (2, "K2"), (0, "R3"), (1, "B4"), (2, "K3"))
    assert match.to_act() == [1]
    assert match.legal(1) == ["B2", "B3"]
    match.apply(1, "B2")
    assert match.received == [["B4", "B2"], ["K2", "K3"], ["R2", "R3"]]


def test_copies_can_both_be_given() -> None:
    match = discard_position("njet", "2", [["R7", "R7", "R8"], ["B2", "B3", "B4"]])
    match.apply(0, "R7")
    assert match.legal(0) == ["R7", "R8"]
    match.apply(0, "R7")
    assert match.legal(0) == []


def test_no_low_card_may_be_discarded_while_there_are_others() -> None:
    match = discard_position("nyet", "1x", [["R1", "R2", "G3"], ["B1", "Y1", "Y1"]])
    assert match.legal(0) == ["R2", "G3"]


def test_d5_low_cards_fill_up_where_the_others_run_out() -> None:
    match = discard_position("nyet", "1x", [["R1", "R2", "G3"], ["B1", "Y1", "Y1"]])
    assert match.legal(1) == ["B1", "Y1"]
    match = discard_position("njet", "2x", [["R0", "K0", "B9"], ["R0", "K0", "B0"]])
    assert match.legal(0) == ["R0", "K0", "B9"]
    match.apply(0, "R0")
    assert match.legal(0) == ["B9"]
    match = discard_position("njet", "2x", [["R0", "K0", "B9"], ["R0", "K0", "B0"]])
    match.apply(0, "B9")
    assert match.legal(0) == ["R0", "K0"]


def test_d9_the_italian_discard_is_compulsory() -> None:
    match = discard_position("njet-it", "2", [["R1", "R2", "R3"]] * 4)
    assert match.to_act() == [0, 1, 2, 3]
    play(match, *((seat, card) for seat in range(4) for card in ("R1", "R3")))
    assert [match.hand(seat) for seat in range(4)] == [["R2"]] * 4


# ---- trick games: following and taking ------------------------------------------------------


def test_nyet_a_trick_of_five() -> None:
    """Worked example: trump yellow; the loot is the yellow 1 only."""
    match = tricks_position(
        "nyet", [["G9"], ["G1"], ["G4"], ["Y1"], ["Y7"]], teams=[0, 0, 1, 1, 0], trump="Y"
    )
    play(match, (0, "G9"), (1, "G1"), (2, "G4"), (3, "Y1"), (4, "Y7"))
    assert match.tricks == [0, 0, 0, 0, 1]
    assert match.loot == [0, 0, 0, 0, 1]
    assert match.outcome() == ([2, 2, 0, 0, 2], [1, 1, 4, 4, 1])


def test_nyet_the_same_trick_with_a_supertrump() -> None:
    """Worked example: supertrump yellow; the yellow 1 takes it, its loot is the green 1."""
    match = tricks_position(
        "nyet",
        [["G9"], ["G1"], ["G4"], ["Y1"], ["Y7"]],
        teams=[0, 0, 1, 1, 0],
        trump="Y",
        supertrump="Y",
    )
    play(match, (0, "G9"), (1, "G1"), (2, "G4"), (3, "Y1"), (4, "Y7"))
    assert match.tricks == [0, 0, 0, 1, 0]
    assert match.loot == [0, 0, 0, 1, 0]


def test_nyet_a_supertrump_is_a_double_agent() -> None:
    """Worked example: trump yellow, supertrump blue, a hand of blue 1 and green 3."""
    hands = [["B5"], ["B1", "G3"]]
    match = tricks_position("nyet", hands, trump="Y", supertrump="B")
    match.apply(0, "B5")
    assert match.legal(1) == ["B1", "G3"]
    match = tricks_position("nyet", [["Y5"], ["B1", "G3"]], trump="Y", supertrump="B")
    match.apply(0, "Y5")
    assert match.legal(1) == ["B1"]
    match = tricks_position("nyet", [["B1"], ["B2", "Y3", "B1"]], trump="Y", supertrump="B")
    match.apply(0, "B1")
    assert match.legal(1) == ["B1", "Y3"]


def test_nyet_without_a_supertrump_a_low_card_serves_its_colour() -> None:
    match = tricks_position("nyet", [["B5"], ["B1", "G3"]], trump="Y")
    match.apply(0, "B5")
    assert match.legal(1) == ["B1"]


def test_njet_a_trick_of_five() -> None:
    """Worked example: trump black; the loot is the black 0 only."""
    hands = [["Y9"], ["Y0"], ["Y4"], ["K0"], ["K7"]]
    match = tricks_position("njet", hands, teams=[0, 0, 1, 1, 0], trump="K")
    play(match, (0, "Y9"), (1, "Y0"), (2, "Y4"), (3, "K0"), (4, "K7"))
    assert match.tricks == [0, 0, 0, 0, 1]
    assert match.loot == [0, 0, 0, 0, 1]


def test_d8_elsewhere_a_supertrump_belongs_to_its_printed_colour() -> None:
    for name, low in (("njet", "0"), ("njet-it", "1")):
        others = [["B3"], ["B4"]] if name == "njet-it" else []

        # The colour led is served by the supertrump, which may be kept back for another card.
        hands = [["B5"], [f"B{low}", "B2", "R3"], *others]
        match = tricks_position(name, hands, trump="R", supertrump="B")
        match.apply(0, "B5")
        assert match.legal(1) == [f"B{low}", "B2"]

        # It must be played where it is the only card of its colour.
        match = tricks_position(name, [["B5"], [f"B{low}", "R3"], *others], supertrump="B")
        match.apply(0, "B5")
        assert match.legal(1) == [f"B{low}"]

        # Trump led: a supertrump of another colour only from a hand void in trump, not forced.
        match = tricks_position(name, [["R5"], [f"B{low}", "R3"], *others], supertrump="B")
        match.apply(0, "R5")
        assert match.legal(1) == ["R3"]
        match = tricks_position(name, [["R5"], [f"B{low}", "B3"], *others], supertrump="B")
        match.apply(0, "R5")
        assert match.legal(1) == [f"B{low}", "B3"]

        # Supertrump led: its printed colour is asked for, not trump.
        match = tricks_position(name, [[f"B{low}"], ["B3", "R3"], *others], supertrump="B")
        match.apply(0, f"B{low}")
        assert match.legal(1) == ["B3"]


def test_supertrump_led_without_trump_asks_for_its_colour() -> None:
    match = tricks_position("njet", [["B0"], ["B3", "R3"]], trump="-", supertrump="B")
    match.apply(0, "B0")
    assert match.legal(1) == ["B3"]


def test_nobody_is_forced_to_trump() -> None:
    match = tricks_position("nyet", [["B5"], ["R3", "G4"]], trump="R")
    match.apply(0, "B5")
    assert match.legal(1) == ["R3", "G4"]


def test_the_card_played_last_wins_among_equals() -> None:
    def taken(cards: str, trump: str = "-", supertrump: str = "-") -> int:
        return who_takes(NJET, list(enumerate(cards.split())), trump, supertrump)

    assert taken("B7 B7 B3 B7") == 3
    assert taken("B7 B9 B7") == 1
    assert taken("B7 R9 Y9") == 0
    assert taken("B7 R7 R7 B9", trump="R") == 2
    assert taken("B7 R9 R7 R8", trump="R") == 1
    assert taken("B0 R9 B0 R7", trump="R", supertrump="B") == 2
    # No trump, but a supertrump: rule 1 still holds.
    assert taken("R9 B0 R8", supertrump="B") == 1
    assert taken("R9 B0 R8") == 0
    assert taken("R0 R0 B9") == 1


def test_the_winner_leads_the_next_trick_until_hands_are_empty() -> None:
    match = tricks_position("nyet", [["R2", "G5"], ["R3", "G4"]], trump="B")
    play(match, (0, "R2"), (1, "R3"))
    assert match.to_act() == [1]
    play(match, (1, "G4"), (0, "G5"))
    assert match.outcome() == ([1, 1], [1, 1])


# ---- trick games: scores --------------------------------------------------------------------

TAKE = [4 + 1, 3 + 1, 1, 3, 2 + 1]  # three with 7 tricks and 3 loot; 3 + 0; 2 + 1 with bonus
TEAMS = [0, 0, 0, 1, 1]


def scores(points: int, scoring: str, bonus: str) -> list[int]:
    return trick.round_scores(TAKE, TEAMS, points, 4, scoring, bonus)


def test_d6_the_bonus_doubles_the_holders_take_inside_the_team() -> None:
    """Worked example: 20 each to the three, 3 x 2 + (2 + 1) x 2 x 2 = 18 each to the two."""
    assert scores(2, "full", "take") == [20, 20, 20, 18, 18]


def test_d6_or_it_doubles_the_holders_score_alone() -> None:
    assert scores(2, "full", "score") == [20, 20, 20, 12, 24]
    assert scores(-2, "full", "score") == [-20, -20, -20, -12, -24]


def test_the_difference_goes_to_the_higher_team() -> None:
    """Worked example: 2 each to the three, 0 to the two."""
    assert scores(2, "difference", "take") == [2, 2, 2, 0, 0]
    assert scores(-2, "difference", "take") == [0, 0, 0, 2, 2]
    # The undoubled scores are compared, the holder's share is doubled afterwards.
    assert scores(2, "difference", "score") == [8, 8, 8, 0, 0]
    assert scores(-2, "difference", "score") == [0, 0, 0, 8, 16]
    assert trick.round_scores([2, 2], [0, 1], 3, None, "difference", "take") == [0, 0]


def test_at_minus_two_the_doubling_is_negative_too() -> None:
    assert scores(-2, "full", "take") == [-20, -20, -20, -18, -18]


def test_d9_each_of_the_pair_scores_the_pairs_result() -> None:
    take = [3, 1, 4, 2]
    assert trick.round_scores(take, [0, 1, 0, 1], 3, None, "full", "take") == [21, 9, 21, 9]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_game_has_the_tables_rounds_and_every_seat_deals_in_turn(name: str, seats: int) -> None:
    match = deal(name, seats, SEED, {"dealer": 1})
    assert isinstance(match, TrickMatch)
    dealers = []
    rng = random.Random(seats)
    while match.to_act():
        if not match.tokens and match.phase == "tokens":
            dealers.append(match.dealer)
        seat = rng.choice(match.to_act())
        match.apply(seat, rng.choice(match.legal(seat)))
        assert Counter(every_card(match)) == Counter(trick.deck(match.booklet, seats))
    rounds = {2: 8, 3: 9, 4: 8, 5: 10}[seats]
    assert dealers == [(1 + number) % seats for number in range(rounds)]
    assert len(match.finished_rounds) == rounds


def test_d7_a_target_ends_the_match_after_a_whole_round() -> None:
    for number in range(20):
        match = deal("njet", 3, bytes([number]), {"target": 40})
        assert isinstance(match, TrickMatch)
        random_match(match, random.Random(number))
        before = [sum(column[:-1]) for column in zip(*scores_by_round(match), strict=True)]
        assert max(before) < 40 <= max(match.scores)


def test_d7_rounds_are_the_cap_of_a_match_with_a_target() -> None:
    match = deal("njet", 2, SEED, {"target": 10**6, "rounds": 3})
    assert isinstance(match, TrickMatch)
    random_match(match, random.Random(1))
    assert len(match.finished_rounds) == 3
    assert deal("njet", 2, SEED, {"target": 10**6}).__dict__["rounds"] == 100


def test_ties_share_the_best_place() -> None:
    assert trick.places([5, 9, 9, -2, 5]) == [3, 1, 1, 5, 3]


# ---- NOPE!: positions -----------------------------------------------------------------------


def nope_position(
    hands: list[list[str]],
    pile: list[str],
    draw_pile: list[str] | None = None,
    turn: int = 0,
    **options: object,
) -> NopeMatch:
    """A match with these hands and piles, bottom to top; selects on the pile have no choice."""
    match = deal("nope", len(hands), SEED, options)
    assert isinstance(match, NopeMatch)
    match.hands = [list(hand) for hand in hands]
    match.pile = [Laid(card) for card in pile]
    match.draw_pile = list(draw_pile or [])
    match.turn = turn
    match.choosing = None
    return match


PLENTY = ["B2", "B2", "B3", "BY3"]


# ---- NOPE!: cards, setup --------------------------------------------------------------------


def test_the_cards_of_nope_are_counted() -> None:
    cards = nope.deck(with_actions=True)
    assert len(cards) == 104
    assert len(nope.deck(with_actions=False)) == 90
    single = [card for card in cards if len(card) == 2 and card[0] in "RGBY"]
    double = [card for card in cards if len(card) == 3]
    assert (len(single), len(double)) == (20, 66)
    assert Counter(card[-1] for card in single) == {"1": 8, "2": 8, "3": 4}
    assert Counter(card[-1] for card in double) == {"1": 24, "2": 24, "3": 18}
    assert sum(nope.is_reset(card) for card in cards) == 4
    assert sum(nope.is_see_through(card) for card in cards) == 4
    assert cards.count("J") == 4


def test_n1_two_of_six_selects_show_all_colours() -> None:
    selects = [card for card in nope.deck(with_actions=True) if nope.is_select(card)]
    assert selects == ["SR", "SG", "SB", "SY", "S*", "S*"]
    assert nope.colours_shown("S*") == ["R", "G", "B", "Y"]


def test_seven_cards_each_and_eight_with_two() -> None:
    for seats in range(2, 7):
        match = deal("nope", seats, SEED)
        assert isinstance(match, NopeMatch)
        each = 8 if seats == 2 else 7
        assert [len(match.hand(seat)) for seat in range(seats)] == [each] * seats
        assert match.draw_pile_size() == 103 - seats * each
        assert match.to_act() == [(dealer_by_lot(SEED, seats) + 1) % seats]


def test_hands_may_differ_by_seat() -> None:
    match = deal("nope", 3, SEED, {"hand": [7, 8, 1]})
    assert [len(match.hand(seat)) for seat in range(3)] == [7, 8, 1]


# ---- NOPE!: the demand ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pile", "count", "colours"),
    [
        (["RG3"], 3, "RG"),
        (["Y2"], 2, "Y"),
        (["J"], 1, "RGBY"),
        (["B3", "X"], 1, "RGBY"),
        (["B3", "TB"], 3, "B"),
        (["B3", "TB", "TG"], 3, "B"),
        (["X", "TB"], 1, "RGBY"),
        (["TB"], 1, "B"),
        (["TB", "TG"], 1, "B"),
    ],
)
def test_the_pile_makes_the_demand(pile: list[str], count: int, colours: str) -> None:
    match = nope_position([["R1"], ["R1"]], pile)
    assert match.demand() == Demand(count, tuple(colours))


def test_colours_are_never_mixed_in_a_set() -> None:
    """The booklet's example: two green and two yellow are no set of three."""
    hand = ["G1", "G2", "Y1", "Y2"]
    assert nope_position([hand, PLENTY], ["GY3"], PLENTY).legal(0) == ["draw"]
    hand = ["G1", "G2", "Y1", "GY2"]
    match = nope_position([hand, PLENTY], ["GY3"], PLENTY)
    assert match.legal(0) == ["G1", "G2", "GY2"]
    match.apply(0, "GY2")
    assert match.legal(0) == ["G1", "G2"]
    match.apply(0, "G1")
    assert match.legal(0) == ["G2"]
    match.apply(0, "G2")
    assert match.discard() == ["GY3", "GY2", "G1", "G2"]
    assert match.to_act() == [1]
    assert match.demand() == Demand(2, ("G",))


def test_with_a_set_nobody_draws_but_may_lay_a_matching_action_card() -> None:
    hand = ["R1", "R2", "G1", "X", "TR", "TG", "SY", "S*"]
    match = nope_position([hand, PLENTY], ["R3"], PLENTY)
    assert match.legal(0) == ["R1", "R2", "X", "TR", "S*", "X!", "TR!", "S*!"]


def test_with_a_count_of_one_set_and_action_are_the_same() -> None:
    match = nope_position([["R1", "TR", "SG", "G2"], PLENTY], ["R1"], PLENTY)
    assert match.legal(0) == ["R1", "TR"]
    match.apply(0, "TR")
    assert match.discard() == ["R1", "TR"]
    assert match.demand() == Demand(1, ("R",))


def test_a_set_begun_must_be_completed_in_one_colour() -> None:
    hand = ["RG1", "R2", "G2", "J", "X"]
    match = nope_position([hand, PLENTY], ["RG2"], PLENTY)
    match.apply(0, "R2")
    assert match.legal(0) == ["RG1", "J", "X"]
    assert match.to_act() == [0]
    assert match.discard() == ["RG2"]


def test_one_card_of_any_colour_leaves_no_draw() -> None:
    match = nope_position([["R1", "SG"], PLENTY], ["G3", "X"], PLENTY)
    assert match.legal(0) == ["R1", "SG"]


# ---- NOPE!: drawing -------------------------------------------------------------------------


def test_without_a_set_an_action_card_may_be_laid_or_a_card_drawn() -> None:
    match = nope_position([["R1", "SR", "SG"], PLENTY, PLENTY], ["R3"], PLENTY)
    assert match.legal(0) == ["SR!", "draw"]


def test_a_drawn_card_that_completes_a_set_leads_to_set_or_action() -> None:
    hand = ["R1", "SR", "SG"]
    match = nope_position([hand, PLENTY, PLENTY], ["R3"], ["RB1", "G1"])
    match.apply(0, "draw")
    assert match.to_act() == [0]
    assert match.legal(0) == ["R1", "RB1", "SR", "SR!"]


def test_n2_a_drawn_card_that_completes_none_ends_the_turn() -> None:
    """Not even the reset that was drawn may be laid."""
    match = nope_position([["R1", "G1"], PLENTY, PLENTY], ["R3"], ["X", "G1"])
    match.apply(0, "draw")
    assert match.to_act() == [1]
    assert match.hand(0) == ["R1", "G1", "X"]
    assert match.demand() == Demand(3, ("R",))


def test_two_players_draw_two_cards_before_the_check() -> None:
    match = nope_position([["R1", "G1"], PLENTY], ["R2"], ["R1", "G2", "Y1"])
    match.apply(0, "draw")
    assert match.hand(0) == ["R1", "R1", "G1", "G2"]
    assert match.to_act() == [0]


def test_n8_a_larger_game_shrunk_to_two_still_draws_one() -> None:
    match = nope_position([["R1"], [], PLENTY], ["R2"], ["G1", "R1"])
    match.out = [1]
    match.apply(0, "draw")
    assert match.hand(0) == ["R1", "G1"]
    assert match.to_act() == [2]


def test_n4_the_top_card_and_its_demand_survive_a_reshuffle() -> None:
    match = nope_position([["G1"], PLENTY, ["Y2", "TR"]], ["G1", "R3", "TR"])
    match.apply(0, "draw")
    assert match.discard() == ["TR"]
    assert match.draw_pile_size() == 1
    assert Counter(match.hand(0) + match.draw_pile) == Counter(["G1", "G1", "R3"])
    assert match.demand() == Demand(3, ("R",))
    # And a see-through laid on it later looks through to that demand.
    match.apply(1, "draw")
    match.apply(2, "TR!")
    assert match.demand() == Demand(3, ("R",))


def test_n11_an_empty_draw_pile_waits_until_a_card_must_be_drawn() -> None:
    match = nope_position([["G1"], PLENTY, PLENTY], ["G1", "R3"], ["Y1"])
    match.apply(0, "draw")
    assert match.draw_pile_size() == 0
    assert match.discard() == ["G1", "R3"]
    match.apply(1, "draw")
    assert match.discard() == ["R3"]
    assert match.hand(1) == ["G1", *PLENTY]


def test_a_draw_of_two_reshuffles_between_the_cards() -> None:
    match = nope_position([["G1"], PLENTY], ["G1", "G2", "R3"], ["Y1"])
    match.apply(0, "draw")
    assert len(match.hand(0)) == 3
    assert match.draw_pile_size() == 1
    assert match.reshuffles == 1


def test_n5_with_nothing_left_the_turn_goes_on_as_after_a_draw() -> None:
    match = nope_position([["G1"], PLENTY, PLENTY], ["R3"])
    match.apply(0, "draw")
    assert match.hand(0) == ["G1"]
    assert match.to_act() == [1]
    assert match.reshuffles == 0


# ---- NOPE!: action cards --------------------------------------------------------------------


def test_n3_an_action_card_on_top_of_a_set_takes_effect() -> None:
    match = nope_position([["R1", "SR", "B2"], PLENTY, PLENTY], ["R2"], PLENTY)
    play(match, (0, "R1"), (0, "SR"))
    assert match.legal(0) == ["to1:1", "to1:2", "to1:3", "to2:1", "to2:2", "to2:3"]
    match.apply(0, "to2:3")
    assert match.to_act() == [2]
    assert match.demand() == Demand(3, ("R",))


def test_n3_an_action_card_under_the_last_has_no_effect() -> None:
    match = nope_position([["R1", "SR", "B2"], PLENTY, PLENTY], ["R2"], PLENTY)
    play(match, (0, "SR"), (0, "R1"))
    assert match.to_act() == [1]
    assert match.demand() == Demand(1, ("R",))


def test_n7_a_see_through_on_a_select_of_the_same_set_makes_the_choice() -> None:
    match = nope_position([["S*", "TR", "B2"], PLENTY, PLENTY], ["R2"], PLENTY)
    play(match, (0, "S*"), (0, "TR"))
    assert match.legal(0)[:5] == ["to1:1R", "to1:1G", "to1:1B", "to1:1Y", "to1:2R"]
    match.apply(0, "to2:2B")
    assert match.to_act() == [2]
    assert match.demand() == Demand(2, ("B",))


def test_n7_a_see_through_looks_at_the_card_laid_just_before_it() -> None:
    match = nope_position([["R3", "X", "TR", "B2"], PLENTY], ["R2"], PLENTY)
    play(match, (0, "R3"), (0, "TR"))
    assert match.demand() == Demand(3, ("R",))
    match = nope_position([["R3", "X", "TR", "B2"], PLENTY], ["R2"], PLENTY)
    play(match, (0, "X"), (0, "TR"))
    assert match.demand() == Demand(1, ("R", "G", "B", "Y"))


def test_n9_a_see_through_on_a_select_keeps_its_demand_and_passes_to_the_next_seat() -> None:
    hands = [["SR", "B2"], PLENTY, ["TG", "Y1"], PLENTY]
    match = nope_position(hands, ["J"], PLENTY)
    play(match, (0, "SR"), (0, "to2:2"))
    assert match.legal(2) == ["draw"]
    match = nope_position([["S*", "B2"], PLENTY, ["TG", "Y1"], PLENTY], ["J"], PLENTY)
    play(match, (0, "S*"), (0, "to2:2G"))
    assert match.legal(2) == ["TG!", "draw"]
    match.apply(2, "TG!")
    assert match.to_act() == [3]
    assert match.demand() == Demand(2, ("G",))


def test_the_named_player_takes_a_normal_turn() -> None:
    """Draws, says Nope, and the demand stands for the next player from there."""
    match = nope_position([["SR", "B2"], PLENTY, ["R1", "X"], PLENTY], ["J"], ["Y1", "Y2"])
    play(match, (0, "SR"), (0, "to2:3"))
    assert match.legal(2) == ["X!", "draw"]
    match.apply(2, "draw")
    assert match.to_act() == [3]
    assert match.demand() == Demand(3, ("R",))


def test_on_a_four_coloured_select_only_the_chosen_colour_counts() -> None:
    match = nope_position([["S*", "B2"], ["R1", "SR", "SG", "G2"]], ["J"], PLENTY)
    play(match, (0, "S*"), (0, "to1:3G"))
    assert match.legal(1) == ["SG!", "draw"]


def test_n10_a_reset_at_the_start_asks_for_one_card() -> None:
    match = nope_position([["R1", "G2"], PLENTY], ["X"], PLENTY)
    assert match.legal(0) == ["R1", "G2"]


def test_a_select_at_the_start_is_chosen_by_the_starting_player() -> None:
    for number in range(1000):
        seed = number.to_bytes(2, "big")
        match = deal("nope", 3, seed)
        assert isinstance(match, NopeMatch)
        if match.discard() != ["S*"]:
            continue
        starter = (match.dealer + 1) % 3
        other = match.dealer
        assert match.to_act() == [starter]
        assert len(match.legal(starter)) == 2 * 3 * 4
        match.apply(starter, f"to{other}:2Y")
        assert match.to_act() == [other]
        assert match.turns_taken == 0
        return
    pytest.fail("no deal opened with a four-coloured select")


# ---- NOPE!: going out -----------------------------------------------------------------------


def test_n12_the_last_with_cards_wins_and_later_out_is_better() -> None:
    match = nope_position([["R1"], ["R2"], ["R1", "R2", "R3"]], ["R1"])
    match.apply(0, "R1")
    assert match.outcome() is None
    match.apply(1, "R2")
    assert match.to_act() == []
    assert match.outcome() == ([0, 0, 3], [3, 2, 1])


def test_an_action_laid_on_going_out_still_takes_effect() -> None:
    match = nope_position([["SR"], ["R2"], ["R1", "R2", "R3"]], ["R1"], PLENTY)
    match.apply(0, "SR")
    assert match.out == [0]
    assert match.to_act() == [0]
    assert match.legal(0) == ["to1:1", "to1:2", "to1:3", "to2:1", "to2:2", "to2:3"]
    match.apply(0, "to2:2")
    play(match, (2, "R1"), (2, "R2"))
    assert match.to_act() == [1]


def test_an_action_laid_by_the_last_to_go_out_asks_no_choice() -> None:
    match = nope_position([["SR"], ["R2", "R3"]], ["R1"], PLENTY)
    match.apply(0, "SR")
    assert match.to_act() == []
    assert match.outcome() == ([0, 2], [2, 1])


def test_play_goes_on_past_those_who_are_out() -> None:
    match = nope_position([["R1", "R2"], [], ["R3", "B1"], []], ["R1"], PLENTY)
    match.out = [3, 1]
    match.apply(0, "R2")
    assert match.to_act() == [2]
    assert match.legal(2) == ["draw"]


def test_n6_at_the_cap_those_with_more_cards_are_better() -> None:
    hands = [["G1"], [], ["G1", "SG"], ["B1", "B2"]]
    match = nope_position(hands, ["G1"], PLENTY, turn=2, max_turns=1)
    match.out = [1]
    match.apply(2, "SG")
    assert match.to_act() == []  # no choice is asked any more
    assert match.outcome() == ([1, 0, 1, 2], [2, 4, 2, 1])


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("actions", [True, False])
def test_cards_of_nope_are_conserved(seats: int, actions: bool) -> None:
    for number in range(5):
        match = deal("nope", seats, bytes([number]), {"actions": actions, "max_turns": 200})
        assert isinstance(match, NopeMatch)
        rng = random.Random(number)
        while match.to_act():
            held = sum(match.hands, match.draw_pile + match.discard())
            assert Counter(held) == Counter(nope.deck(actions))
            seat = match.to_act()[0]
            legal = match.legal(seat)
            assert legal
            match.apply(seat, "draw" if "draw" in legal else rng.choice(legal))
