"""Worlds that agree with a view (SPEC 11.9, 11.11)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from arena.games.errors import BadView
from arena.games.nyet.state import TrickState
from tests.games.nyet.test_rulesets import TABLES
from tests.games.trick_positions import (
    act,
    choose_team,
    legal,
    low_of,
    play,
    rules_of,
    settle,
    table,
    trick_game,
)


def discards_of(name: str) -> list[str]:
    return [box.name for box in rules_of(name).discards]


def spares_low(name: str, box: str) -> bool:
    return any(each.spares_low for each in rules_of(name).discards if each.name == box)


def matches(name: str, seats: int) -> Iterator[TrickState]:
    """Every state of a few rounds, one for each box of row 2, on random boards."""
    rng = random.Random(f"{name} {seats}")
    for number, discard in enumerate(discards_of(name)):
        state = trick_game(name).deal(seats, b"imagine %d" % number, {"rounds": 2})
        if number % 2:
            trick_game(name).playout(state, rng, "round")
        started = state.view(None)["round"]
        while state.to_act() and state.view(None)["round"] == started:
            yield state
            seat = rng.choice(state.to_act())
            actions = legal(state, seat)
            open_box = f"discard:{discard}"
            if len(actions) > 1 and open_box in actions:
                actions.remove(open_box)
            act(state, seat, rng.choice(actions))
        yield state


def lookers(state: TrickState) -> list[int | None]:
    return [*range(state.match.seats), None]


def everyone(state: TrickState) -> list[dict[str, Any]]:
    return [state.view(seat) for seat in range(state.match.seats)]


# ---- what every world keeps to --------------------------------------------------------------


def suit(name: str, card: str, trump: str, supertrump: str) -> str:
    """By the rules alone: its colour, but in nyet a supertrump's is the trump colour."""
    if rules_of(name).supertrump_joins_trump and card == supertrump + low_of(name):
        return trump
    return card[0]


def voids(view: Mapping[str, Any]) -> dict[int, set[str]]:
    """By seat, the suits it has shown to lack, by not following."""
    name, seats = view["game"], view["seats"]
    shown: dict[int, set[str]] = {seat: set() for seat in range(seats)}
    for trick, leader in zip(view["tricks"], view["leaders"], strict=True):
        suits = [suit(name, card, view["trump"], view["supertrump"]) for card in trick]
        for place, played in enumerate(suits):
            if played != suits[0]:
                shown[(leader + place) % seats].add(suits[0])
    return shown


def played_by(view: Mapping[str, Any], seat: int) -> Counter[str]:
    seats = view["seats"]
    return Counter(
        card
        for trick, leader in zip(view["tricks"], view["leaders"], strict=True)
        for place, card in enumerate(trick)
        if (leader + place) % seats == seat
    )


