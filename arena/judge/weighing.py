"""One decision weighed: every legal action against the one that was played, world by world."""

from __future__ import annotations

import random
from dataclasses import dataclass

from arena.games import Game, View
from arena.judge.bars import Differences, Level, swing_of
from arena.judge.judgement import ActionValue, Decided
from arena.judge.measure import Values


@dataclass(frozen=True)
class Question:
    """A decision to be judged. Actions are the game's numbers."""

    number: int  # of the move
    seat: int
    view: View
    legal: tuple[int, ...]
    played: int


class Weighing:
    """The values of the actions of one decision, and the bars of the last look at them."""

    def __init__(self, game: Game, values: Values, question: Question, seed: str):
        """`seed`: of the worlds; with the number of the move and of the world it gives each."""
        self.question = question
        self.looks = 0
        self.result: Decided | None = None  # as of the last look
        self._game = game
        self._values = values
        self._seed = seed
        self._worlds = 0
        self._total = 0.0  # of the values of the action that was played
        self._compared = {code: Differences() for code in question.legal if code != question.played}
        self._bars: dict[int, float] = {}
        self._open = set(self._compared)  # actions that may still be better than the one played

    def __repr__(self) -> str:
        return f"<Weighing move {self.question.number}, {self._worlds} worlds>"

    @property
    def worlds(self) -> int:
        return self._worlds

    def add_world(self) -> None:
        """Imagine one more world, and value the actions that are still open in it."""
        question = self.question
        rng = random.Random(f"{self._seed} {question.number} {self._worlds}")
        world = self._game.imagine(question.view, rng)
        lots = rng.getrandbits(32)
        value = self._values.value
        base = value(world, question.seat, question.played, lots)
        self._total += base
        self._worlds += 1
        for code in self._compared:
            if code in self._open:
                self._compared[code].add(value(world, question.seat, code, lots) - base)

    def look(self, level: Level) -> None:
        """Make the bars, and close the actions that are certainly no better than the one played.

        A closed action keeps its bar, and gets no more worlds.
        """
        self.looks += 1
        swing = swing_of([*self._compared.values()])
        for code in [*self._open]:
            differences = self._compared[code]
            self._bars[code] = level.bar(differences, swing)
            if differences.mean + self._bars[code] < 0:
                self._open.discard(code)
        self.result = self._decided()

    def _decided(self) -> Decided:
        name = self._game.actions.name
        question = self.question
        base = self._total / self._worlds
        actions = [ActionValue(name(question.played), base, 0.0, 0.0, self._worlds)]
        for code, each in self._compared.items():
            bar = self._bars[code]
            actions.append(ActionValue(name(code), base + each.mean, each.mean, bar, each.worlds))
        best_first = sorted(actions, key=lambda each: -each.value)
        return Decided(
            question.number,
            question.seat,
            name(question.played),
            tuple(best_first),
            self._values.measure.negligible,
        )
