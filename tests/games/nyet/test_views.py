"""What each seat sees, and what nobody does (SPEC 11.9, 11.11)."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from arena.games.nyet.state import TrickState
from arena.games.nyet.views import FIELDS, PREVIOUS_FIELDS
from tests.games.nyet.test_rulesets import BOXES, TABLES
from tests.games.trick_positions import (
    RULE_SETS,
    act,
    lay,
    play,
    settle,
    table,
    trick_game,
)


def lookers(state: TrickState) -> list[int | None]:
    return [*range(state.match.seats), None]


def everyones_views(state: TrickState) -> list[dict[str, Any]]:
    return [state.view(looker) for looker in lookers(state)]


def walk(name: str, seats: int, seed: bytes, **options: object) -> list[TrickState]:
    """Every state of a random match."""
    rng = random.Random(seed)
    state = trick_game(name).deal(seats, seed, options)
    states = [state.copy()]
    while state.to_act():
        seat = rng.choice(state.to_act())
        state.apply(seat, rng.choice(state.legal(seat)))
        states.append(state.copy())
    return states


PLAIN: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: type(value) is str,
    "number": lambda value: type(value) is int,
    "map": lambda value: type(value) is dict,
    "nil": lambda value: value is None,
    "list of numbers": lambda value: type(value) is list and all(type(v) is int for v in value),
    "list of texts": lambda value: type(value) is list and all(type(v) is str for v in value),
    "list of lists of texts": lambda value: (
        type(value) is list and all(PLAIN["list of texts"](inner) for inner in value)
    ),
}


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_view_has_the_fields_of_the_table_and_their_types(name: str, seats: int) -> None:
    for state in walk(name, seats, b"fields", rounds=2):
        for looker in lookers(state):
            view = state.view(looker)
            assert list(view) == [field.name for field in FIELDS]
            previous = view["previous"]
            if previous is not None:
                assert list(previous) == [field.name for field in PREVIOUS_FIELDS]
            for values, fields in ((view, FIELDS), (previous or {}, PREVIOUS_FIELDS)):
                for field in fields:
                    if values:
                        kinds = field.type.split(" or ")
                        assert any(PLAIN[kind](values[field.name]) for kind in kinds), field


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_only_hand_given_and_received_differ_between_lookers(name: str, seats: int) -> None:
    """Everything else is public."""
    own = {"seat", "hand", "given", "received"}
    for state in walk(name, seats, b"public", rounds=2):
        public = state.view(None)
        assert [public[field] for field in ("seat", "hand", "given", "received")] == [None] * 4
        for seat in range(seats):
            view = state.view(seat)
            assert view["seat"] == seat
            assert {name: view[name] for name in view if name not in own} == {
                name: public[name] for name in public if name not in own
            }


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_others_hold_and_gave_away_shows_nowhere(name: str, seats: int) -> None:
    """Two seats whose hidden cards change places: no third can tell."""
    if seats == 2:
        return
    for state in walk(name, seats, b"hidden", rounds=1):
        other = state.copy()
        other.hands[1], other.hands[2] = other.hands[2], other.hands[1]
        other.spares[1], other.spares[2] = other.spares[2], other.spares[1]
        if len(state.hands[1] + state.spares[1]) != len(state.hands[2] + state.spares[2]):
            continue
        for looker in (0, None, *range(3, seats)):
            assert other.view(looker) == state.view(looker)


def test_cards_lying_aside_show_nowhere() -> None:
    """Two players: what is in no hand is in no view, even after the round."""
    states = walk("nyet", 2, b"aside", rounds=2)
    seen: Counter[str] = Counter()
    for seat in (0, 1):
        seen += Counter(states[0].view(seat)["hand"])
    assert seen.total() == 30
    for state in states:
        for looker in (0, 1, None):
            view = state.view(looker)
            if view["round"] == 2:
                break
            shown = Counter(view["hand"] or ())
            shown += Counter(view["given"] or ())
            shown += Counter(card for trick in view["tricks"] for card in trick)
            assert set(shown) <= set(seen)
    # The spectator of the next round is told of the last round's last trick and no more.
    assert set(states[-1].view(None)["previous"]) == {field.name for field in PREVIOUS_FIELDS}


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_view_is_the_lookers_to_change(name: str, seats: int) -> None:
    def spoil(value: Any) -> None:
        if isinstance(value, dict):
            for inner in value.values():
                spoil(inner)
            value.clear()
        elif isinstance(value, list):
            for inner in value:
                spoil(inner)
            value.append("spoiled")

    for state in walk(name, seats, b"spoil", rounds=2)[::5]:
        before = [state.view(looker) for looker in lookers(state)]
        for looker in lookers(state):
            spoil(state.view(looker))
        assert [state.view(looker) for looker in lookers(state)] == before


def test_the_view_at_the_deal() -> None:
    state = trick_game("njet").deal(3, b"deal", {"dealer": 2, "rounds": 4})
    view = state.view(1)
    hand = view.pop("hand")
    assert len(hand) == 16
    order = trick_game("njet").actions.names
    assert hand == sorted(hand, key=order.index)
    assert view == {
        "game": "njet",
        "seats": 3,
        "seat": 1,
        "options": {
            "rounds": 4,
            "target": None,
            "scoring": "full",
            "bonus": "take",
            "dealer": 2,
        },
        "round": 1,
        "rounds": 4,
        "phase": "tokens",
        "dealer": 2,
        "turn": 2,
        "scores": [0, 0, 0],
        "hand_sizes": [16, 16, 16],
        "open": ["first:0", "first:1", "first:2", *BOXES["njet"].split()],
        "tokens": [],
        "first_token": 2,
        "first": None,
        "discard": None,
        "trump": None,
        "supertrump": None,
        "points": None,
        "team": None,
        "bonus": None,
        "given": [],
        "received": [],
        "tricks": [],
        "leaders": [],
        "tricks_won": [0, 0, 0],
        "loot": [0, 0, 0],
        "previous": None,
    }


def test_tokens_are_seen_as_placed() -> None:
    """Who and where: the first one's seat, and the boxes in order (SPEC 11.9)."""
    state = trick_game("njet-it").deal(4, b"tokens", {"dealer": 3})
    play(state, "points:1", "trump:K", "discard:0")
    for looker in lookers(state):
        view = state.view(looker)
        assert view["tokens"] == ["points:1", "trump:K", "discard:0"]
        assert view["first_token"] == 0
        assert view["turn"] == 3
        assert not set(view["tokens"]) & set(view["open"])


