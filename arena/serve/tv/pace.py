"""A match cut into deals, with the time that each move stays on the table. Pure.

A card is half a second, and a full trick stays a little longer, until it goes to its pile. That is
slow enough to follow without knowing the game, and a deal of sixty cards takes half a minute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.games import GAMES
from arena.outputs.pages.sets.sheet import PLAY
from arena.record import Record
from arena.record.replay import replay

DEAL_MS = 2_500  # the cards that were dealt, before the first move
CARD_MS = 500
PILE_MS = 800  # the last card of a trick, with the trick to its pile
QUICK_MS = 300  # a move that is no card on the table, such as a box covered
RESULT_MS = 4_000  # the end of a deal


@dataclass(frozen=True)
class ShownDeal:
    """One deal of a match: moves `first` to `last`, and for each how long it stays to be seen."""

    first: int
    stays_ms: Sequence[int]
    scores: Sequence[int]  # by seat, at its end; none in a game that counts no points

    @property
    def last(self) -> int:
        return self.first + len(self.stays_ms) - 1

    @property
    def ms(self) -> int:
        """How long it takes in all."""
        return DEAL_MS + sum(self.stays_ms)


def deals_of(record: Record) -> list[ShownDeal]:
    """Return the deals of a match that was played. Raises RecordError if the rules do not fit."""
    stage = GAMES[record.game].drawing.stage
    found: list[ShownDeal] = []
    stays: list[int] = []
    cards = 0  # on the table in this deal
    now = (1, PLAY)
    for step in replay(record):
        before, now = now, stage(step.state) if stage is not None else now
        if step.move is None:
            continue
        if stage is None:
            stays.append(CARD_MS)
        elif before[1] == PLAY:
            cards += 1
            stays.append(PILE_MS if cards % record.seats == 0 else CARD_MS)
        else:
            stays.append(QUICK_MS)
        if stage is not None and now[0] != before[0]:
            found.append(_ended(step.number, stays, step.state.view(None)["scores"]))
            stays, cards = [], 0
    if stays:
        found.append(_ended(len(record.moves) - 1, stays, record.scores))
    return found


def _ended(last: int, stays: Sequence[int], scores: Sequence[int]) -> ShownDeal:
    first = last - len(stays) + 1
    return ShownDeal(first, (*stays[:-1], RESULT_MS), tuple(scores))
