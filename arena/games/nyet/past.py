"""What earlier rounds have left behind: everything of a match that outlives a round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.games.nyet.actions import Team
from arena.games.nyet.terms import Terms

LOOT_BITS = 3
LOOT = 7
"""A finished trick is a byte: the winner's seat, and below it the loot, at most four cards."""

# For bytes.translate: the winner of a finished trick; and those without loot.
_WINNER = bytes(take >> LOOT_BITS for take in range(256))
_NO_LOOT = bytes(take for take in range(256) if not take & LOOT)


LISTS = ("team", "tricks_won", "loot", "scored", "last_trick")
"""The arrays among the fields of a finished round."""


class RoundResult:
    """A finished round, as everyone saw it. Put into words when first asked, then kept so."""

    __slots__ = ("_round", "_words")

    def __init__(self, finished: FinishedRound | None, words: dict[str, Any] | None = None):
        """What was played, or the words themselves, as a view had them."""
        self._round = finished
        self._words = words

    def in_words(self) -> dict[str, Any]:
        """A map of its own, as views have it."""
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
    """Who led the last trick: the winner of the one before, if there was one."""
    return played.takes[-2] >> LOOT_BITS if len(played.takes) > 1 else played.terms.first


@dataclass(slots=True, eq=False)
class Past:
    number: int  # the round being played, from 1
    dealer: int
    scores: tuple[int, ...]
    previous: RoundResult | None
    # Kept by views, for they are asked often: the log before the first card, and what a view
    # says of it. Nothing else here changes.
    page: tuple[bytes, dict[str, Any]] | None = None


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
    """Who took each of these tricks."""
    return takes.translate(_WINNER)