def check_world(world: TrickState, view: Mapping[str, Any]) -> None:
    """What the world hides is as the rules and the view allow."""
    name, seats = view["game"], view["seats"]
    own = everyone(world)
    box = view["discard"] or "0"
    passes = {"left1": 1, "right2": -1}.get(box)
    all_cards: Counter[str] = Counter()
    lacking = voids(view)
    for seat in range(seats):
        hand, played = Counter(own[seat]["hand"]), played_by(view, seat)
        given, received = Counter(own[seat]["given"]), Counter(own[seat]["received"])
        all_cards += hand + played
        is_choosing = view["phase"] == "discard"
        if is_choosing or passes is None:
            all_cards += given
        chosen = given.total() if is_choosing else 0
        if view["phase"] != "over":
            assert hand.total() + chosen == view["hand_sizes"][seat]
        if lacking[seat]:
            suits = {suit(name, card, view["trump"], view["supertrump"]) for card in hand}
            assert not suits & lacking[seat]
        if passes is not None and not is_choosing and view["phase"] in ("play", "over"):
            giver = (seat - passes) % seats
            assert received == Counter(own[giver]["given"])
            assert received <= hand + played
        if spares_low(name, box) and any(card[1:] == low_of(name) for card in given):
            # Then no other card was left to discard.
            assert all(card[1:] == low_of(name) for card in hand + played)
    if seats == 2:
        assert all_cards <= Counter(trick_game(name).deck(seats))
    else:
        assert all_cards == Counter(trick_game(name).deck(seats))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_an_imagined_world_looks_the_same_to_who_imagined_it(name: str, seats: int) -> None:
    """All along matches, to every seat and a spectator; and holds only what it can."""
    rng = random.Random(3)
    for state in matches(name, seats):
        for looker in lookers(state):
            view = state.view(looker)
            world = trick_game(name).imagine(view, rng)
            assert world.view(looker) == view
            check_world(world, view)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_who_imagines_may_do_there_what_they_may_do_in_truth(name: str, seats: int) -> None:
    rng = random.Random(4)
    for state in matches(name, seats):
        for seat in range(seats):
            world = trick_game(name).imagine(state.view(seat), rng)
            assert list(world.legal(seat)) == list(state.legal(seat))
            assert (seat in world.to_act()) == (seat in state.to_act())
            if state.view(None)["phase"] != "discard":
                assert world.to_act() == state.to_act()


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_in_every_imagined_world_somebody_can_go_on(name: str, seats: int) -> None:
    rng = random.Random(5)
    for number, state in enumerate(matches(name, seats)):
        world = trick_game(name).imagine(state.view(None if number % 2 else 0), rng)
        if state.view(None)["phase"] == "over":
            assert world.to_act() == ()
            assert world.outcome() == state.outcome()
            continue
        assert world.to_act()
        for seat in world.to_act():
            assert world.legal(seat)
        if number % 10 == 0:
            trick_game(name).playout(world, rng)
            outcome = world.outcome()
            assert outcome is not None
            assert outcome.ending == "rounds"


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_an_imagined_world_goes_on_by_the_same_rules(name: str, seats: int) -> None:
    """The looker's next action leads truth and world to the same place, where all is public."""
    rng = random.Random(6)
    for state in matches(name, seats):
        view = state.view(None)
        if view["phase"] not in ("tokens", "team", "play"):
            continue
        (seat,) = state.to_act()
        if sum(view["hand_sizes"]) == 1:
            continue  # the last card of a round; then new hands are dealt
        world = trick_game(name).imagine(state.view(seat), rng)
        truth = state.copy()
        action = rng.choice(state.legal(seat))
        truth.apply(seat, action)
        world.apply(seat, action)
        assert world.view(seat) == truth.view(seat)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_last_card_of_a_round_scores_in_a_world_as_in_truth(name: str, seats: int) -> None:
    rng = random.Random(7)
    reached = 0
    for state in matches(name, seats):
        view = state.view(None)
        if view["phase"] == "play" and sum(view["hand_sizes"]) == 1:
            (seat,) = state.to_act()
            world = trick_game(name).imagine(state.view(seat), rng)
            truth = state.copy()
            for one in (truth, world):
                one.apply(seat, one.legal(seat)[0])
            assert world.view(None)["previous"] == truth.view(None)["previous"]
            assert world.view(None)["scores"] == truth.view(None)["scores"]
            assert world.view(None)["dealer"] == truth.view(None)["dealer"]
            reached += 1
    assert reached == len(discards_of(name))


# ---- what is hidden varies ------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_worlds_differ_wherever_something_is_hidden(name: str, seats: int) -> None:
    for number, state in enumerate(matches(name, seats)):
        view = state.view(0)
        if number % 6 or view["phase"] == "over":
            continue
        hidden = sum(size for seat, size in enumerate(view["hand_sizes"]) if seat)
        if hidden < 3 * (seats - 1):
            continue
        worlds = [trick_game(name).imagine(view, random.Random(n)) for n in range(6)]
        assert len({str(everyone(world)[1:]) for world in worlds}) > 1, view


def test_an_unseen_card_is_as_likely_in_any_other_hand() -> None:
    state = trick_game("njet-it").deal(4, b"likely", {"dealer": 0})
    view = state.view(0)
    card = next(card for card in ("R5", "R6", "R7", "R8") if card not in view["hand"])
    rng = random.Random(1)
    holders: Counter[int] = Counter()
    for _ in range(900):
        world = trick_game("njet-it").imagine(view, rng)
        holders[next(seat for seat in range(4) if card in world.view(seat)["hand"])] += 1
    assert set(holders) == {1, 2, 3}
    assert all(240 < count < 360 for count in holders.values())


