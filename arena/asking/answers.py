"""The answers of a bot to the requests of a recorded match, beside the recorded actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

FAULT = "fault"
"""How an answer that is no legal action is counted beside actions, which have other names."""


@dataclass(frozen=True)
class AnswerFault:
    """A breach. `text`: for people: what came, what was expected, what to do."""

    kind: str
    code: str
    text: str


@dataclass(frozen=True)
class Answer:
    """One answer; either an action or a fault."""

    number: int  # of the move
    action: str | None
    note: str
    took_us: int
    faults: tuple[AnswerFault, ...]  # that came with it; a fault may leave the action standing

    @property
    def counted_as(self) -> str:
        return FAULT if self.action is None else self.action


@dataclass(frozen=True)
class Compared:
    """All answers to one request, one of each time that the bot was asked."""

    number: int
    seat: int
    played: str
    is_own: bool  # the bot of the record chose it; else the referee played it in its place
    legal: tuple[str, ...]
    answers: tuple[Answer, ...]

    @property
    def counts(self) -> Sequence[tuple[str, int]]:
        """Each different answer and how often it came, the most frequent first."""
        return Counter(each.counted_as for each in self.answers).most_common()

    @property
    def is_same(self) -> bool:
        """True if every answer was the recorded action, and nothing was wrong with any."""
        return all(each.action == self.played and not each.faults for each in self.answers)
