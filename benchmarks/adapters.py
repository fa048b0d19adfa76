"""The adapters beside the peers' own card games: `python -m benchmarks.adapters` (`.[rl,bench]`).

Random legal play, one process, counted in decisions of players, each driven as the peers' own
examples drive theirs: PettingZoo's games and ours by `agent_iter`, `last` and `step`, RLCard's by
`step`, OpenSpiel's by `legal_actions` and `apply_action`. All observations are made, once for each
decision, except in OpenSpiel, where programs ask for them. They differ in size: nyet has 809
numbers and 125 actions, RLCard's leduc-holdem 36 and 4.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import warnings
from collections.abc import Callable
from typing import Any

from benchmarks.measure import Line, Work, interleaved, report, specialised

LEAST, STRETCH = 60_000.0, 100_000.0  # wrapped steps a second in nyet with 4 seats


def agents(make: Callable[[], Any], matches: int) -> Work:
    """Matches of a PettingZoo environment."""
    table = make()
    chance = random.Random(1).random

    def work() -> int:
        steps = 0
        for number in range(matches):
            table.reset(seed=number)
            for _agent in table.agent_iter():
                seen, _reward, is_over, is_cut_short, _info = table.last()
                if is_over or is_cut_short:
                    table.step(None)
                    continue
                legal = seen["action_mask"].nonzero()[0]
                table.step(legal[int(chance() * len(legal))])
                steps += 1
        return steps

    return specialised(work)


def rlcards(name: str, matches: int) -> Work:
    """Matches of an RLCard environment."""
    import rlcard

    table = rlcard.make(name, config={"seed": 1})
    chance = random.Random(1).random

    def work() -> int:
        steps = 0
        for _ in range(matches):
            state, _player = table.reset()
            while not table.is_over():
                legal = list(state["legal_actions"])
                state, _player = table.step(legal[int(chance() * len(legal))])
                steps += 1
        return steps

    return specialised(work)


def spiels(name: str, matches: int) -> Work:
    """Matches of an OpenSpiel game; drawing the deal takes its time, but is not counted."""
    import pyspiel

    game = pyspiel.load_game(name)
    chance = random.Random(1).random

    def work() -> int:
        steps = 0
        for _ in range(matches):
            state = game.new_initial_state()
            while not state.is_terminal():
                steps += not state.is_chance_node()
                legal = state.legal_actions()
                state.apply_action(legal[int(chance() * len(legal))])
        return steps

    return specialised(work)


def works() -> dict[str, Work]:
    """Return the work of each game by name; ours are those that begin with `arena`."""
    import open_spiel.python.games  # noqa: F401  # registers its games, as the next does ours
    from pettingzoo.classic import leduc_holdem_v4, texas_holdem_no_limit_v6, texas_holdem_v4

    import arena.rl.spiel  # noqa: F401
    from arena.rl.aec import env

    return {
        "arena nyet, 4 seats, PettingZoo": agents(lambda: env("nyet", 4), 15),
        "arena nope, 4 seats, PettingZoo": agents(lambda: env("nope", 4), 60),
        "PettingZoo leduc_holdem": agents(leduc_holdem_v4.env, 100),
        "PettingZoo texas_holdem": agents(texas_holdem_v4.env, 60),
        "PettingZoo texas_holdem_no_limit": agents(texas_holdem_no_limit_v6.env, 60),
        "RLCard uno": rlcards("uno", 20),
        "RLCard gin-rummy": rlcards("gin-rummy", 10),
        "RLCard leduc-holdem": rlcards("leduc-holdem", 400),
        "arena nyet, 4 seats, OpenSpiel": spiels("arena_nyet", 10),
        "OpenSpiel python_kuhn_poker": spiels("python_kuhn_poker", 2000),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    repeats = parser.parse_args().repeats
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")  # of the peers, about their own dependencies
    cpu = interleaved(works(), repeats)
    rates = {name: 1 / seconds for name, seconds in cpu.items()}
    ours = rates["arena nyet, 4 seats, PettingZoo"]
    best = max(rate for name, rate in rates.items() if name.startswith("PettingZoo"))
    lines = [
        Line(
            "nyet with 4 seats, thousand steps/s",
            ours / 1e3,
            "k",
            LEAST / 1e3,
            STRETCH / 1e3,
            at_least=True,
        ),
        Line("against PettingZoo's fastest card game", ours / best, "x", 5.0, 10.0, at_least=True),
    ]
    return report(
        "adapters", lines, [f"{rate:9,.0f} steps/s  {name}" for name, rate in rates.items()]
    )


if __name__ == "__main__":
    raise SystemExit(main())