def test_between_two_an_unseen_card_lies_aside_as_often_as_it_should() -> None:
    """Of 45 cards that seat 0 does not see, 15 are in seat 1's hand."""
    view = trick_game("nyet").deal(2, b"aside").view(0)
    card = next(card for card in ("R5", "R6", "R7", "R8") if card not in view["hand"])
    rng = random.Random(1)
    held = sum(card in trick_game("nyet").imagine(view, rng).view(1)["hand"] for _ in range(900))
    assert 240 < held < 360


def test_a_discard_of_another_seat_may_be_any_card_they_could_have_discarded() -> None:
    state = trick_game("njet-it").deal(4, b"any discard", {"dealer": 0})
    settle(state, discard="1")
    choose_team(state, (0, 1))
    for seat in range(4):
        act(state, seat, legal(state, seat)[0])
    rng = random.Random(1)
    discards = {
        trick_game("njet-it").imagine(state.view(0), rng).view(1)["given"][0] for _ in range(200)
    }
    assert len(discards) > 15
    assert {card[1:] for card in discards} >= {"1", "5", "9"}


# ---- what is known stays --------------------------------------------------------------------


def test_a_card_i_passed_is_with_who_received_it_until_played() -> None:
    state = trick_game("nyet").deal(4, b"passed", {"dealer": 0})
    settle(state, discard="left1")
    choose_team(state, (0, 1))
    for seat in range(4):
        act(state, seat, legal(state, seat)[0])
    rng = random.Random(1)
    while state.view(None)["phase"] == "play" and state.view(None)["round"] == 1:
        for giver in range(4):
            view = state.view(giver)
            receiver = (giver + 1) % 4
            world = trick_game("nyet").imagine(view, rng)
            where = world.view(receiver)
            assert where["received"] == view["given"]
            known = Counter(where["hand"]) + played_by(view, receiver)
            assert Counter(view["given"]) <= known
        (seat,) = state.to_act()
        state.apply(seat, rng.choice(state.legal(seat)))


def test_a_card_i_received_was_given_by_its_giver() -> None:
    state = trick_game("njet").deal(3, b"received", {"dealer": 0})
    settle(state, discard="right2")
    choose_team(state, (0,), 0)
    for seat in range(3):
        act(state, seat, *legal(state, seat)[:2])
    for receiver in range(3):
        view = state.view(receiver)
        world = trick_game("njet").imagine(view, random.Random(1))
        assert world.view((receiver + 1) % 3)["given"] == view["received"]


def test_who_did_not_follow_holds_none_of_the_suit_led() -> None:
    """Seat 1 has no red; in nyet that leaves it red supertrumps, with another trump."""
    hands = [
        "R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13",
        "G2 G3 G4 G5 G6 G7 G8 G9 G10 G11 G12 R1",
        "B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13",
        "Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 Y11 Y12 Y13",
        "R1 R1 B1 B1 B1 Y1 Y1 Y1 G1 G1 G1 G13",
    ]
    state = table("nyet", hands, trump="Y", supertrump="R", team=(0, 1), bonus=0)
    play(state, "R2", "G2", "B2", "Y2", "G1")
    rng = random.Random(1)
    held: Counter[str] = Counter()
    for _ in range(200):
        world = trick_game("nyet").imagine(state.view(2), rng)
        hand = world.view(1)["hand"]
        assert not [card for card in hand if card[0] == "R" and card != "R1"]
        held.update(hand)
    assert held["R1"]
    assert held["Y5"]


def test_who_showed_no_trump_in_nyet_holds_no_supertrump_either() -> None:
    """000: if trump is led, you must play a trump or supertrump if you can."""
    hands = [
        "Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 Y11 Y12 Y13",
        "G2 G3 G4 G5 G6 G7 G8 G9 G10 G11 G12 G13",
        "B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13",
        "R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13",
        "R1 R1 R1 B1 B1 B1 Y1 Y1 Y1 G1 G1 G1",
    ]
    state = table("nyet", hands, trump="Y", supertrump="R", team=(0, 1), bonus=0)
    play(state, "Y2", "G2", "B2")
    rng = random.Random(1)
    for looker in (0, 3, None):
        for _ in range(50):
            world = trick_game("nyet").imagine(state.view(looker), rng)
            for seat in (1, 2):
                hand = world.view(seat)["hand"]
                assert not [card for card in hand if card[0] == "Y" or card == "R1"]


