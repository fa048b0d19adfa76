"""Facts of a match that outlive a round: scores, the round before, finished tricks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.games.nyet.cards import BYTE
from arena.games.nyet.turns import SEVERAL

if TYPE_CHECKING:
    from arena.games.nyet.actions import Team
    from arena.games.nyet.terms import Terms

LOOT_BITS = 3
LOOT = 7
"""A finished trick is a byte: the winner's seat, and below it the loot, at most four cards."""

WINNER = bytes(take >> LOOT_BITS for take in range(256))
"""By finished trick, the seat that took it, for bytes.translate."""

NEXT_LEADER = WINNER
"""By finished trick, the seat that leads the next: the one that took it (SPEC 11.3.5)."""

_NO_LOOT = bytes(take for take in range(256) if not take & LOOT)


@cache
def takes_of(team: int) -> tuple[bytes, ...]:
    """The byte of each finished trick: by the seat that took it, then by the seats that played a
    low card, a bit for each. Those of the other team than the taker's are loot (SPEC 11.6).

    `team`: the first player's, a bit for each seat.
    """
    seats = range(SEVERAL)
    return tuple(
        bytes(
            seat << LOOT_BITS | (lows & ~team if team >> seat & 1 else lows & team).bit_count()
            for lows in range(1 << SEVERAL)
        )
        for seat in seats
    )


LISTS = ("team", "tricks_won", "loot", "scored", "last_trick")
"""The arrays among the fields of a finished round."""


class RoundResult:
    """A finished round, as everyone saw it; put into words at the first question, then kept."""

    __slots__ = ("_round", "_words")

    def __init__(self, finished: FinishedRound | None, words: dict[str, Any] | None = None):
        """Take the round that was played, or `words`: its fields in a view."""
        self._round = finished
        self._words = words

    def in_words(self) -> dict[str, Any]:
        """The fields of the round as views have them, in a map that the caller may keep."""
        if self._words is None:
            assert self._round is not None
            self._words = put_in_words(self._round)
        words = self._words.copy()
        for name in LISTS:
            words[name] = [*words[name]]
        return words


class FinishedRound(NamedTuple):
    number: int
    dealer: int
    terms: Terms
    team: Team
    takes: bytes
    last_trick: bytes
    names: Sequence[str]  # by kind
    scored: tuple[int, ...]


def put_in_words(played: FinishedRound) -> dict[str, Any]:
    """A finished round as views have it."""
    tricks, loot = tricks_and_loot(played.takes, len(played.scored))
    return {
        "round": played.number,
        "dealer": played.dealer,
        **played.terms.words,
        "team": [*played.team.seats],
        "bonus": played.team.bonus,
        "tricks_won": tricks,
        "loot": loot,
        "scored": [*played.scored],
        "last_leader": last_leader(played),
        "last_trick": [played.names[kind] for kind in played.last_trick],
        "last_winner": played.takes[-1] >> LOOT_BITS,
    }


def last_leader(played: FinishedRound) -> int:
    """The seat that led the last trick."""
    return leaders(played.terms.first, played.takes)[-2]


@dataclass(slots=True, eq=False)
class EarlierRounds:
    number: int  # the round being played, from 1
    dealer: int
    scores: tuple[int, ...]
    previous: RoundResult | None
    # Kept by views, for they are asked often: the log before the first card, and the page
    # of a view about it. Nothing else here changes.
    page: tuple[bytes, dict[str, Any]] | None = None
    # Likewise by observations: the same log, and by seat the numbers that it settles.
    boards: tuple[bytes, list[bytearray | None]] | None = None


def tricks_and_loot(takes: bytes, seats: int) -> tuple[list[int], list[int]]:
    """By seat, the tricks and the loot in these finished tricks."""
    tricks = [0] * seats
    loot = [0] * seats
    for winner in winners(takes):
        tricks[winner] += 1
    for take in takes.translate(None, _NO_LOOT):
        loot[take >> LOOT_BITS] += take & LOOT
    return tricks, loot


def winners(takes: bytes) -> bytes:
    """The seats that took each of these tricks."""
    return takes.translate(WINNER)


def leaders(first: int, takes: bytes) -> bytes:
    """The seats that led each of these tricks, and the next; `first` is the first player."""
    return BYTE[first] + takes.translate(NEXT_LEADER)
