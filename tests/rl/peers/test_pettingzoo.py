"""PettingZoo's own suite on our environments, and what it does not ask."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from arena.games import GAMES, IllegalAction, Options, OutOfTurn
from arena.rl.aec import TurnEnv, env
from arena.rl.parallel import TogetherEnv, parallel_env
from arena.rl.rewards import REWARDS
from tests.rl.peers.pettingzoo_suite import api_test, parallel_api_test, render_test, seed_test
from tests.rl.peers.tables import every_cell

pytestmark = [
    pytest.mark.rl,
    # Observations are maps with a mask, as those of PettingZoo's own card games; its suite names
    # those games one by one, and warns of all others.
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
]

TOGETHER = [name for name, game in GAMES.items() if any(kind.together for kind in game.kinds)]


@every_cell
def test_the_api_is_pettingzoos(game: str, seats: int, options: Options) -> None:
    api_test(env(game, seats, options), num_cycles=500)


@every_cell
def test_a_seed_gives_the_same_match_again(game: str, seats: int, options: Options) -> None:
    seed_test(lambda: env(game, seats, options), num_cycles=100)


@every_cell
def test_every_way_to_render_works(game: str, seats: int, options: Options) -> None:
    render_test(lambda render_mode: env(game, seats, options, render_mode=render_mode))


@every_cell
def test_the_parallel_api_is_pettingzoos_where_seats_choose_together(
    game: str, seats: int, options: Options
) -> None:
    if game not in TOGETHER:
        with pytest.raises(ValueError, match=r"no two seats ever choose .* use arena\.rl\.aec"):
            parallel_env(game, seats, options)
        return
    parallel_api_test(parallel_env(game, seats, options), num_cycles=1000)


@every_cell
def test_an_environment_is_pickled_and_copied_in_the_middle_of_a_match(
    game: str, seats: int, options: Options
) -> None:
    table = env(game, seats, options)
    table.reset(seed=1)
    for _ in range(20):
        table.step(int(table.last()[0]["action_mask"].nonzero()[0][0]))
    for twin in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        ours, theirs = play(copy.deepcopy(table)), play(twin)
        for (agent, seen), (other, twice) in zip(ours, theirs, strict=True):
            assert agent == other
            assert all((seen[key] == twice[key]).all() for key in seen)


def play(table: TurnEnv) -> Iterator[tuple[str, Any]]:
    """Play to the end by lot; yield each agent with what it saw."""
    rng = random.Random(1)
    for agent in table.agent_iter():
        seen, _, is_over, _, _ = table.last()
        yield agent, seen
        table.step(None if is_over else rng.choice(seen["action_mask"].nonzero()[0].tolist()))


@every_cell
def test_arrays_are_those_of_the_library_and_each_call_has_its_own(
    game: str, seats: int, options: Options
) -> None:
    table = env(game, seats, options)
    table.reset(seed=2)
    for agent, seen in play(table):
        seat = table.possible_agents.index(agent)
        out = np.zeros(table.observation_space(agent)["observation"].shape)
        table.match.observe(seat, out)
        assert (seen["observation"] == out).all()
        assert [*seen["action_mask"].nonzero()[0]] == sorted(table.match.legal(seat))
    first, second = (table.observe("seat_0")["observation"] for _ in range(2))
    first[:] = -1
    assert (second >= 0).any()


def test_rewards_come_at_the_end_and_are_what_was_asked_for() -> None:
    for reward in ("place", "margin", "score"):
        table = env("nyet", 4, {"rounds": 1}, reward=reward)
        table.reset(seed=3)
        earned = dict.fromkeys(table.possible_agents, 0.0)
        for agent in table.agent_iter():
            _, got, is_over, _, _ = table.last()
            earned[agent] += got
            legal = table.match.legal(table.possible_agents.index(agent))
            table.step(None if is_over else legal[0])
        outcome = table.match.outcome()
        assert outcome is not None
        assert [*earned.values()] == REWARDS[reward].of(outcome)


def test_what_is_wrong_is_answered_in_words_and_changes_nothing() -> None:
    table = env("nyet", 4, {"rounds": 1})
    with pytest.raises(RuntimeError, match=r"call reset\(\) first"):
        table.observe("seat_0")
    table.reset(seed=4)
    before = table.render_mode, table.agent_selection, table.match.view(None)
    with pytest.raises(IllegalAction, match="SPEC 11"):
        table.step(0)
    with pytest.raises(ValueError, match="owes an action, and None came"):
        table.step(None)
    with pytest.raises(TypeError):
        table.step(0.5)  # type: ignore[arg-type]  # is what is tested
    assert (table.render_mode, table.agent_selection, table.match.view(None)) == before
    with pytest.raises(ValueError, match="there is no reward 'win'"):
        env("nyet", 4, reward="win")


def to_secret_choices(table: TogetherEnv) -> dict[str, Any]:
    """Play on until several seats choose at once; return what all see."""
    rng = random.Random(5)
    for seed in range(100):
        seen, _ = table.reset(seed=seed)
        while table.agents:
            owing = [agent for agent in table.agents if seen[agent]["action_mask"].any()]
            if len(owing) > 1:
                return seen
            seen = table.step(choices(seen, rng))[0]
    raise AssertionError("no seed has a round with secret choices")


def choices(seen: dict[str, Any], rng: random.Random) -> dict[str, int]:
    """A legal action by lot for each agent; 0 for those that owe none."""
    legal = {agent: each["action_mask"].nonzero()[0].tolist() for agent, each in seen.items()}
    return {agent: rng.choice(actions or [0]) for agent, actions in legal.items()}


def test_in_parallel_all_who_owe_a_choice_act_in_one_step() -> None:
    table = parallel_env("nyet", 4, {"rounds": 1})
    seen = to_secret_choices(table)
    assert all(each["action_mask"].any() for each in seen.values())
    after = table.step(choices(seen, random.Random(6)))[0]
    changed = [
        agent for agent in seen if (seen[agent]["observation"] != after[agent]["observation"]).any()
    ]
    assert changed == table.possible_agents


def test_in_parallel_one_illegal_action_leaves_the_others_unplayed() -> None:
    table = parallel_env("nyet", 4, {"rounds": 1})
    seen = to_secret_choices(table)
    mask = seen["seat_3"]["action_mask"]
    with pytest.raises((IllegalAction, OutOfTurn)):
        table.step({**choices(seen, random.Random(7)), "seat_3": int(mask.argmin())})
    chosen = choices(seen, random.Random(7))
    del chosen["seat_2"]
    with pytest.raises(ValueError, match="no action came of seat_2, whose turn it is"):
        table.step(chosen)
    again = {agent: table._turns.observe(agent) for agent in table.agents}
    assert all((again[agent]["observation"] == seen[agent]["observation"]).all() for agent in seen)


def test_the_rules_alone_load_no_peer() -> None:
    command = "import arena.games, arena.rl.rewards, sys; print([*sys.modules])"
    loaded = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    )
    assert "pettingzoo" not in loaded.stdout
    assert "pyspiel" not in loaded.stdout