def test_who_showed_no_trump_in_njet_may_hold_supertrumps() -> None:
    hands = [
        "K1 K2 K3 K4 K5 K6 K7 K7 K7 K7 K8 K9",
        "R1 R2 R3 R4 R5 R6 R7 R7 R7 R7 R8 R9",
        "B1 B2 B3 B4 B5 B6 B7 B7 B7 B7 B8 B9",
        "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y7 Y7 Y7 Y8 Y9",
        "R0 R0 R0 K0 K0 K0 B0 B0 B0 Y0 Y0 Y0",
    ]
    state = table("njet", hands, trump="K", supertrump="R", team=(0, 1), bonus=0)
    play(state, "K1", "R1")
    rng = random.Random(1)
    worlds = [trick_game("njet").imagine(state.view(0), rng) for _ in range(50)]
    assert not [world for world in worlds if "K" in str(world.view(1)["hand"])]
    assert [world for world in worlds if "R0" in world.view(1)["hand"]]


# ---- no low card ----------------------------------------------------------------------------

ALL_ONES = "R1 R1 R1 B1 B1 B1 Y1 Y1 Y1 G1 G1 G1"
NO_ONES = [
    f"{c}2 {c}3 {c}4 {c}5 {c}6 {c}7 {c}8 {c}9 {c}10 {c}11 {c}12 {c}13" for c in ("R", "B", "Y", "G")
]


def test_the_rare_hand_of_ones_only_is_imagined_with_its_discard() -> None:
    """D5: seat 0 was dealt all twelve ones and had to discard one of them."""
    state = table("nyet", [ALL_ONES, *NO_ONES], discard="1x", trump="Y", team=(0, 1), bonus=0)
    play(state, "G1", "R2", "B2", "Y2", "G2")
    rng = random.Random(1)
    seen: Counter[str] = Counter()
    while state.view(None)["round"] == 1:
        for looker in lookers(state):
            view = state.view(looker)
            world = trick_game("nyet").imagine(view, rng)
            assert world.view(looker) == view
            check_world(world, view)
            if looker == 1:
                seen.update(world.view(0)["given"])
        (seat,) = state.to_act()
        state.apply(seat, state.legal(seat)[0])
    assert seen


def test_who_has_played_another_card_did_not_discard_a_low_one() -> None:
    state = trick_game("nyet").deal(3, b"no low", {"dealer": 0})
    settle(state, discard="1x", trump="Y", supertrump="B")
    choose_team(state, (0,), 0)
    for seat in range(3):
        act(state, seat, legal(state, seat)[0])
    play(state, legal(state)[-1])
    rng = random.Random(1)
    for _ in range(300):
        world = trick_game("nyet").imagine(state.view(0), rng)
        for seat in (1, 2):
            (card,) = world.view(seat)["given"]
            assert card[1:] != "1"


def test_a_hand_with_one_other_card_is_imagined_with_that_card_discarded() -> None:
    """D5, in njet: eleven zeros and a nine; the nine and a zero are out."""
    hands = [
        "R0 R0 R0 K0 K0 K0 B0 B0 B0 Y0 Y0 R9",
        "R1 R2 R3 R4 R5 R6 R7 R7 R7 R7 R8 Y0",
        *[f"{c}1 {c}2 {c}3 {c}4 {c}5 {c}6 {c}7 {c}7 {c}7 {c}7 {c}8 {c}9" for c in ("K", "B", "Y")],
    ]
    state = table("njet", hands, discard="2x", trump="K", team=(0, 1), bonus=0)
    for seat in range(5):
        act(state, seat, legal(state, seat)[0])
        act(state, seat, legal(state, seat)[0])
    assert state.view(0)["given"] == ["R9", "R0"]
    rng = random.Random(1)
    while state.view(None)["round"] == 1:
        for looker in lookers(state):
            view = state.view(looker)
            world = trick_game("njet").imagine(view, rng)
            assert world.view(looker) == view
            check_world(world, view)
        (seat,) = state.to_act()
        state.apply(seat, state.legal(seat)[0])


