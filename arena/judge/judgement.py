"""The judgement of a match: the values of the actions of each decision, and its mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from arena.judge.measure import Measure

Verdict: TypeAlias = Literal["mistake", "fine", "undecided"]

VERDICTS: dict[Verdict, str] = {
    "mistake": "another legal action is worth more, by more than its bar",
    "fine": "no legal action is worth more by a difference that is looked for",
    "undecided": "the bars are too wide to tell",
}


@dataclass(frozen=True)
class ActionValue:
    """The value of a legal action."""

    action: str
    value: float
    more: float  # how much more than the action that was played, over the same worlds
    bar: float  # half the width of the bar around `more`
    worlds: int

    @property
    def least(self) -> float:
        """The least that it is worth more, by its bar."""
        return self.more - self.bar

    @property
    def most(self) -> float:
        """The most that it can be worth more, by its bar."""
        return self.more + self.bar


@dataclass(frozen=True)
class Decided:
    """A decision that was judged."""

    number: int  # of the move
    seat: int
    played: str
    actions: tuple[ActionValue, ...]  # all that were legal, the best first
    negligible: float

    @cached_property
    def better(self) -> ActionValue:
        """The action that is most certainly better than the one played."""
        others = [each for each in self.actions if each.action != self.played]
        return max(others, key=lambda each: (each.least, each.more))

    @property
    def verdict(self) -> Verdict:
        if self.better.least > 0:
            return "mistake"
        if all(each.most <= self.negligible for each in self.actions if each.action != self.played):
            return "fine"
        return "undecided"

    @property
    def is_settled(self) -> bool:
        """True if more worlds are not needed: a mistake is known to half its size."""
        match self.verdict:
            case "mistake":
                return self.better.bar <= self.better.more / 2
            case "fine":
                return True
            case "undecided":
                return False

    @property
    def promise(self) -> float:
        """The distance on the way to a mistake: 1 at the bar."""
        others = [each for each in self.actions if each.action != self.played]
        return max(each.more / each.bar if each.bar else 0.0 for each in others)


@dataclass(frozen=True)
class SeatCount:
    """The decisions of one seat."""

    judged: int
    mistakes: int
    undecided: int
    forced: int  # with a single legal action
    not_own: int  # played by the referee in the bot's place
    unlooked: int  # the effort ended before they had a bar


@dataclass(frozen=True)
class Judgement:
    """All decisions of a match, or of some of its seats, that were judged."""

    measure: Measure
    decided: tuple[Decided, ...]  # in the order of the match
    seats: dict[int, SeatCount]
    worlds: int  # imagined in all
    comparisons: int  # that the bars hold for, all at once
    seed: str

    @property
    def mistakes(self) -> Sequence[Decided]:
        """The mistakes, the worst first."""
        found = [each for each in self.decided if each.verdict == "mistake"]
        return sorted(found, key=lambda each: -each.better.more)