def test_terms_team_and_bonus_are_seen_by_all() -> None:
    state = trick_game("nyet").deal(5, b"terms", {"dealer": 0})
    settle(state, first=3, discard="1x", trump="Y", supertrump="-", points=-2)
    for looker in lookers(state):
        view = state.view(looker)
        assert (view["phase"], view["turn"]) == ("team", 3)
        assert view["open"] == [
            "first:3",
            "discard:1x",
            "trump:Y",
            "supertrump:-",
            "points:-2",
        ]
        assert (view["first"], view["discard"], view["trump"]) == (3, "1x", "Y")
        assert (view["supertrump"], view["points"]) == ("-", -2)
        assert (view["team"], view["bonus"]) == (None, None)
    play(state, "team:23*2")
    for looker in lookers(state):
        view = state.view(looker)
        assert (view["phase"], view["turn"]) == ("discard", None)
        assert (view["team"], view["bonus"]) == ([2, 3], 2)


def test_the_tricks_of_the_round_stay_visible() -> None:
    """D10: who led each, the open one last; what was won and looted, by seat."""
    state = table(
        "nyet",
        ["R2 B9 G2", "R1 B2 G3", "R9 G4 Y2"],
        trump="Y",
        supertrump="-",
        team=(0,),
        bonus=0,
    )
    for view in everyones_views(state):
        assert (view["tricks"], view["leaders"]) == ([[]], [0])
        assert (view["tricks_won"], view["loot"]) == ([0, 0, 0], [0, 0, 0])
    play(state, "R2", "R1")
    for view in everyones_views(state):
        assert (view["tricks"], view["leaders"]) == ([["R2", "R1"]], [0])
        assert view["turn"] == 2
    play(state, "R9")
    for view in everyones_views(state):
        assert (view["tricks"], view["leaders"]) == ([["R2", "R1", "R9"], []], [0, 2])
        # The one came from seat 1, of the same team as seat 2.
        assert (view["tricks_won"], view["loot"]) == ([0, 0, 1], [0, 0, 0])
        assert (view["phase"], view["turn"]) == ("play", 2)
        assert view["hand_sizes"] == [2, 2, 2]
    play(state, "G4", "G2")
    for view in everyones_views(state):
        assert (view["tricks"], view["leaders"]) == ([["R2", "R1", "R9"], ["G4", "G2"]], [0, 2])
        assert view["hand_sizes"] == [1, 2, 1]


