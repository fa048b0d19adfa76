"""The contract of games as a library: observations, masks, whole numbers of any type."""

from __future__ import annotations

import copy
import pickle
import random
import re
from array import array
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgpack
import numpy as np
import pytest

from arena.games import (
    GAMES,
    BadOption,
    BadView,
    Game,
    IllegalAction,
    Observation,
    Options,
    OutOfTurn,
    State,
)
from arena.games.research import RESEARCH
from tests.games import layouts
from tests.games.test_contract import (
    every_game,
    every_size,
    every_table,
    everything,
    line_of_play,
    packed,
    seed_of,
    some,
)

# By game, its version, and the number of seats: the fingerprint of a match's observations. Never
# change a line: a layout that is another has another version, and lines of its own.
FINGERPRINTS: dict[tuple[str, int, int], str] = {
    ("nyet", 1, 2): "457ed6024d873d4a",
    ("nyet", 1, 3): "726573dc3e16919a",
    ("nyet", 1, 4): "4627d5b9be5fcd60",
    ("nyet", 1, 5): "47981cb51968a283",
    ("njet", 1, 2): "9f56a6cc19dfde8d",
    ("njet", 1, 3): "c6f0695473d0f9fd",
    ("njet", 1, 4): "07203c41d69cbcb6",
    ("njet", 1, 5): "254a8ca7b5b088fe",
    ("njet-it", 1, 4): "7b67fa1095767a93",
    ("nope", 1, 2): "f13c2eda8c03f53d",
    ("nope", 1, 3): "f19ab8b61063be3b",
    ("nope", 1, 4): "b8a86b4934c4ccf5",
    ("nope", 1, 5): "e0208790d6f41a79",
    ("nope", 1, 6): "71d02fdb52b96f9a",
}
# By game: how many actions there are, and a hash of their names in order. Records and policies
# live on these numbers; they never change.
ACTION_TABLES: dict[str, tuple[int, str]] = {
    "nyet": (125, "4db880cc7b74ca11"),
    "njet": (114, "648d1a2c911f1803"),
    "njet-it": (62, "a5f5d1238b164a7c"),
    "nope": (142, "c5c2a4f1c8608f61"),
}

MOST_PICKLED = 1024  # bytes of a state, with a seed as leagues have
JUNK = -77  # no number of any observation


def observed(state: State, seat: int, size: int) -> list[int]:
    numbers = [JUNK] * size
    state.observe(seat, numbers)
    return numbers


def part_of(observation: Observation, name: str, numbers: Sequence[int]) -> list[int]:
    return [*numbers[observation.slices[name]]]


@every_table
def test_every_number_of_an_observation_is_written_and_within_the_bounds_of_its_part(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} {options} observed")
    observation = game.observation(seats, options)
    assert (observation.game, observation.seats) == (game.name, seats)
    assert len({part.name for part in observation.parts}) == len(observation.parts)
    assert observation.slices[observation.parts[-1].name].stop == observation.size
    for state in some(line_of_play(game, seats, options, b"observed", rng), rng, 0.2):
        for seat in range(seats):
            numbers = observed(state, seat, observation.size)
            assert {*map(type, numbers)} == {int}
            for part in observation.parts:
                block = part_of(observation, part.name, numbers)
                assert len(block) == part.size
                assert part.low <= min(block)
                assert max(block) <= part.high
            assert observation.low <= min(numbers)
            assert max(numbers) <= observation.high


ALL_TABLES = [
    *every_table.args[1],
    *(pytest.param(game, 2, {}, id=game.name) for game in RESEARCH.values()),
]


