"""Information states of the library."""

from __future__ import annotations

import copy
import pickle
import random
import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.games import GAMES, Game, NoRecallArray, Options, Recall, RecallLayout, State, WrongState
from arena.games.open_deal import OpenDeal
from arena.games.recall import MOST_NUMBERS
from arena.games.research import RESEARCH
from tests.games.test_contract import every_size, line_of_play

DOCUMENT = Path(__file__).parents[2] / "docs" / "observations.md"


@every_size
def test_a_key_changes_exactly_when_the_view_of_its_seat_does(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} recall")
    recall: Recall | None = None
    views: dict[int, object] = {}
    keys: dict[int, str] = {}
    for state in line_of_play(game, seats, options, b"recall", rng):
        recall = Recall(state) if recall is None else recall.then(state)
        for seat in range(seats):
            view, key = state.view(seat), recall.key(seat)
            assert (key == keys.get(seat)) == (view == views.get(seat))
            views[seat], keys[seat] = view, key
    assert len({*keys.values()}) == seats


@every_size
def test_a_key_asked_for_at_the_end_alone_is_the_same(
    game: Game, seats: int, options: Options
) -> None:
    def keys(asked: bool) -> list[str]:
        rng = random.Random(f"{game.name} {seats} recall late")
        recall: Recall | None = None
        for state in line_of_play(game, seats, options, b"recall", rng):
            recall = Recall(state) if recall is None else recall.then(state)
            if asked:
                recall.key(rng.randrange(1))
            else:
                rng.randrange(1)
        assert recall is not None
        return [recall.key(seat) for seat in range(seats)]

    assert keys(asked=True) == keys(asked=False)


@every_size
def test_a_hidden_deal_changes_no_key_and_an_earlier_difference_is_never_forgotten(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} recall hidden")
    state = game.deal(seats, b"recall", options)
    for seat in range(seats):
        anew = game.redeal(state, seat, rng)
        assert Recall(anew).key(seat) == Recall(state).key(seat)
    later = state.copy()
    seat = later.to_act()[0]
    later.apply(seat, later.legal_actions(seat)[0])
    other = game.redeal(state, seat, rng)
    for watcher in range(seats):
        if watcher != seat and other.view(watcher) != state.view(watcher):
            assert Recall(other).then(later).key(watcher) != Recall(state).then(later).key(watcher)


def test_a_world_that_a_seat_imagines_has_the_past_of_that_seat_alone() -> None:
    game = GAMES["nyet"]
    state = game.deal(4, b"imagined")
    recall = Recall(state)
    for _ in range(8):
        state.apply(state.to_act()[0], state.legal(state.to_act()[0])[0])
        recall = recall.then(state)
    world = game.imagine(state.view(1), random.Random(3))
    imagined = recall.imagined(world, 1)
    assert imagined.key(1) == recall.key(1)
    assert imagined.key(0) == Recall(world).key(0)


def whole_match() -> tuple[State, Recall]:
    """The end of a match of eight rounds: some 600 moments."""
    rng = random.Random(1)
    state = GAMES["nyet"].deal(4, b"whole")
    recall = Recall(state)
    while owing := state.to_act():
        state.apply(owing[0], rng.choice(state.legal_actions(owing[0])))
        recall = recall.then(state)
    return state, recall


def test_a_whole_match_is_pickled_and_copied_and_has_the_same_keys() -> None:
    _, recall = whole_match()
    for again in (pickle.loads(pickle.dumps(recall)), copy.deepcopy(recall), copy.copy(recall)):
        for seat in range(4):
            assert again.key(seat) == recall.key(seat)
            assert again.observations(seat) == recall.observations(seat)


def test_a_pickle_keeps_the_past_of_a_seat_that_imagines() -> None:
    game = GAMES["nyet"]
    state = game.deal(4, b"imagined")
    recall = Recall(state)
    for moves in range(3):
        world = game.imagine(state.view(1), random.Random(moves))
        imagined = recall.imagined(world, 1)
        later = world.copy()
        later.apply(later.to_act()[0], later.legal(later.to_act()[0])[0])
        for kept in (imagined, imagined.then(later)):
            again = pickle.loads(pickle.dumps(kept))
            assert [again.key(seat) for seat in range(4)] == [kept.key(seat) for seat in range(4)]
            assert again.observations(1) == kept.observations(1)
        state.apply(state.to_act()[0], state.legal(state.to_act()[0])[0])
        recall = recall.then(state)


# Matches of every game and size that are short enough for an array.
SHORT = [
    pytest.param(
        game,
        seats,
        {"rounds": 1} if "rounds" in {option.name for option in game.options} else {"max_turns": 9},
        id=f"{game.name}-{seats}",
    )
    for game in (*GAMES.values(), *RESEARCH.values())
    for seats in game.seats
]
short_matches = pytest.mark.parametrize(("game", "seats", "options"), SHORT)


@short_matches
def test_an_array_has_the_observation_of_each_moment_that_changed_the_view(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} array")
    layout = RecallLayout.of(game, seats, options)
    assert layout.size == np.prod(layout.shape) <= MOST_NUMBERS
    out = np.full(layout.size, -7, np.float32)
    recall: Recall | None = None
    last: dict[int, object] = {}
    expected: dict[int, list[np.ndarray[tuple[int], np.dtype[np.float32]]]] = {}
    for state in line_of_play(game, seats, options, b"array", rng):
        recall = Recall(state) if recall is None else recall.then(state)
        for seat in range(seats):
            if (view := state.view(seat)) != last.get(seat):
                seen = np.zeros(layout.observation.size, np.float32)
                state.observe(seat, seen)
                expected.setdefault(seat, []).append(seen)
                last[seat] = view
            if rng.random() < 0.2 or not state.to_act():
                layout.write(recall, seat, out)
                rows, moments = out.reshape(layout.shape), len(expected[seat])
                assert (rows[:moments, 0] == 1).all()
                assert (rows[:moments, 1:] == np.array(expected[seat])).all()
                assert not rows[moments:].any()


