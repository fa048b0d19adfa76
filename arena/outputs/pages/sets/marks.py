"""Mistakes that `arena judge` found in a match and saved beside its league."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from arena.league.model.sets import Place
from arena.outputs.figures import fixed
from arena.record import Record

JUDGED = "judged"
"""The folder of a league in which they are kept."""


class Weighed(msgspec.Struct, frozen=True):
    """An action and what it would have been worth more than the one played, with its bar."""

    action: str
    more: float
    bar: float


class SavedDecision(msgspec.Struct, frozen=True):
    move: int
    seat: int
    verdict: str
    better: str | None
    actions: list[Weighed]


class SavedJudgement(msgspec.Struct, frozen=True):
    """What a page needs of the document that docs/judging.md describes."""

    match: str
    moves: int
    unit: str
    decisions: list[SavedDecision]


@dataclass(frozen=True)
class Mark:
    """A move that was judged a mistake."""

    move: int
    seat: int
    text: str


def file_of_judgement(folder: Path, place: Place) -> Path:
    """Return the file for this match in the league's folder."""
    return folder / JUDGED / f"{place.set}-{place.turn + 1}.json"


def saved(folder: Path, place: Place) -> bytes:
    """Return what was saved of the judgement of this match; empty if nothing was."""
    file = file_of_judgement(folder, place)
    return file.read_bytes() if file.is_file() else b""


def marks(content: bytes, record: Record) -> list[Mark]:
    """Return the mistakes, in the order of the match.

    A judgement of another match under the same number says nothing about this one. Raises
    msgspec.MsgspecError for a file that is no judgement.
    """
    if not content:
        return []
    judged = msgspec.json.decode(content, type=SavedJudgement)
    if (judged.match, judged.moves) != (record.match, len(record.moves)):
        return []
    return [
        Mark(each.move, each.seat, in_words(each, judged.unit))
        for each in judged.decisions
        if each.verdict == "mistake"
    ]


def in_words(decision: SavedDecision, unit: str) -> str:
    better = next((each for each in decision.actions if each.action == decision.better), None)
    if better is None:
        return "judged a mistake"
    more = f"{fixed(better.more, 1, signed=True)} ±{fixed(better.bar, 1)} {unit}"
    return f"judged a mistake: {better.action} is worth {more}"
