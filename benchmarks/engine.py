"""The engines against their peers: `python -m benchmarks.engine` (needs `.[bench]`).

Random legal play, one process, counted in decisions of players. OpenSpiel's hearts is driven
from Python as we drive our own games; its chance nodes (the deal) take their time but are not
counted, as our deals are not. RLCard's uno is driven through its own environment.

The rules run in Python; with `--compiled` the same is then measured with the compiled rules, which
are built into a temporary folder for it (needs a C compiler). Each table says which it is of.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from arena.games import GAMES
from arena.games.compiled import is_compiled
from arena.games.interface import Game, State
from benchmarks.measure import Line, Work, interleaved, report, specialised

ROOT = Path(__file__).parent.parent


def our_matches(game: Game, seats: int, matches: int) -> Work:
    """Full matches through the public API, each action picked from `legal`."""
    chance = random.Random(1).random

    def work() -> int:
        decisions = 0
        for number in range(matches):
            state = game.deal(seats, number.to_bytes(4, "big"))
            to_act, legal, apply = state.to_act, state.legal, state.apply
            while owing := to_act():
                seat = owing[0]
                actions = legal(seat)
                apply(seat, actions[int(chance() * len(actions))])
                decisions += 1
            state.outcome()
        return decisions

    return specialised(work)


def our_playouts(game: Game, seats: int, matches: int) -> Work:
    """The same matches by `playout`; they have as many decisions as a counted twin."""
    rng = random.Random(2)
    counted = our_matches(game, seats, matches)() / matches

    def work() -> int:
        for number in range(matches):
            game.playout(game.deal(seats, number.to_bytes(4, "big")), rng)
        return round(counted * matches)

    return specialised(work)


def our_steps(game: Game, seats: int, matches: int) -> Work:
    """Full matches as a learning program plays them: before each action the observation and the
    mask of its seat are written to arrays."""
    chance = random.Random(1).random
    seen = np.zeros(game.observation(seats).size, np.float32)
    allowed = np.zeros(len(game.actions), np.int8)

    def work() -> int:
        decisions = 0
        for number in range(matches):
            state = game.deal(seats, number.to_bytes(4, "big"))
            while owing := state.to_act():
                seat = owing[0]
                state.observe(seat, seen)
                state.mask(seat, allowed)
                actions = state.legal_actions(seat)
                state.apply(seat, actions[int(chance() * len(actions))])
                decisions += 1
        return decisions

    return specialised(work)


def hearts(matches: int) -> Work:
    """OpenSpiel's hearts, from Python."""
    import pyspiel

    game = pyspiel.load_game("hearts")
    chance = random.Random(1).random

    def work() -> int:
        decisions = 0
        for _ in range(matches):
            state = game.new_initial_state()
            is_terminal, is_chance = state.is_terminal, state.is_chance_node
            legal, apply = state.legal_actions, state.apply_action
            while not is_terminal():
                if not is_chance():
                    decisions += 1
                actions = legal()
                apply(actions[int(chance() * len(actions))])
            state.returns()
        return decisions

    return specialised(work)


def uno(matches: int) -> Work:
    """RLCard's uno, through its environment, as its own examples drive it."""
    logging.disable(logging.WARNING)
    import rlcard

    env = rlcard.make("uno", config={"seed": 1})
    chance = random.Random(1).random

    def work() -> int:
        decisions = 0
        for _ in range(matches):
            state, _player = env.reset()
            while not env.is_over():
                actions = list(state["legal_actions"])
                state, _player = env.step(actions[int(chance() * len(actions))])
                decisions += 1
        return decisions

    return specialised(work)


def states_of(game: Game, seats: int, count: int) -> list[tuple[State, int]]:
    """States from all over a match, each with a seat that owes a decision."""
    rng = random.Random(3)
    found: list[tuple[State, int]] = []
    state = game.deal(seats, b"states")
    while len(found) < count:
        owing = state.to_act()
        if not owing:
            state = game.deal(seats, len(found).to_bytes(4, "big"))
            continue
        seat = owing[0]
        found.append((state.copy(), seat))
        state.apply(seat, rng.choice(state.legal(seat)))
    return found


def each(states: list[tuple[State, int]], action: Callable[[State, int], object]) -> Work:
    """The action ten times in a row for each state: a state that is asked is at hand."""

    def work() -> int:
        for state, seat in states:
            for _ in range(10):
                action(state, seat)
        return 10 * len(states)

    return specialised(work)


def observed(game: Game, seats: int, count: int) -> Work:
    """An observation from each view from all over a match, as a policy asks for it."""
    seen = np.zeros(game.observation(seats).size, np.float32)
    views = [state.view(seat) for state, seat in states_of(game, seats, count)]

    def work() -> int:
        for view in views:
            game.observe(view, seen)
        return len(views)

    return specialised(work)


def imagined(game: Game, seats: int, count: int) -> Work:
    """Ten worlds in a row for each view from all over a match: a search asks for many of a view."""
    rng = random.Random(4)
    views = [state.view(seat) for state, seat in states_of(game, seats, count)]

    def work() -> int:
        for view in views:
            for _ in range(10):
                game.imagine(view, rng)
        return 10 * len(views)

    return specialised(work)