@pytest.mark.parametrize(("game", "seats", "options"), ALL_TABLES)
def test_an_observation_is_that_of_the_view_at_every_decision_and_holds_nothing_hidden(
    game: Game, seats: int, options: Options
) -> None:
    """Byte for byte, from the view as it comes over the wire; and no number changes where all that
    is hidden from the seat is dealt anew."""
    rng = random.Random(f"{game.name} {seats} {options} observed views")
    size = game.observation(seats, options).size
    by_state, by_view, anew = (np.zeros(size, np.int32) for _ in range(3))
    for number in range(3):
        for state in line_of_play(game, seats, options, seed_of(number), rng):
            for seat in range(seats):
                state.observe(seat, by_state)
                game.observe(msgpack.unpackb(packed(state, seat)), by_view)
                game.redeal(state, seat, rng).observe(seat, anew)
                assert by_state.tobytes() == by_view.tobytes() == anew.tobytes()


@every_game
def test_a_map_that_is_no_view_is_not_observed_unless_no_number_tells_of_what_is_wrong(
    game: Game,
) -> None:
    rng = random.Random(f"{game.name} no views")
    seats = game.seats[-1]
    size = game.observation(seats).size

    def told(view: Any) -> list[int]:
        numbers = [JUNK] * size
        game.observe(view, numbers)
        return numbers

    nothings: list[object] = [{}, [], None, 7]
    for nothing in nothings:
        with pytest.raises(BadView, match=f"no view of a seat in {game.name}: "):
            told(nothing)
    for state in some(line_of_play(game, seats, {}, b"no views", rng), rng, 0.03):
        view = state.view(0)
        expected, read = told(view), set()
        for field in view:
            without = {key: value for key, value in view.items() if key != field}
            for wrong in (without, {**view, field: "Q7"}, {**view, field: ["Q7"]}):
                try:
                    assert told(wrong) == expected
                except BadView:
                    read.add(field)
        assert {"seats", "seat", "hand", "turn"} <= read
        for seat in (None, -1, seats, True):
            with pytest.raises(BadView, match=r"a spectator has no observation|nobody sits at"):
                told({**view, "seat": seat})


@every_game
def test_a_view_for_a_larger_table_or_of_another_game_is_not_observed(game: Game) -> None:
    *_, seats = game.seats
    view, size = game.deal(seats, b"view").view(0), game.observation(seats).size
    for more in (seats + 1, 100):
        with pytest.raises(BadView, match="no view of a seat in"):
            game.observe({**view, "seats": more}, [0] * size)
    with pytest.raises(BadView, match=f"not a view of {game.name}, but of other"):
        game.observe({**view, "game": "other"}, [0] * size)
    with pytest.raises(ValueError, match=f"has room for {size + 1} numbers, but there are {size}"):
        game.observe(view, [0] * (size + 1))


@every_game
def test_a_view_with_too_long_a_list_is_refused_or_fills_the_array_all_the_same(game: Game) -> None:
    rng = random.Random(f"{game.name} long lists")
    seats = game.seats[-1]
    out = [JUNK] * game.observation(seats).size
    refused = 0
    for state in some(line_of_play(game, seats, {}, b"long lists", rng), rng, 0.03):
        view = state.view(0)
        for field, value in view.items():
            if isinstance(value, list):
                try:
                    game.observe({**view, field: value * 40}, out)
                except BadView:
                    refused += 1
    assert refused


@pytest.mark.parametrize(
    ("game", "part", "changed", "numbers"),
    [
        (GAMES["nope"], "draw_pile", {"draw_pile": 0}, [0]),
        (GAMES["nyet"], "seat", {"hand": ["R2"] * 15}, [1, 0, 0, 0]),
    ],
)
def test_no_world_is_imagined_for_an_observation(
    game: Game, part: str, changed: dict[str, Any], numbers: list[int]
) -> None:
    """A view that no world agrees with is written as it stands."""
    view = {**game.deal(4, b"no world").view(0), **changed}
    with pytest.raises(BadView):
        game.imagine(view, random.Random(1))
    observation = game.observation(4)
    out = [JUNK] * observation.size
    game.observe(view, out)
    assert part_of(observation, part, out) == numbers


