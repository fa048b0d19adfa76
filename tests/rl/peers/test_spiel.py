"""OpenSpiel's own suite on our games, and the parts of it that only its C++ tests have."""

from __future__ import annotations

import pickle
import random
from collections import Counter, defaultdict
from itertools import combinations
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts, tabular_qlearner
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

import arena.rl.spiel
from arena.games import GAMES, Game, Options
from arena.games.research import RESEARCH
from tests.rl.peers.tables import every_cell

pytestmark = pytest.mark.rl


def loaded(game: str, seats: int, options: Options, **given: str) -> Any:
    name = f"arena_{game.replace('-', '_')}"
    return pyspiel.load_game(name, {"players": seats, **given, **options})


def to_end(state: Any, rng: random.Random) -> Any:
    """Yield a state as it is played by lot, from the first decision of a player on."""
    while not state.is_terminal():
        if not state.is_chance_node():
            yield state
        state.apply_action(rng.choice(state.legal_actions()))
    yield state


@every_cell
@pytest.mark.parametrize("reward", ["place", "margin", "score"])
def test_random_simulations_hold(game: str, seats: int, options: Options, reward: str) -> None:
    """Clones, serialised states, masks, observations, sums and bounds of returns: see
    open_spiel/tests/basic_tests.cc."""
    pyspiel.random_sim_test(loaded(game, seats, options, reward=reward), 1, True, False)


@pytest.mark.parametrize(
    ("name", "nodes"),
    [
        ("arena_nyet_small", 1 + 4),  # the dealer, and two cards each
        ("arena_nope_small", 1 + 7),
        ("arena_nyet(players=4,rounds=1,chance=cards)", 1 + 60),
        ("arena_nyet(players=3,rounds=2,chance=cards,dealer=0)", 4 + 48),
        ("arena_njet_it(rounds=1,chance=cards)", 1 + 40),
        ("arena_nope(players=3,max_turns=20,chance=cards)", 4 + 1 + 104),
    ],
)
def test_random_simulations_hold_where_chance_deals_cards(name: str, nodes: int) -> None:
    game = pyspiel.load_game(name)
    assert game.max_chance_nodes_in_history() == nodes
    pyspiel.random_sim_test(game, 2, True, False)


@pytest.mark.parametrize("game", RESEARCH.values(), ids=lambda game: game.name)
def test_hands_are_as_likely_by_chance_nodes_as_by_counting(game: Game) -> None:
    """A hand of two is one of C(n, 2) equally likely pairs of single cards."""
    hands: dict[tuple[str, ...], float] = defaultdict(float)

    def walk(state: Any, chance: float) -> None:
        if not state.is_chance_node():
            hands[tuple(state.line.state.view(0)["hand"])] += chance
            return
        for outcome, probability in state.chance_outcomes():
            walk(state.child(outcome), chance * probability)

    walk(loaded(game.name, 2, {}).new_initial_state(), 1.0)
    pairs = [*combinations(sorted(game.deck(2), key=game.actions.code), 2)]
    expected = {pair: count / len(pairs) for pair, count in Counter(pairs).items()}
    assert hands == pytest.approx(expected)


def test_chance_of_another_kind_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="chance is seed or cards; got 'dice'"):
        loaded("nyet", 2, {}, chance="dice")


@every_cell
def test_the_python_suite_of_openspiel_holds(game: str, seats: int, options: Options) -> None:
    """Pickled games, types and states, clones, bounds of returns."""
    suite = games_sim_test.GamesSimTest()
    suite.sim_game(loaded(game, seats, options))