def test_who_must_have_discarded_a_low_card_is_imagined_with_nothing_but_low_cards() -> None:
    """D5: all others lack black, so that a black zero was discarded, and one is still held."""
    hands = [
        "K0 K0 K0 R0 R0 R0 B0 B0 B0 Y0 Y0 R9",
        "R1 R2 R3 R4 R5 R6 R7 R7 R7 R7 R8 Y0",
        "K2 K3 K4 K5 K6 K7 K7 K7 K7 K8 K9 B1",
        "K1 B2 B3 B4 B5 B6 B7 B7 B7 B7 B8 B9",
        "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y7 Y7 Y7 Y8 Y9",
    ]
    state = table(
        "njet", hands, discard="2x", first=2, trump="-", supertrump="-", team=(1, 2), bonus=1
    )
    play(state, "R9", "K0", "R1", "R2", "K2", "K3", "K1", "B2", "Y1", "Y2")
    play(state, "K9", "B3", "Y3", "K0", "R3", "B1")
    while len(state.view(None)["tricks"]) < 10:
        wanted = sorted(
            legal(state), key=lambda card: (card == "K0", card[0] != "B", -int(card[1]))
        )
        play(state, wanted[0])
    view = state.view(2)
    assert view["hand_sizes"] == [1] * 5
    assert state.view(0)["hand"] == ["K0"]
    rng = random.Random(1)
    companions = set()
    for _ in range(60):
        world = trick_game("njet").imagine(view, rng)
        check_world(world, view)
        assert world.view(0)["hand"] in (["K0"], ["Y0"])
        assert "K0" in world.view(0)["given"]
        companions.update(world.view(0)["given"])
    assert len(companions) > 3


# ---- chance ---------------------------------------------------------------------------------


def next_deal(world: TrickState, name: str) -> str:
    """The hands of the round after, whatever is played in this one."""
    trick_game(name).playout(world, random.Random(0), "round")
    return str([world.view(seat)["hand"] for seat in range(world.match.seats)])


def test_the_same_rng_imagines_the_same_world() -> None:
    view = trick_game("nyet").deal(4, b"secret").view(0)
    one, two = (trick_game("nyet").imagine(view, random.Random(7)) for _ in range(2))
    assert everyone(one) == everyone(two)
    assert next_deal(one, "nyet") == next_deal(two, "nyet")


def test_another_rng_imagines_another_world_with_another_future() -> None:
    """Even where nothing is hidden, before the last card of a round."""
    state = trick_game("njet").deal(3, b"secret", {"rounds": 2})
    rng = random.Random(1)
    while sum(state.view(None)["hand_sizes"]) > 1:
        seat = rng.choice(state.to_act())
        state.apply(seat, rng.choice(state.legal(seat)))
    (seat,) = state.to_act()
    worlds = [trick_game("njet").imagine(state.view(seat), random.Random(n)) for n in range(20)]
    futures = {next_deal(world, "njet") for world in worlds}
    assert len(futures) == 20
    assert next_deal(state, "njet") not in futures


def test_the_real_seed_never_matters() -> None:
    """Two matches that look the same to a spectator are imagined the same, futures too."""
    one, two = (trick_game("nyet").deal(4, seed, {"dealer": 1}) for seed in (b"one", b"two"))
    assert one.view(0) != two.view(0)
    assert one.view(None) == two.view(None)
    worlds = [
        trick_game("nyet").imagine(state.view(None), random.Random(5)) for state in (one, two)
    ]
    assert everyone(worlds[0]) == everyone(worlds[1])
    assert next_deal(worlds[0], "nyet") == next_deal(worlds[1], "nyet")


def test_the_rng_of_others_is_left_alone() -> None:
    state = trick_game("nyet").deal(4, b"alone")
    random.seed(1)
    before = random.getstate()
    trick_game("nyet").imagine(state.view(0), random.Random(1))
    assert random.getstate() == before