def test_the_last_round_is_told_in_the_next() -> None:
    state = trick_game("nyet").deal(3, b"previous", {"dealer": 1})
    lay(
        state,
        ["R2 B9", "R1 B2", "R9 B1"],
        first=0,
        trump="Y",
        supertrump="B",
        points=3,
        team=(0, 1),
        bonus=2,
    )
    play(state, "B9", "B2", "B1")  # the supertrump takes it
    play(state, "R9", "R2", "R1")
    for looker in lookers(state):
        view = state.view(looker)
        assert (view["round"], view["dealer"], view["phase"]) == (2, 2, "tokens")
        assert (view["tricks"], view["leaders"]) == ([], [])
        assert (view["tricks_won"], view["loot"]) == ([0, 0, 0], [0, 0, 0])
        assert view["first"] is None
        # Two tricks and the red one of an opponent, doubled, at three.
        assert view["scores"] == [0, 0, 18]
        assert view["previous"] == {
            "round": 1,
            "dealer": 1,
            "first": 0,
            "discard": "0",
            "trump": "Y",
            "supertrump": "B",
            "points": 3,
            "team": [0, 1],
            "bonus": 2,
            "tricks_won": [0, 0, 2],
            "loot": [0, 0, 1],
            "scored": [0, 0, 18],
            "last_leader": 2,
            "last_trick": ["R9", "R2", "R1"],
            "last_winner": 2,
        }


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_previous_agrees_with_what_was_seen_before(name: str, seats: int) -> None:
    states = walk(name, seats, b"agrees", rounds=3)
    checked = 0
    for before, after in itertools.pairwise(states):
        one, two = before.view(None), after.view(None)
        if two["previous"] == one["previous"]:
            continue
        checked += 1
        previous = two["previous"]
        for field in ("dealer", "first", "discard", "trump", "supertrump", "points", "bonus"):
            assert previous[field] == one[field]
        assert previous["team"] == one["team"]
        assert previous["round"] == one["round"]
        assert previous["last_trick"][:-1] == one["tricks"][-1]
        assert previous["last_leader"] == one["leaders"][-1]
        gained = [now - was for now, was in zip(two["scores"], one["scores"], strict=True)]
        assert previous["scored"] == gained
        won = Counter([*one["leaders"][1:], previous["last_winner"]])
        assert previous["tricks_won"] == [won[seat] for seat in range(seats)]
    assert checked == 3


def test_when_the_match_is_over_its_last_round_is_seen_in_full() -> None:
    state = trick_game("nyet").deal(2, b"over", {"dealer": 0, "rounds": 1})
    lay(state, ["R2 B9 G3", "R9 B1 G4"], trump="Y", discard="1", points=2)
    act(state, 0, "G3")
    act(state, 1, "G4")
    play(state, "B9", "B1", "R2", "R9")
    for looker in lookers(state):
        view = state.view(looker)
        assert (view["phase"], view["turn"], view["round"]) == ("over", None, 1)
        assert view["tricks"] == [["B9", "B1"], ["R2", "R9"]]
        assert view["leaders"] == [0, 0]
        assert (view["tricks_won"], view["loot"]) == ([1, 1], [1, 0])
        assert view["hand_sizes"] == [0, 0]
        assert view["scores"] == [4, 2]
        assert view["previous"]["round"] == 1
        assert view["previous"]["scored"] == [4, 2]
        assert (view["first"], view["trump"], view["points"]) == (0, "Y", 2)
    assert state.view(0)["given"] == ["G3"]
    assert state.view(0)["hand"] == []


def test_the_cards_chosen_so_far_have_left_the_hand_but_not_its_size() -> None:
    state = trick_game("njet").deal(3, b"chosen", {"dealer": 0})
    settle(state, discard="2")
    play(state, "team:0")
    hand = state.view(1)["hand"]
    act(state, 1, hand[0])
    view = state.view(1)
    assert view["given"] == [hand[0]]
    assert view["hand"] == hand[1:]
    assert view["hand_sizes"] == [16, 16, 16]
    act(state, 1, hand[1])
    assert state.view(1)["given"] == hand[:2]
    assert state.view(1)["hand_sizes"] == [16, 16, 16]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_hands_and_their_sizes_agree_all_along(name: str, seats: int) -> None:
    """But while cards are given away in secret: then the sizes are those dealt."""
    for state in walk(name, seats, b"sizes", rounds=2):
        view = state.view(None)
        for seat in range(seats):
            own = state.view(seat)
            chosen = len(own["given"]) if view["phase"] == "discard" else 0
            assert len(own["hand"]) + chosen == view["hand_sizes"][seat]
            order = trick_game(name).actions.names
            assert own["hand"] == sorted(own["hand"], key=order.index)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_turn_says_who_is_to_act_but_in_a_simultaneous_choice(name: str, seats: int) -> None:
    for state in walk(name, seats, b"turn", rounds=2):
        view = state.view(None)
        if view["phase"] in ("discard", "over"):
            assert view["turn"] is None
        else:
            assert state.to_act() == (view["turn"],)


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_game_names_its_fields(name: str) -> None:
    fields = trick_game(name).fields
    names = [field.name for field in FIELDS]
    previous = [f"previous.{field.name}" for field in PREVIOUS_FIELDS]
    assert [field.name for field in fields] in (names, names + previous)
    assert all(field.meaning for field in fields)