@every_cell
def test_a_resampled_state_is_the_same_to_its_player(
    game: str, seats: int, options: Options
) -> None:
    """ResampleInfostateTest of open_spiel/tests/basic_tests.cc, which C++ cannot ask of us."""
    rng = random.Random(1)
    for number, state in enumerate(to_end(loaded(game, seats, options).new_initial_state(), rng)):
        if number % 7 or state.is_terminal():
            continue
        for player in range(seats):
            other = state.resample_from_infostate(player, rng.random)
            for of in ("information_state_string", "observation_string"):
                assert getattr(other, of)(player) == getattr(state, of)(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.current_player() == state.current_player()


@every_cell
def test_observers_write_what_the_library_does(game: str, seats: int, options: Options) -> None:
    spiel = loaded(game, seats, options)
    observation = make_observation(spiel)
    described = GAMES[game].observation(seats, options)
    out = np.zeros(described.size, np.float32)
    for state in to_end(spiel.new_initial_state(), random.Random(2)):
        for player in range(seats):
            observation.set_from(state, player)
            state.line.state.observe(player, out)
            assert (observation.tensor == out).all()
            assert state.observation_tensor(player) == out.tolist()
            hand = out[described.slices["hand"]]
            assert (observation.dict["hand"].ravel() == hand).all()


# Matches that are short enough for information states as numbers.
SHORT = [
    *(
        pytest.param(f"arena_{name}(players={seats},rounds=1)", id=f"{name}-{seats}")
        for name in ("nyet", "njet")
        for seats in (2, 3, 4, 5)
    ),
    "arena_njet_it(rounds=1)",
    "arena_nope(players=2,max_turns=12)",
    "arena_nope(players=6,max_turns=12)",
    *(f"arena_{name.replace('-', '_')}" for name in RESEARCH),
]


@pytest.mark.parametrize("name", SHORT)
def test_information_states_are_numbers_in_short_matches_and_simulations_hold(name: str) -> None:
    game = pyspiel.load_game(name)
    assert game.get_type().provides_information_state_tensor
    layout = game.recall_layout
    assert game.information_state_tensor_size() == layout.size
    pyspiel.random_sim_test(game, 1, True, False)
    games_sim_test.GamesSimTest().sim_game(game)
    recalls = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    rng = random.Random(5)
    arrays: dict[str, tuple[float, ...]] = {}
    for state in to_end(game.new_initial_state(), rng):
        if rng.random() < 0.7 and not state.is_terminal():
            continue
        for player in range(game.num_players()):
            numbers = state.information_state_tensor(player)
            recalls.set_from(state, player)
            assert recalls.tensor.tolist() == numbers
            rows = recalls.dict["moments"]
            used = int(rows[:, 0].sum())
            assert rows[used - 1, 1:].tolist() == state.observation_tensor(player)
            key = state.information_state_string(player)
            assert arrays.setdefault(key, tuple(numbers)) == tuple(numbers)
    assert len({*arrays.values()}) == len(arrays)


@pytest.mark.parametrize("name", ["arena_nyet", "arena_njet_it(rounds=2)", "arena_nope"])
def test_long_matches_say_that_their_information_states_are_no_numbers(name: str) -> None:
    assert not pyspiel.load_game(name).get_type().provides_information_state_tensor


@pytest.mark.parametrize("name", ["arena_nyet_small", "arena_nope_small"])
def test_a_resampled_state_has_the_information_state_of_its_player_as_numbers(name: str) -> None:
    rng = random.Random(6)
    for state in to_end(pyspiel.load_game(name).new_initial_state(), rng):
        if state.is_terminal():
            continue
        for player in range(2):
            other = state.resample_from_infostate(player, rng.random)
            same = (each.information_state_tensor(player) for each in (state, other))
            assert next(same) == next(same)


def test_a_learner_of_openspiel_learns_from_information_states() -> None:
    """Its environment hands them out where a game has them; its tabular learner keys by them."""
    game = pyspiel.load_game("arena_nyet_small")
    learning = rl_environment.Environment(game)
    assert learning.observation_spec()["info_state"] == (game.information_state_tensor_size(),)
    learners = [
        tabular_qlearner.QLearner(player_id=player, num_actions=game.num_distinct_actions())
        for player in range(2)
    ]
    for _ in range(20):
        step = learning.reset()
        while not step.last():
            action = learners[step.observations["current_player"]].step(step).action
            step = learning.step([action])
        for learner in learners:
            learner.step(step)


def test_other_observers_and_information_states_as_numbers_are_refused_in_words() -> None:
    spiel = loaded("nyet", 2, {"rounds": 2})
    everything = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(ValueError, match="sees public things and the player's own, not less"):
        spiel.make_py_observer(everything)
    recalls = spiel.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    with pytest.raises(
        ValueError, match="has no numbers: ask for its string, or load the game with rounds=1"
    ):
        recalls.set_from(spiel.new_initial_state(), 0)


def test_a_state_in_the_middle_is_small_when_it_is_saved() -> None:
    states = [*to_end(loaded("nyet", 4, {}).new_initial_state(), random.Random(3))][-1:]
    assert len(states[0].serialize()) < 20_000  # 620 actions, and their numbers


def test_games_are_found_by_name_and_say_their_table() -> None:
    names = {game.short_name for game in pyspiel.registered_games()}
    ours = {arena.rl.spiel.name_of(game) for game in (*GAMES.values(), *RESEARCH.values())}
    assert {"arena_nyet", "arena_njet_it", "arena_nope_small"} <= ours <= names
    game = pyspiel.load_game("arena_nyet(players=3,rounds=2,reward=margin)")
    assert game.num_players() == 3
    assert pickle.loads(pickle.dumps(game)).get_parameters() == game.get_parameters()
    assert pyspiel.load_game("arena_njet_it").num_players() == 4


def test_openspiels_search_and_its_learning_environment_drive_a_match() -> None:
    game = loaded("nyet", 2, {"rounds": 1})
    bot = ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=np.random.RandomState(1)),
        uct_c=1.0,
        max_simulations=10,
        random_state=np.random.RandomState(2),
    )
    rng = random.Random(4)
    for number, state in enumerate(to_end(game.new_initial_state(), rng)):
        if number in (1, 20):
            assert bot.step(state) in state.legal_actions()
    learning = rl_environment.Environment(
        game, observation_type=rl_environment.ObservationType.OBSERVATION
    )
    step = learning.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = learning.step([step.observations["legal_actions"][player][0]])
    assert sum(step.rewards) == 0