@every_table
def test_equal_views_give_equal_observations_and_every_seat_has_its_own(
    game: Game, seats: int, options: Options
) -> None:
    """An imagined state has no more than its view; and each observation knows whose it is."""
    rng = random.Random(f"{game.name} {seats} {options} observed again")
    size = game.observation(seats, options).size
    for state in some(line_of_play(game, seats, options, b"again", rng), rng, 0.1):
        before = [state.view(seat) for seat in range(seats)]
        every = [observed(state, seat, size) for seat in range(seats)]
        for seat in range(seats):
            imagined = game.imagine(state.view(seat), rng)
            assert observed(imagined, seat, size) == every[seat]
        assert [state.view(seat) for seat in range(seats)] == before
        assert len({*map(tuple, every)}) == seats


@every_table
def test_nearly_every_decision_is_observed(game: Game, seats: int, options: Options) -> None:
    """What a seat did, it sees: after an action of its own its observation is another, unless a
    new deal or the same turn again looks alike."""
    rng = random.Random(f"{game.name} {seats} {options} observed decisions")
    size = game.observation(seats, options).size
    state = game.deal(seats, b"decisions", options)
    while state.to_act():
        seat = rng.choice(state.to_act())
        before = observed(state, seat, size)
        state.apply(seat, rng.choice(state.legal_actions(seat)))
        assert observed(state, seat, size) != before


@every_size
def test_the_mask_marks_the_legal_actions(game: Game, seats: int, options: Options) -> None:
    rng = random.Random(f"{game.name} {seats} masks")
    for state in some(line_of_play(game, seats, options, b"masks", rng), rng, 0.2):
        for seat in range(seats):
            mask = np.full(len(game.actions), JUNK, np.int8)
            state.mask(seat, mask)
            assert {*mask.tolist()} <= {0, 1}
            assert np.flatnonzero(mask).tolist() == [*state.legal(seat)]
            assert state.legal_actions(seat) == [*state.legal(seat)]
            assert np.arange(len(game.actions))[state.legal_actions(seat)].tolist() == [
                *state.legal(seat)
            ]


@every_size
def test_any_array_whose_items_can_be_assigned_is_written(
    game: Game, seats: int, options: Options
) -> None:
    observation = game.observation(seats, options)
    state = game.deal(seats, b"arrays", options)
    expected = observed(state, 0, observation.size)
    rows = np.zeros((2, observation.size), np.float32)
    state.observe(0, rows[1])
    assert rows.tolist() == [[0] * observation.size, expected]
    for code in "hif":
        numbers = array(code, [JUNK] * observation.size)
        state.observe(0, numbers)
        assert numbers.tolist() == expected
    mask = np.zeros(len(game.actions), bool)
    state.mask(state.to_act()[0], mask)
    assert mask.any()


@every_size
def test_an_array_of_another_size_and_a_seat_not_at_the_table_are_refused_in_words(
    game: Game, seats: int, options: Options
) -> None:
    size = game.observation(seats, options).size
    state = game.deal(seats, b"refused", options)
    with pytest.raises(ValueError, match=f"has room for {size + 1} numbers, but there are {size}"):
        state.observe(0, [0] * (size + 1))
    for nobody in (-1, seats, None, "0", 1.0, True):
        with pytest.raises(ValueError, match="seats at this table are numbered 0 to"):
            state.observe(nobody, [0] * size)  # type: ignore[arg-type]  # is what is tested
        with pytest.raises(ValueError, match="seats at this table are numbered 0 to"):
            state.mask(nobody, [0] * len(game.actions))  # type: ignore[arg-type]  # likewise


@every_game
def test_layouts_and_action_numbers_of_a_version_never_change(game: Game) -> None:
    if game.name not in GAMES:
        return
    for seats in game.seats:
        key = (game.name, game.observation(seats).version, seats)
        assert FINGERPRINTS[key] == layouts.fingerprint(game, seats, game.trials.sweep[0])
    names = " ".join(game.actions.names)
    assert ACTION_TABLES[game.name] == (
        len(game.actions),
        sha256(names.encode()).hexdigest()[:16],
    )