def test_a_view_is_not_changed_by_imagining() -> None:
    for state in matches("njet", 3):
        view = state.view(1)
        trick_game("njet").imagine(view, random.Random(1))
        assert view == state.view(1)


def test_playing_on_in_a_world_leaves_the_view_as_it_was() -> None:
    state = trick_game("nyet").deal(3, b"leaves")
    view = state.view(1)
    world = trick_game("nyet").imagine(view, random.Random(1))
    trick_game("nyet").playout(world, random.Random(1))
    assert view == state.view(1)


# ---- views that no deal agrees with ----------------------------------------------------------


@pytest.mark.parametrize("discard", ["0", "1", "1x"])
def test_cards_that_everyone_has_shown_to_lack_have_no_place(discard: str) -> None:
    """All others are void in red, and more reds are unseen than could be discarded."""
    blues = "B5 B6 B7 B8 B9 B10 B11 B12 B13 Y4 Y5 Y6 Y7 Y8"
    greens = "G2 G3 G4 G5 G6 G7 G8 G9 G10 G11 G12 G13"
    hands = [f"R2 {greens} Y2 Y3", f"B2 {blues}", f"B3 {blues}", f"B4 {blues}"]
    state = table("nyet", hands, discard=discard, trump="Y", team=(0, 1))
    if discard != "0":
        play(state, "Y3", "Y8", "Y8", "Y8")
    play(state, "R2", "B2", "B3", "B4")
    with pytest.raises(BadView):
        trick_game("nyet").imagine(state.view(0), random.Random(1))


# ---- what is no view ------------------------------------------------------------------------


def in_play() -> TrickState:
    """Second round, in the second trick, after passing."""
    state = trick_game("nyet").deal(4, b"in play", {"dealer": 0})
    trick_game("nyet").playout(state, random.Random(1), "round")
    settle(state, first=1, discard="left1", trump="Y", supertrump="B")
    choose_team(state, (0, 1))
    for seat in range(4):
        act(state, seat, legal(state, seat)[0])
    while len(state.view(None)["tricks"]) < 2:
        play(state, legal(state)[0])
    play(state, legal(state)[0])
    return state


def changed(**fields: object) -> dict[str, Any]:
    return {**in_play().view(0), **fields}


def without(name: str) -> dict[str, Any]:
    view = in_play().view(0)
    del view[name]
    return view


def test_the_view_that_the_following_tests_spoil_is_one() -> None:
    assert trick_game("nyet").imagine(changed(), random.Random(1)).view(0) == changed()


def accepted(views: Mapping[str, Any]) -> list[str]:
    """Which of these are taken for views, by the words for what is wrong with them."""
    taken = []
    for words, view in views.items():
        try:
            trick_game("nyet").imagine(view, random.Random(1))
        except BadView:
            continue
        taken.append(words)
    return taken


def test_what_is_no_map_of_a_views_fields_is_refused() -> None:
    things: list[Any] = [None, [], "view", 7, {}, {"seats": 3}]
    views = {str(thing): thing for thing in things}
    assert accepted(views) == []


def test_a_view_of_another_game_is_refused() -> None:
    views: dict[str, Any] = {
        str(game): changed(game=game) for game in ("njet", "njet-it", "nope", None)
    }
    views["a real one of njet"] = trick_game("njet").deal(4, b"njet").view(0)
    assert accepted(views) == []


def test_a_view_of_no_seat_at_the_table_is_refused() -> None:
    views = {f"seat {seat!r}": changed(seat=seat) for seat in (4, -1, 10**9, "0", True, 0.0)}
    assert accepted(views) == []


def test_a_view_without_one_of_its_fields_is_refused() -> None:
    assert accepted({f"no {name}": without(name) for name in sorted(changed())}) == []


def test_a_view_with_a_field_too_many_is_refused() -> None:
    assert accepted({"more": changed(more=1)}) == []