def idle(state: State, seat: int) -> None:
    """What calling costs, to be taken off."""


def small_works(name: str, seats: int) -> dict[str, Work]:
    """copy, legal and view over states from all over a match."""
    states = states_of(GAMES[name], seats, 500)
    return {
        f"{name} copy": each(states, lambda state, seat: state.copy()),
        f"{name} legal": each(states, lambda state, seat: state.legal(seat)),
        f"{name} view": each(states, lambda state, seat: state.view(seat)),
        f"{name} idle": each(states, idle),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--compiled", action="store_true", help="measure the compiled rules too")
    options = parser.parse_args()
    code = measure(options.repeats)
    if options.compiled:
        code |= measure_compiled(options.repeats)
    return code


def measure_compiled(repeats: int) -> int:
    """Run this benchmark in a process of its own, which finds the compiled rules first."""
    with tempfile.TemporaryDirectory() as folder:
        install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", folder]
        subprocess.run([*install, ROOT], env={**os.environ, "ARENA_COMPILED": "1"}, check=True)
        again = [sys.executable, "-P", "-m", "benchmarks.engine", "--repeats", str(repeats)]
        places = {"PYTHONPATH": os.pathsep.join((folder, str(ROOT)))}
        return subprocess.run(again, env={**os.environ, **places}, check=False).returncode


def measure(repeats: int) -> int:
    """Measure the rules that this process has, and print the table."""
    nyet, nope = GAMES["nyet"], GAMES["nope"]
    # Each takes some 50 ms: enough that coming after another work, with the processor's caches
    # full of that, costs nothing to speak of.
    works = {
        "hearts": hearts(600),
        "nyet": our_matches(nyet, 4, 60),
        "nyet playout": our_playouts(nyet, 4, 120),
        "nyet steps": our_steps(nyet, 4, 10),
        "uno": uno(50),
        "nope": our_matches(nope, 4, 300),
        "nope steps": our_steps(nope, 4, 30),
        "nope playout": our_playouts(nope, 4, 300),
        "nyet imagine": imagined(nyet, 4, 100),
        "nope imagine": imagined(nope, 4, 100),
        "nyet observe": observed(nyet, 5, 2500),
        "nope observe": observed(nope, 6, 3000),
        **small_works("nyet", 4),
        **small_works("nope", 4),
    }
    cpu = interleaved(works, repeats)
    rates = ", ".join(
        f"{name} {1 / cpu[name]:,.0f}"
        for name in ("hearts", "nyet", "nyet playout", "uno", "nope", "nope playout")
    )
    worlds = ", ".join(f"{name} {1 / cpu[f'{name} imagine']:,.0f}" for name in ("nyet", "nope"))
    title = f"engine, rules {'compiled' if is_compiled() else 'in Python'}"
    return report(title, lines_of(cpu), [f"decisions/s: {rates}", f"worlds/s: {worlds}"])


def lines_of(cpu: Mapping[str, float]) -> list[Line]:
    """Return each figure with its bound. `cpu`: by work, the seconds of one piece of it."""
    lines = [
        Line(
            "nyet, full matches, against OpenSpiel hearts",
            cpu["hearts"] / cpu["nyet"],
            "x",
            *((1.5, 1.6) if is_compiled() else (1.0, 1.5)),
            at_least=True,
        ),
        Line(
            "nyet, playout, against OpenSpiel hearts",
            cpu["hearts"] / cpu["nyet playout"],
            "x",
            *((3.0, 3.3) if is_compiled() else (2.0, 3.0)),
            at_least=True,
        ),
        Line(
            "nope, full matches, against RLCard uno",
            cpu["uno"] / cpu["nope"],
            "x",
            5.0,
            8.0,
            at_least=True,
        ),
        Line(
            "nyet, steps with observation and mask, in thousands a second",
            1 / cpu["nyet steps"] / 1000,
            "k/s",
            60.0,
            100.0,
            at_least=True,
        ),
        Line(
            "nope, steps with observation and mask, in thousands a second",
            1 / cpu["nope steps"] / 1000,
            "k/s",
            30.0,
            60.0,
            at_least=True,
        ),
        Line(
            "nyet, imagined worlds, in thousands a second",
            1 / cpu["nyet imagine"] / 1000,
            "k/s",
            15.0,
            20.0,
            at_least=True,
        ),
    ]
    return [*lines, *small_lines(cpu, "nyet"), *small_lines(cpu, "nope")]


def small_lines(cpu: Mapping[str, float], name: str) -> list[Line]:
    """Return the figures of one game that are microseconds, with their bounds."""

    def small(what: str) -> float:
        return (cpu[f"{name} {what}"] - cpu[f"{name} idle"]) * 1e6

    return [
        Line(f"{name}, observation of a view", cpu[f"{name} observe"] * 1e6, "us", 50.0, 25.0),
        Line(f"{name} copy", small("copy"), "us", 0.5, 0.3),
        Line(f"{name} legal", small("legal"), "us", 0.3, 0.2),
        Line(f"{name} view", small("view"), "us", 6.0, 3.0),
    ]


if __name__ == "__main__":
    sys.exit(main())
