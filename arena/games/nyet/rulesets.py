"""The three trick-taking rule sets as data: one engine, and this table of differences.

A row of the board is a tuple of boxes; the box left open at the end is the rule of the round.
SPEC 11.1 prints this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

COLOUR_NAMES = {"R": "red", "B": "blue", "Y": "yellow", "G": "green", "K": "black"}
"""Every colour letter, of all rule sets together."""

NONE = "-"
"""The box that leaves a round without trump, or without supertrump."""


@dataclass(frozen=True)
class Discard:
    """A box of row 2: the cards each player discards or passes before the first trick."""

    name: str
    cards: int
    spares_low: bool = False  # low cards may not go while others are there [D5]
    passes: int = 0  # 0: out of the round; +1: to the next seat (left); -1: to the previous


@dataclass(frozen=True)
class RuleSet:
    name: str
    booklet: str
    colours: str
    ranks: tuple[int, ...]  # of one colour, every copy, ascending
    taken_out_with_three: tuple[int, ...]  # of each colour
    cards_each: Mapping[int, int]  # by number of seats
    discards: tuple[Discard, ...]
    may_lack_trump: bool
    points: tuple[int, ...]
    first_token_left_of_dealer: bool
    may_lack_supertrump: bool
    supertrump_joins_trump: bool  # "double agent": its suit is the trump colour
    bonus_seats: tuple[int, ...]  # table sizes at which the bonus card is in play
    rounds: Mapping[int, int]  # by number of seats

    @property
    def low(self) -> int:
        """The rank that is loot, and of which a colour's cards become supertrumps."""
        return self.ranks[0]

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(self.cards_each)

    @property
    def trumps(self) -> str:
        """The boxes of row 3."""
        return self.colours + NONE * self.may_lack_trump

    @property
    def supertrumps(self) -> str:
        """The boxes of row 4."""
        return self.colours + NONE * self.may_lack_supertrump


NYET = RuleSet(
    name="nyet",
    booklet="Nyet!, IELLO 2015",
    colours="RBYG",
    ranks=(1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13),
    taken_out_with_three=(11, 12, 13),
    cards_each={2: 15, 3: 16, 4: 15, 5: 12},
    discards=(  # [D3]
        Discard("1", 1),
        Discard("2", 2),
        Discard("1x", 1, spares_low=True),
        Discard("left1", 1, passes=1),
        Discard("0", 0),
    ),
    may_lack_trump=False,
    points=(1, 2, 3, 4, -2),
    first_token_left_of_dealer=False,
    may_lack_supertrump=True,
    supertrump_joins_trump=True,
    bonus_seats=(3, 5),
    rounds={2: 8, 3: 9, 4: 8, 5: 10},
)

NJET = RuleSet(
    name="njet",
    booklet="NJET, the earlier edition",
    colours="RKBY",  # [D1]
    ranks=(0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 8, 9),
    taken_out_with_three=(7, 7, 7),
    cards_each={2: 15, 3: 16, 4: 15, 5: 12},
    discards=(
        Discard("1", 1),
        Discard("2", 2),
        Discard("2x", 2, spares_low=True),
        Discard("right2", 2, passes=-1),
        Discard("0", 0),
    ),
    may_lack_trump=True,
    points=(1, 2, 3, 4, -2),  # [D4]
    first_token_left_of_dealer=False,
    may_lack_supertrump=True,
    supertrump_joins_trump=False,
    bonus_seats=(3, 5),
    rounds={2: 8, 3: 9, 4: 8, 5: 10},
)

NJET_IT = RuleSet(
    name="njet-it",
    booklet="Njet, the Italian four-player sheet",
    colours="RKBG",  # [D2]
    ranks=(1, 1, 2, 3, 4, 5, 6, 7, 8, 9),  # [D2]
    taken_out_with_three=(),
    cards_each={4: 10},
    discards=(Discard("0", 0), Discard("1", 1), Discard("2", 2)),  # [D9]
    may_lack_trump=False,
    points=(1, 2, 3, 4),
    first_token_left_of_dealer=True,
    may_lack_supertrump=True,
    supertrump_joins_trump=False,
    bonus_seats=(),
    rounds={4: 8},
)

# The deck for exact solving (arena/games/research.py): six cards, of which two lie aside, three
# tokens, and no discard. All rules but those of discards, teams and the bonus card are at work.
NYET_SMALL = RuleSet(
    name="nyet-small",
    booklet="none: for research",
    colours="RB",
    ranks=(1, 1, 2),
    taken_out_with_three=(),
    cards_each={2: 2},
    discards=(Discard("0", 0),),
    may_lack_trump=False,
    points=(1,),
    first_token_left_of_dealer=False,
    may_lack_supertrump=False,
    supertrump_joins_trump=True,
    bonus_seats=(),
    rounds={2: 1},
)

RULE_SETS = (NYET, NJET, NJET_IT)
