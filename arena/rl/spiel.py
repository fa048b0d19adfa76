"""Every rule set as a game of OpenSpiel; importing this module registers them.

    import arena.rl.spiel
    import pyspiel

    game = pyspiel.load_game("arena_nyet(players=4,rounds=1)")

A game is called after its rule set, `arena_njet_it` for `njet-it`; `players` is its table,
`reward` one of `arena.rl.rewards`, and each option of the rule set is a parameter.

Chance is in the open. By `chance=seed`, nodes at the root draw a seed byte by byte, and all that is
dealt comes from it: a match with 2^32 equally likely deals stands for one with all deals. By
`chance=cards` they deal card by card, with exact probabilities. The small games for exact solving,
`arena_nyet_small` and `arena_nope_small`, have that by default, and no other chance.
Where several seats choose at the same time they act one after the other, in the order of seats,
and none is told the choice of another.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from arena.games import GAMES, Game, NoRecallArray, Options, RecallLayout
from arena.games.research import RESEARCH
from arena.rl.extra import of_the_extra_rl
from arena.rl.line import PlayLine
from arena.rl.rewards import reward_bounds, reward_called, rewards_of
from arena.rl.shown import shown
from arena.rl.spiel_chance import ChanceSteps
from arena.rl.spiel_observer import Observer
from arena.rl.spiel_parameters import CHANCE, PLAYERS, REWARD, Parameter, options_of, parameters

with of_the_extra_rl():
    import pyspiel


def name_of(game: Game) -> str:
    """The name under which OpenSpiel knows a rule set."""
    return f"arena_{game.name.replace('-', '_')}"


def layout_of(game: Game, seats: int, options: Options) -> RecallLayout | None:
    """The array of information states; None where matches are too long for one."""
    try:
        return RecallLayout.of(game, seats, options)
    except NoRecallArray:
        return None


def type_of(game: Game, layout: RecallLayout | None, *, is_zero_sum: bool = True) -> Any:
    """The description of a rule set for OpenSpiel. `layout`: of its information states."""
    kinds = pyspiel.GameType
    return kinds(
        short_name=name_of(game),
        long_name=f"{game.name}, by arena",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if is_zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=min(game.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=layout is not None,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(game),
    )


class ArenaGame(pyspiel.Game):
    """One rule set at one table."""

    def __init__(self, rules: Game, given: dict[str, Parameter]):
        self.rules = rules
        self.seats = int(given[PLAYERS])
        self.options = options_of(rules, given)
        self.reward = reward_called(str(given[REWARD]))
        self.chance = ChanceSteps(rules, self.seats, self.options, str(given[CHANCE]))
        low, high = reward_bounds(self.reward, rules, self.seats, self.options)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(rules.actions),
            max_chance_outcomes=self.chance.most_outcomes,
            num_players=self.seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if self.reward.is_zero_sum else None,
            max_game_length=rules.bound(self.seats, self.options),
        )
        self.recall_layout = layout_of(rules, self.seats, self.options)
        kind = type_of(rules, self.recall_layout, is_zero_sum=self.reward.is_zero_sum)
        super().__init__(kind, info, given)

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        return load, (str(self),)

    def new_initial_state(self) -> ArenaState:
        return ArenaState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.chance.most_steps

    def make_py_observer(self, asked: Any = None, parameters: Any = None) -> Observer:
        usual = pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self, asked or usual, parameters)


class ArenaState(pyspiel.State):
    """A match, from before its deal on. `line` is None until it is dealt."""

    def __init__(self, game: ArenaGame):
        super().__init__(game)
        self.chance = copy.deepcopy(game.chance)
        self.line: PlayLine | None = None

    # Names and types are OpenSpiel's, and so is the underscore of methods that only OpenSpiel
    # calls.

    def current_player(self) -> int:
        if self.line is None:
            return int(pyspiel.PlayerId.CHANCE)
        owing = self.line.state.to_act()
        return owing[0] if owing else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return self.line is not None and not self.line.state.to_act()

    def _legal_actions(self, player: int) -> list[int]:
        assert self.line is not None
        return sorted(self.line.state.legal(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.chance.outcomes()

    def _apply_action(self, action: int) -> None:
        if self.line is not None:
            self.line.apply(self.current_player(), action)
            return
        self.chance.apply(action)
        if not self.chance.outcomes():
            self.line = PlayLine(self.chance.state())

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.chance.name(action)
        name: str = self.get_game().rules.actions.name(action)
        return name

    def returns(self) -> list[float]:
        game = self.get_game()
        outcome = None if self.line is None else self.line.state.outcome()
        return [*rewards_of(game.reward, outcome, game.seats)]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> ArenaState:
        """Return a state that this player cannot tell from this one, drawn by `game.imagine`.

        Its history is empty, because an imagined world has no earlier rounds; `sampler` gives
        numbers from 0 to 1.
        """
        assert self.line is not None
        twin: ArenaState = self.get_game().new_initial_state()
        twin.line = self.line.imagined(player, random.Random(sampler()))
        return twin

    def __str__(self) -> str:
        if self.line is None:
            return str(self.chance)
        return shown(self.line.state)


def register(rules: Game) -> None:
    """Tell OpenSpiel of a rule set.

    It gets a class and no other callable: OpenSpiel lets go of it after the interpreter has ended,
    when only objects that still have another reference, as classes have to themselves, may be let
    go.
    """

    class RegisteredGame(ArenaGame):
        def __init__(self, given: dict[str, Parameter]):
            super().__init__(rules, given)

    usual = parameters(rules)
    layout = layout_of(rules, int(usual[PLAYERS]), options_of(rules, usual))
    pyspiel.register_game(type_of(rules, layout), RegisteredGame)


def load(name: str) -> Any:
    """Load a game of this module again from its name with its parameters."""
    return pyspiel.load_game(name)


for _rules in (*GAMES.values(), *RESEARCH.values()):
    register(_rules)