def test_the_document_has_the_layouts_of_the_games() -> None:
    """`python -m tests.games.layouts --write` writes them."""
    text = layouts.DOCUMENT.read_text()
    assert layouts.written(text) == text
    for name in GAMES:
        assert f"<!-- generated: {name}-parts -->" in text
        assert f"<!-- generated: {name}-actions -->" in text


@every_game
def test_the_groups_of_actions_are_ranges_that_cover_all_in_order(game: Game) -> None:
    covered = [code for codes in game.actions.groups.values() for code in codes]
    assert covered == [*range(len(game.actions))]


@every_table
def test_scores_stay_within_the_bounds_that_are_told_before(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} {options} bounds")
    lowest, highest = game.score_bounds(seats, options)
    for number in range(5):
        state = game.deal(seats, number.to_bytes(2, "big"), options)
        game.playout(state, rng)
        outcome = state.outcome()
        assert outcome is not None
        assert lowest <= min(outcome.scores)
        assert max(outcome.scores) <= highest


def test_the_examples_of_the_document_run() -> None:
    examples = re.findall(r"```python\n(.*?)```", layouts.DOCUMENT.read_text(), re.DOTALL)
    names: dict[str, object] = {}
    for example in examples:
        exec(example, names)
    assert sum(names["hand"]) == 15  # type: ignore[call-overload]  # a list of numbers
    assert isinstance(names["key"], str)


@every_size
def test_whole_numbers_of_any_type_are_seats_sizes_and_actions(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} whole numbers")
    ours = game.deal(seats, b"whole", options)
    theirs = game.deal(np.int64(seats), b"whole", options)  # type: ignore[arg-type]  # is tested
    out = np.zeros(game.observation(seats, options).size)
    for _ in range(60):
        if not ours.to_act():
            break
        seat = rng.choice(ours.to_act())
        action = rng.choice(ours.legal_actions(seat))
        their_seat: Any = np.int32(seat)
        assert [*theirs.legal(their_seat)] == [*ours.legal(seat)]
        assert theirs.view(their_seat) == ours.view(seat)
        assert type(theirs.view(their_seat)["seat"]) is int
        assert type(theirs.view(their_seat)["seats"]) is int
        theirs.observe(their_seat, out)
        theirs.mask(their_seat, np.zeros(len(game.actions)))
        ours.apply(seat, action)
        theirs.apply(their_seat, np.uint8(action))  # type: ignore[arg-type]  # is tested
        assert ours == theirs


@every_size
def test_an_illegal_action_of_any_type_of_number_is_refused_for_its_reason(
    game: Game, seats: int, options: Options
) -> None:
    state = game.deal(seats, b"illegal", options)
    (seat,) = state.to_act()
    illegal = next(code for code in range(len(game.actions)) if code not in state.legal(seat))
    for number in (illegal, np.int64(illegal), np.uint8(illegal)):
        with pytest.raises(IllegalAction):
            state.apply(seat, number)  # type: ignore[arg-type]  # is tested
        with pytest.raises(IllegalAction):
            state.apply(np.int64(seat), number)  # type: ignore[arg-type]  # is tested
    other = (seat + 1) % seats
    with pytest.raises(OutOfTurn):
        state.apply(np.int64(other), 0)  # type: ignore[arg-type]  # is tested


@every_table
def test_a_state_is_pickled_small_and_is_the_same_state_again(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} {options} pickled")
    seed = bytes(range(32))
    for state in some(line_of_play(game, seats, options, seed, rng), rng, 0.1):
        pickled = pickle.dumps(state)
        assert len(pickled) <= MOST_PICKLED
        again = pickle.loads(pickled)
        assert again == state
        assert everything(game, again, seats) == everything(game, state, seats)
        # What a state keeps for itself shows in how it goes on.
        one, two = random.Random(1), random.Random(1)
        twin = state.copy()
        for _ in range(12):
            for each, chance in ((twin, one), (again, two)):
                if each.to_act():
                    seat = each.to_act()[-1]
                    each.apply(seat, chance.choice(each.legal_actions(seat)))
            assert twin == again
        assert everything(game, again, seats) == everything(game, twin, seats)