def test_a_view_with_a_field_of_another_kind_is_refused() -> None:
    kinds: dict[str, list[object]] = {
        "seats": ["4", 4.0, None],
        "options": [None, {}, 7, {"rounds": "8"}],
        "round": ["2", None],
        "rounds": ["8", None],
        "phase": [None, 7],
        "dealer": ["0", None],
        "turn": ["0"],
        "scores": [None, 7, ["1", 2, 3, 4]],
        "hand": [7, [7], "R7"],
        "hand_sizes": [None, 7, ["1", 2, 3, 4]],
        "open": [None, 7, [7]],
        "tokens": [None, 7, [7]],
        "first_token": ["0", None],
        "first": ["1", None],
        "discard": [1, None],
        "trump": [1, None],
        "supertrump": [1, None],
        "points": ["1", None],
        "team": [None, 7, "01", ["0", "1"]],
        "bonus": ["1"],
        "given": [None, 7, [7]],
        "received": [None, 7, [7]],
        "tricks": [None, 7, [7]],
        "leaders": [None, 7, ["0"]],
        "tricks_won": [None, 7, ["1", 2, 3, 4]],
        "loot": [None, 7, ["1", 2, 3, 4]],
        "previous": [None, 7, {}, {"round": 1}],
    }
    views = {
        f"{name}: {value!r}": changed(**{name: value})
        for name, values in kinds.items()
        for value in values
    }
    assert accepted(views) == []


def test_a_view_with_cards_that_cannot_be_is_refused() -> None:
    view = in_play().view(0)
    views = {
        "no such card in hand": changed(hand=["Z9", *view["hand"][1:]]),
        "an action for a card": changed(hand=["trump:R", *view["hand"][1:]]),
        "more copies than there are": changed(hand=["R13"] * len(view["hand"])),
        "a card on the table in hand again": changed(
            hand=[view["tricks"][0][0]] * 4 + view["hand"][4:]
        ),
        "a hand of another size": changed(hand=view["hand"][1:]),
        "no hand": changed(hand=[]),
        "a hand that is nil": changed(hand=None),
        "no such card given": changed(given=["Z9"]),
        "nothing given": changed(given=[]),
        "nothing received": changed(received=[]),
        "too much received": changed(received=["R2", "R3"]),
        "no such card played": changed(tricks=[["Z9", "R2", "R3", "R4"], ["R5"]]),
    }
    assert accepted(views) == []


def test_a_view_that_contradicts_itself_is_refused() -> None:
    contradictions: dict[str, list[object]] = {
        "seats": [2, 3, 5, 9],
        "options": [{"rounds": 0}, {**changed()["options"], "rounds": 5}],
        "round": [0, 1, 99],
        "rounds": [1, 5],
        "phase": ["tokens", "team", "discard", "over", "nap"],
        "dealer": [0, 4],
        "turn": [None, 9],
        "scores": [[1, 2]],
        "hand_sizes": [[1, 2], [99] * 4, [13, 14, 14, 13], [13, 13, 14, 12], [13, 15, 14, 14]],
        "open": [[], ["trump:R"]],
        "tokens": [[], ["trump:R"] * 18, ["R7"] * 18],
        "first_token": [3],
        "first": [0, 4],
        "discard": ["1x", "3"],
        "trump": ["K", "R", "-"],
        "supertrump": ["?", "R"],
        "points": [7, 2],
        "team": [[2, 3], [0, 1, 2], []],
        "bonus": [0],
        "tricks": [[], [["R2", "R3"], ["R4"]]],
        "leaders": [[], [3, 3]],
        "tricks_won": [[9, 9, 9, 9]],
        "loot": [[9, 9, 9, 9]],
    }
    views = {
        f"{name}: {value!r}": changed(**{name: value})
        for name, values in contradictions.items()
        for value in values
    }
    assert accepted(views) == []


def test_the_refusal_says_what_it_is() -> None:
    with pytest.raises(BadView, match=r"view of nyet.*\(SPEC 11\.11\)"):
        trick_game("nyet").imagine({"seats": 3}, random.Random(1))


@pytest.mark.parametrize("field", ["hand", "given", "received"])
def test_the_refusal_names_a_card_that_the_game_has_not(field: str) -> None:
    view = in_play().view(0)
    view[field][0] = "Q7"
    with pytest.raises(BadView, match=r"view of nyet: 'Q7' is no card of nyet \(SPEC 11\.11\)"):
        trick_game("nyet").imagine(view, random.Random(1))
