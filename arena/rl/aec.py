"""Matches as PettingZoo environments in which one agent acts after the other (AEC).

    from arena.rl.aec import env

    table = env("nyet", seats=4, options={"rounds": 1})
    table.reset(seed=7)
    for agent in table.agent_iter():
        seen, reward, is_over, _, _ = table.last()
        table.step(None if is_over else policy(seen["observation"], seen["action_mask"]))

An agent is a seat. Where several seats choose at the same time they act one after the other, in
the order of seats, and none sees the choice of another. Rewards come when the match is over.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from operator import index
from typing import Any

from arena.games import GAMES, Options, State
from arena.games.description import DEFAULTS
from arena.rl.extra import of_the_extra_rl
from arena.rl.rewards import reward_called, rewards_of
from arena.rl.seat_arrays import SeatArrays, Seen
from arena.rl.shown import shown

with of_the_extra_rl():
    import gymnasium
    from pettingzoo import AECEnv

RENDER_MODES = ("human", "ansi")
SEED_BYTES = 16


def env(
    game: str,
    seats: int,
    options: Options = DEFAULTS,
    *,
    reward: str = "place",
    render_mode: str | None = None,
) -> TurnEnv:
    """Make an environment: a rule set by name, its table, its options.

    `reward`: `place`, `margin` or `score` (see `arena.rl.rewards`). `render_mode`: `ansi` returns
    the state as text, with all hands, `human` prints it.
    """
    return TurnEnv(game, seats, options, reward=reward, render_mode=render_mode)


class TurnEnv(AECEnv):
    """See `env`. An illegal action raises the errors of `State.apply`, and changes nothing."""

    metadata: Mapping[str, Any] = {
        "name": "arena",
        "render_modes": [*RENDER_MODES],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self, game: str, seats: int, options: Options, *, reward: str, render_mode: str | None
    ):
        super().__init__()
        self.game = GAMES[game]
        self.seats = seats
        self.options = {**options}
        self.metadata = {**TurnEnv.metadata, "name": f"arena_{self.game.name}_{seats}_v1"}
        self.render_mode = render_mode
        reward_called(reward)  # refused here, and not when a match is over
        self.reward = reward
        self._arrays = SeatArrays(self.game, seats, self.options)
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._arrays.space() for agent in self.possible_agents}
        self.action_spaces = {agent: self._arrays.action_space() for agent in self.possible_agents}
        self.agents: list[str] = []
        self._chance = random.Random()
        self._state: State | None = None

    def __repr__(self) -> str:
        return f"<TurnEnv {self.game.name}, {self.seats} seats, {self._state!r}>"

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        return self.action_spaces[agent]

    @property
    def match(self) -> State:
        """The state of the match, for programs that look behind the arrays; not to be changed."""
        if self._state is None:
            raise RuntimeError("no match has begun yet: call reset() first")
        return self._state

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a match. With `seed` the deals from here on are those of that seed, without it the
        next of the same row; `options` are of no use here, those of the match stay as they are."""
        if seed is not None:
            self._chance.seed(seed)
        self._state = self.game.deal(self.seats, self._chance.randbytes(SEED_BYTES), self.options)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self.agent_selection = self.possible_agents[self._state.to_act()[0]]

    def observe(self, agent: str) -> Seen:
        return self._arrays.see(self.match, self.seat_of[agent])

    def step(self, action: int | None) -> None:
        """Play the action of the agent that is to act; None once the match is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
        elif action is None:
            raise ValueError(f"{agent} owes an action, and None came")
        else:
            self.play(agent, action)

    def play(self, agent: str, action: int) -> None:
        """Play an action of an agent that owes one."""
        state = self.match
        state.apply(self.seat_of[agent], index(action))
        owing = state.to_act()
        if owing:
            self.agent_selection = self.possible_agents[owing[0]]
        else:
            self._end(state)

    def _end(self, state: State) -> None:
        """Give each agent its reward, and have each step once more, as PettingZoo wants it."""
        worth = rewards_of(reward_called(self.reward), state.outcome(), self.seats)
        self.rewards = dict(zip(self.possible_agents, worth, strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def render(self) -> str | None:
        """Show the match, with all hands, in the way that was asked for."""
        if self.render_mode is None:
            gymnasium.logger.warn("no render_mode was given, so render() shows nothing")
            return None
        text = shown(self.match)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is open: there is no window and no process."""