@every_size
def test_copies_are_equal_and_independent_and_any_action_makes_a_difference(
    game: Game, seats: int, options: Options
) -> None:
    state = game.deal(seats, b"copies", options)
    seat = state.to_act()[0]
    for twin in (state.copy(), copy.copy(state), copy.deepcopy(state), copy.deepcopy([state])[0]):
        assert twin == state
        twin.apply(seat, twin.legal_actions(seat)[0])
        assert twin != state
    assert state != game.deal(seats, b"others", options)
    strange: object = "a state"
    assert state != strange
    with pytest.raises(TypeError, match="unhashable"):
        hash(state)


@every_game
def test_a_game_is_pickled_by_its_name_and_never_copied(game: Game) -> None:
    assert copy.copy(game) is copy.deepcopy(game) is game
    if game.name in GAMES:
        assert pickle.loads(pickle.dumps(game)) is game
        assert len(pickle.dumps(game)) < 100
    else:
        assert pickle.loads(pickle.dumps(game)).name == game.name


@every_table
def test_the_stage_is_the_round_and_the_phase_that_a_spectator_sees(
    game: Game, seats: int, options: Options
) -> None:
    rng = random.Random(f"{game.name} {seats} {options} stage")
    for state in some(line_of_play(game, seats, options, b"stage", rng), rng, 0.3):
        view = state.view(None)
        phase = view.get("phase", "play" if state.to_act() else "over")
        assert state.stage() == (view.get("round", 1), phase)


@every_game
def test_what_is_handed_to_the_wrong_game_or_is_no_state_is_refused_in_words(game: Game) -> None:
    rng = random.Random(1)
    anything: Any = {}
    other = next(each for each in GAMES.values() if each is not game)
    for wrong, words in (
        (other.deal(4, b"other"), f"no state of {game.name}, but of {other.name}"),
        (anything, f"no state of {game.name}, but dict"),
    ):
        calls: tuple[Any, ...] = (
            lambda state: game.playout(state, rng),
            game.cards,
            lambda state: game.redeal(state, None, rng),
        )
        for call in calls:
            with pytest.raises(TypeError, match=words):
                call(wrong)


@every_game
def test_misspelt_arguments_are_answered_in_words(game: Game) -> None:
    seats = game.seats[0]
    state = game.deal(seats, b"words")
    rng = random.Random(1)
    with pytest.raises(ValueError, match='until "round" or "match"; got \'rounds\''):
        game.playout(state, rng, "rounds")  # type: ignore[arg-type]  # is tested
    for wrong in (7, None, np.random.default_rng(1)):
        calls: tuple[Any, ...] = (game.imagine, game.playout)
        for call in calls:
            with pytest.raises(TypeError, match=r"rng is a random\.Random"):
                call(state if call == game.playout else state.view(0), wrong)
        with pytest.raises(TypeError, match=r"rng is a random\.Random"):
            game.redeal(state, 0, wrong)  # type: ignore[arg-type]  # is tested
    with pytest.raises(BadOption, match="are a map of names and values; got"):
        game.deal(seats, b"words", ["rounds"])  # type: ignore[arg-type]  # is tested


@pytest.mark.parametrize("game", [*GAMES.values(), *RESEARCH.values()], ids=lambda game: game.name)
def test_a_view_of_another_game_is_refused_by_its_name(game: Game) -> None:
    other = GAMES["njet" if game.name.startswith("nyet") else "nyet"]
    view = other.deal(2, b"view").view(0)
    with pytest.raises(BadView, match=f"not a view of {game.name}, but of {other.name}"):
        game.imagine(view, random.Random(1))
