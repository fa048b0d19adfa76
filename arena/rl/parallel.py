"""Matches as parallel PettingZoo environments, in which all seats that owe a choice act at once.

    from arena.rl.parallel import parallel_env

    table = parallel_env("nyet", seats=4, options={"rounds": 1})
    seen, infos = table.reset(seed=7)
    while table.agents:
        seen, rewards, over, cut_short, infos = table.step(
            {agent: policy(seen[agent]) for agent in table.agents}
        )

This fits rule sets in which several seats choose at the same time: cards to discard or to pass.
Everywhere else one seat acts, and the actions of agents that owe none (their masks are all 0) are
not used.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any

from arena.games import GAMES, Options
from arena.games.description import DEFAULTS
from arena.rl.aec import RENDER_MODES, TurnEnv
from arena.rl.extra import of_the_extra_rl
from arena.rl.seat_arrays import Seen

with of_the_extra_rl():
    import gymnasium
    from pettingzoo import ParallelEnv


def parallel_env(
    game: str,
    seats: int,
    options: Options = DEFAULTS,
    *,
    reward: str = "place",
    render_mode: str | None = None,
) -> TogetherEnv:
    """Make an environment; the arguments are those of `arena.rl.aec.env`."""
    if not any(kind.together for kind in GAMES[game].kinds):
        raise ValueError(
            f"in {game} no two seats ever choose at the same time: use arena.rl.aec.env"
        )
    return TogetherEnv(TurnEnv(game, seats, options, reward=reward, render_mode=render_mode))


class TogetherEnv(ParallelEnv):
    """See `parallel_env`. An illegal action raises the errors of `State.apply`."""

    metadata: Mapping[str, Any] = {"name": "arena", "render_modes": [*RENDER_MODES]}

    def __init__(self, turns: TurnEnv):
        super().__init__()
        self._turns = turns
        self.metadata = turns.metadata
        self.render_mode = turns.render_mode
        self.possible_agents = turns.possible_agents
        self.observation_spaces = turns.observation_spaces
        self.action_spaces = turns.action_spaces
        self.agents: list[str] = []

    def __repr__(self) -> str:
        return f"<TogetherEnv {self._turns!r}>"

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Deal a match, as `TurnEnv.reset` does."""
        self._turns.reset(seed, options)
        self.agents = [*self.possible_agents]
        return self._seen(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Seen],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play one action of each seat that owes one."""
        turns = self._turns
        owing = [self.possible_agents[seat] for seat in turns.match.to_act()]
        missing = [agent for agent in owing if agent not in actions]
        if missing:
            raise ValueError(f"no action came of {', '.join(missing)}, whose turn it is")
        tried = turns.match.copy()  # an action that is refused leaves all others unplayed too
        for agent in owing:
            tried.apply(turns.seat_of[agent], index(actions[agent]))
        for agent in owing:
            turns.play(agent, actions[agent])
        agents, is_over = self.agents, not turns.match.to_act()
        if is_over:
            self.agents = []
        return (
            self._seen(),
            {agent: turns.rewards[agent] for agent in agents},
            dict.fromkeys(agents, is_over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )

    def _seen(self) -> dict[str, Seen]:
        return {agent: self._turns.observe(agent) for agent in self.possible_agents}

    def render(self) -> str | None:
        return self._turns.render()

    def close(self) -> None:
        self._turns.close()