@short_matches
def test_a_hidden_deal_changes_no_array(game: Game, seats: int, options: Options) -> None:
    rng = random.Random(f"{game.name} {seats} array hidden")
    layout = RecallLayout.of(game, seats, options)
    for state in line_of_play(game, seats, options, b"hidden", rng):
        if rng.random() < 0.8:
            continue
        for seat in range(seats):
            anew = game.redeal(state, seat, rng)
            arrays = [[0] * layout.size for _ in range(2)]
            for each, array in zip((state, anew), arrays, strict=True):
                layout.write(Recall(each), seat, array)
            assert arrays[0] == arrays[1]


def whole_tree(game: Game, options: Options) -> Iterator[tuple[State, Recall]]:
    """Every state after the deal, in every line of play; seat 0 deals."""
    deals = [OpenDeal(game, 2, options, dealer=0)]
    states: list[tuple[State, Recall]] = []
    while deals:
        deal = deals.pop()
        if not deal.outcomes():
            state = deal.state()
            states.append((state, Recall(state)))
        for card, _ in deal.outcomes():
            deals.append(deal.copy())
            deals[-1].apply(card)
    while states:
        state, recall = states.pop()
        yield state, recall
        for seat in state.to_act()[:1]:
            for action in state.legal(seat):
                later = state.copy()
                later.apply(seat, action)
                states.append((later, recall.then(later)))


@pytest.mark.parametrize(
    ("name", "options"), [("nyet-small", {}), ("nope-small", {"hand": 1, "max_turns": 4})]
)
def test_two_arrays_are_equal_exactly_when_the_keys_are_in_every_line_of_play(
    name: str, options: Options
) -> None:
    game = RESEARCH[name]
    layout = RecallLayout.of(game, 2, options)
    arrays: dict[str, bytes] = {}
    keys: dict[bytes, str] = {}
    out = np.zeros(layout.size, np.int16)
    count = 0
    for state, recall in whole_tree(game, options):
        # After the end nothing is decided, and the ending itself is in no observation.
        if not state.to_act():
            continue
        for seat in range(2):
            layout.write(recall, seat, out)
            key, array = recall.key(seat), blake2b(out.tobytes(), digest_size=16).digest()
            assert arrays.setdefault(key, array) == array
            assert keys.setdefault(array, key) == key
            count += 1
    assert count > 2 * len(arrays) > 1000


def test_a_world_that_a_seat_imagines_has_its_array() -> None:
    game = GAMES["nyet"]
    options = {"rounds": 1}
    layout = RecallLayout.of(game, 4, options)
    state = game.deal(4, b"imagined", options)
    recall = Recall(state)
    for _ in range(30):
        state.apply(state.to_act()[0], state.legal(state.to_act()[0])[0])
        recall = recall.then(state)
    imagined = recall.imagined(game.imagine(state.view(1), random.Random(3)), 1)
    one, other = np.zeros(layout.size), np.zeros(layout.size)
    layout.write(recall, 1, one)
    layout.write(imagined, 1, other)
    assert (one == other).all()


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("nyet", {}, "arrays in matches of one round, with rounds=1"),
        ("njet-it", {"rounds": 2}, "arrays in matches of one round, with rounds=1"),
        ("nyet", {"rounds": 1, "target": 5}, "arrays in matches of one round, with rounds=1"),
        ("nope", {}, "would be an array of 1,840,736 numbers, and 100,000 are the most"),
    ],
)
def test_matches_that_are_too_long_for_an_array_are_refused_in_words(
    name: str, options: Options, told: str
) -> None:
    with pytest.raises(NoRecallArray, match=told):
        RecallLayout.of(GAMES[name], 4, options)


def test_a_layout_refuses_other_matches_and_arrays_of_another_size() -> None:
    small, nope = RESEARCH["nyet-small"], RESEARCH["nope-small"]
    layout = RecallLayout.of(small, 2)
    with pytest.raises(ValueError, match="of another match than the layout is for"):
        layout.write(Recall(nope.deal(2, b"other")), 0, [0] * layout.size)
    with pytest.raises(ValueError, match="the array has room for 3 numbers, but there are 688"):
        layout.write(Recall(small.deal(2, b"small")), 0, [0] * 3)
    state = small.deal(2, b"small")
    recall = Recall(state)
    while owing := state.to_act():
        state.apply(owing[0], state.legal(owing[0])[0])
        recall = recall.then(state)
    with pytest.raises(ValueError, match="of another match than the layout is for"):
        RecallLayout(layout.observation, 2).write(recall, 0, [0] * 172)


def test_the_examples_of_the_document_run() -> None:
    names: dict[str, Any] = {}
    for example in re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL):
        exec(example, names)
    assert names["key"].startswith("seat 0 ")
    assert names["moments"].shape == names["layout"].shape
    assert names["moments"][:, 0].sum() == 1


def test_a_state_of_another_game_or_table_is_no_next_moment() -> None:
    recall = Recall(GAMES["nyet"].deal(3, b"one"))
    others = [(GAMES["njet"], 3, "njet with 3"), (GAMES["nyet"], 4, "nyet with 4")]
    for game, seats, told in others:
        with pytest.raises(WrongState, match=f"nyet with 3 seats, and the state is of {told}"):
            recall.then(game.deal(seats, b"one"))
