"""Whole rounds and values as the rules that play on make them, written out.

The rules of `arena.judge.rollout` work together, so a change in one of them shows in the cards of
a round. A changed rule changes these texts: read each new line before it is taken over.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from arena.games import GAMES
from arena.games.nyet.past import LOOT, LOOT_BITS
from arena.games.nyet.state import TrickState
from arena.games.nyet.terms import Terms
from arena.judge.knockout import ASKS
from arena.judge.policies import values_of
from arena.judge.rollout import Held, OpenRound, play_out
from arena.judge.tricks import worth_by_kind
from tests.games.trick_positions import table

SEATS = 4
CARDS_EACH = 6
IS_FIRST_TEAM = (True, False, True, False)


class WatchedRound(OpenRound):
    """A round that notes each card as it is played."""

    __slots__ = ("played",)

    played: list[int]

    def play(self, suit: int, seat: int, card: int) -> None:
        super().play(suit, seat, card)
        self.played.append(card)


def begun(name: str, supertrump: str) -> tuple[TrickState, Terms]:
    """A round in which red is trump."""
    state = table(name, ("B3 B4", "B5 B6", "B7 B8", "B9 B2"), supertrump=supertrump)
    assert state.terms is not None
    return state, state.terms


def round_in_words(name: str, supertrump: str, seed: int, *, is_positive: bool) -> str:
    """By trick: the cards in the order of play, the seat that takes it, a plus for each loot."""
    _, terms = begun(name, supertrump)
    ladder = terms.trumps.ladder
    pack = list(range(len(ladder.suit)))
    random.Random(seed).shuffle(pack)
    suits: list[Held] = [[[] for _ in range(SEATS)] for _ in ladder.others]
    for place, card in sorted(enumerate(pack[: SEATS * CARDS_EACH]), key=lambda each: each[1]):
        suits[ladder.suit[card]][place % SEATS].append(card)
    this = WatchedRound(ladder, IS_FIRST_TEAM, suits, [0] * SEATS)
    this.played = []
    takes = play_out(this, seed % SEATS, (), is_positive=is_positive)
    card_name = GAMES[name].actions.name
    names = [card_name(ladder.kind[card]) for card in this.played]
    tricks = [
        f"{' '.join(names[start : start + SEATS])} >{take >> LOOT_BITS}{'+' * (take & LOOT)}"
        for start, take in zip(range(0, len(names), SEATS), takes, strict=True)
    ]
    return " | ".join(tricks)


POSITIVE: dict[tuple[str, str, int], str] = {
    ("nyet", "G", 0): (
        "Y1 Y5 Y12 Y13 >3+ | B6 R1 B5 B3 >0 | G2 G3 G12 R4 >3"
        " | B7 R2 B11 B8 >0 | G10 R12 R5 B1 >1 | B13 R8 R7 G1 >0"
    ),
    ("nyet", "G", 1): (
        "Y8 R3 R9 Y5 >3 | B5 B13 B3 B9 >0 | B2 R1 B11 B8 >1"
        " | Y4 G7 G8 R6 >0 | R10 R13 B12 R2 >1 | Y6 G13 G1 R12 >3"
    ),
    ("nyet", "G", 2): (
        "B4 B10 R8 B11 >0 | Y13 Y3 Y4 Y5 >0 | G2 G3 R3 G11 >2"
        " | B8 Y8 Y6 R7 >1 | Y7 R9 Y11 G8 >2 | G1 G12 R12 Y9 >2"
    ),
    ("nyet", "G", 3): (
        "Y3 Y9 B2 Y1 >0 | B3 B7 B12 R7 >3 | Y7 Y13 G4 Y2 >0"
        " | B5 B10 G1 G7 >2 | Y8 R11 G5 G10 >3 | G8 B11 G11 Y12 >1"
    ),
    ("nyet", "G", 4): (
        "G13 G8 G3 G5 >0 | Y13 R1 R2 Y5 >2+ | G10 R13 G4 B2 >3"
        " | Y8 R5 R6 B11 >1 | R7 R3 Y9 R8 >0 | G6 G1 B12 Y10 >1"
    ),
    ("nyet", "G", 5): (
        "B12 B2 B8 B5 >1 | G2 G10 G11 G7 >3 | G9 R3 G1 Y4 >1"
        " | Y7 R11 Y13 B7 >2 | B6 B10 R6 Y8 >0 | R13 Y10 R12 R1 >0+"
    ),
    ("nyet", "G", 6): (
        "Y2 Y7 Y10 Y12 >1 | G3 G8 G10 R1 >0 | B12 B11 B5 B6 >0"
        " | B4 R3 R8 Y9 >2 | G2 G12 R7 G1 >1 | R6 R12 R2 Y6 >2"
    ),
    ("nyet", "R", 1): (
        "G13 G8 G4 G12 >1 | B8 R3 R9 B5 >3 | G7 G1 G2 G10 >2"
        " | G11 R2 R6 R13 >1 | B4 Y7 Y8 R10 >0 | R12 B6 Y13 R1 >3"
    ),
    ("nyet", "R", 8): (
        "Y10 Y7 Y4 Y6 >0 | Y2 R1 B4 B2 >1 | B12 B7 G4 B3 >1"
        " | B8 B10 G6 B11 >0 | R4 G9 R3 G7 >0 | R7 G12 R13 G13 >2"
    ),
    ("nyet", "R", 9): (
        "G9 R3 G5 G7 >2 | B3 B13 R5 B5 >0 | Y5 R4 Y7 Y13 >1"
        " | B6 B12 B4 Y11 >2 | Y8 R9 R11 B11 >0 | R7 R10 Y9 R12 >3"
    ),
    ("njet", "R", 0): (
        "Y9 Y6 Y4 Y1 >0 | B7 B4 B2 R4 >3 | Y5 Y2 K5 Y7 >2"
        " | K1 K7 K0 K9 >1+ | R6 R9 R5 B0 >2 | K4 R8 B3 R0 >1"
    ),
    ("njet", "R", 1): (
        "Y9 Y1 Y6 Y5 >1 | Y4 Y8 R6 Y7 >3 | B7 B3 Y0 R5 >2+"
        " | K9 K3 R8 K7 >0 | R9 R3 Y3 B6 >0 | R0 R4 K6 B0 >0+"
    ),
    ("njet", "R", 2): (
        "Y9 R4 Y4 Y5 >3 | K9 K2 K5 R1 >2 | B2 B7 R5 B1 >0"
        " | K0 R2 R0 K3 >2 | Y2 K8 Y8 B9 >0 | R6 B0 Y3 B8 >0+"
    ),
    ("njet", "K", 0): (
        "Y7 Y4 Y2 R4 >3 | K2 K3 K7 K8 >2 | B1 B7 B0 B5 >3+"
        " | K6 R0 K0 K5 >1+ | B9 B4 R5 Y3 >3 | R8 Y0 R6 R9 >2"
    ),
    ("njet", "B", 0): (
        "Y7 Y4 Y2 R4 >3 | K2 K3 K7 K8 >2 | B1 B7 R0 B0 >1+"
        " | B5 B4 K6 Y3 >1 | B9 R9 R5 K0 >2 | K5 R8 Y0 R6 >3+"
    ),
    ("njet", "Y", 0): (
        "B0 B5 B1 B7 >3+ | K2 K3 K7 K8 >2 | Y2 R4 Y3 Y4 >3"
        " | K6 K0 B9 K5 >3+ | R5 R0 R6 R9 >2 | B4 R8 Y7 Y0 >1"
    ),
    ("njet", "-", 3): (
        "B0 B3 B6 B8 >2+ | B9 R3 B4 K3 >3 | K1 Y1 K4 K6 >2"
        " | K9 K7 B5 R1 >1 | Y4 Y3 K8 Y6 >0 | Y8 R2 Y0 R5 >3+"
    ),
    ("njet-it", "R", 0): (
        "B8 B7 B4 B5 >0 | B3 B1 K3 R2 >3 | G8 G3 G2 G5 >3"
        " | K8 K1 K2 R3 >2 | G7 R5 R1 G6 >0 | B2 R7 R8 K7 >2"
    ),
    ("njet-it", "R", 1): (
        "B8 R3 B5 B7 >2 | K8 K2 G2 K1 >2+ | K4 K7 R8 B4 >0"
        " | G9 R2 G4 G6 >1 | B1 G8 R5 R9 >0+ | R1 R4 G1 R7 >0"
    ),
    ("njet-it", "R", 2): (
        "K9 K3 K6 K5 >2 | K1 R3 K7 B1 >3+ | B2 B6 B3 B5 >0"
        " | B8 R6 R4 G4 >1 | G9 G1 G7 G5 >1+ | R1 R5 R8 G6 >1"
    ),
    ("njet-it", "G", 0): (
        "G1 G7 G4 G5 >0 | G8 R7 R8 B7 >2 | B3 B8 G2 B1 >3"
        " | K9 K4 K3 K6 >3 | R2 G3 B2 R3 >2 | K8 R5 K1 K7 >3+"
    ),
    ("njet-it", "G", 1): (
        "K1 K2 K7 K3 >3 | B2 R1 B1 B4 >0+ | G1 G4 K5 G5 >0"
        " | G7 G8 R3 R5 >3 | B7 R8 R2 B8 >0 | R9 R4 K9 R7 >0"
    ),
    ("njet-it", "G", 2): (
        "B9 B3 B6 B5 >2 | K2 K5 K6 R1 >1 | G1 G5 G2 G6 >1"
        " | B1 R4 R8 B7 >3 | K8 K7 G3 K1 >3+ | R3 G8 R6 R5 >1"
    ),
    ("njet-it", "K", 0): (
        "G8 G7 G4 G5 >0 | G3 G1 B3 R2 >3 | B8 B1 B2 R3 >2"
        " | K6 K9 K1 K3 >0 | G2 R7 R8 B7 >2 | K8 R5 K4 K7 >3"
    ),
    ("njet-it", "B", 0): (
        "G8 G7 G4 G5 >0 | G3 G1 B3 R2 >3 | K9 K4 K3 K6 >3"
        " | B7 B1 B2 K8 >0 | K1 K7 R3 R5 >3+ | B8 G2 R7 R8 >2"
    ),
    ("njet-it", "-", 3): (
        "K9 K4 K3 K2 >3 | B2 B9 B4 B3 >0 | B1 R3 B5 B6 >1+"
        " | G9 G2 G6 G5 >1 | G4 R1 R6 K5 >3+ | B8 R2 R5 K8 >1"
    ),
}

NEGATIVE: dict[tuple[str, str, int], str] = {
    ("nyet", "G", 0): (
        "Y1 Y5 Y12 Y13 >3+ | B1 G10 B5 B3 >1 | G3 G12 B7 G2 >2"
        " | B8 B6 R1 B13 >0 | R2 R12 R8 R7 >1 | B11 R5 R4 G1 >0"
    ),
    ("nyet", "G", 1): (
        "B3 B9 B8 B2 >2 | G7 G8 B13 Y8 >3 | B5 Y5 Y6 B12 >2"
        " | B11 R2 R6 R1 >0+ | R10 R13 R3 R9 >1 | Y4 G13 G1 R12 >3"
    ),
    ("nyet", "G", 2): (
        "B4 B10 Y13 B11 >1 | Y3 Y4 Y5 Y6 >0 | G2 G3 B8 G12 >3"
        " | Y8 G8 Y7 R3 >2 | R9 G11 R8 R7 >2 | G1 Y11 R12 Y9 >2"
    ),
    ("nyet", "G", 3): (
        "Y3 Y9 G11 Y8 >0 | B3 B2 B12 G8 >2 | Y1 Y7 Y13 G10 >0"
        " | B5 B7 Y12 G7 >1 | G4 Y2 R7 G5 >3 | R11 B11 B10 G1 >2"
    ),
    ("nyet", "G", 4): (
        "G4 G8 G3 G5 >1 | B2 B11 Y10 G13 >2 | G10 Y9 G6 R1 >1"
        " | R6 R3 R13 R8 >3 | Y5 Y13 R7 R2 >1 | G1 B12 Y8 R5 >1"
    ),
    ("nyet", "G", 5): (
        "G2 G10 G9 G7 >2 | B2 B8 B7 B12 >1 | Y7 Y4 Y13 B5 >3"
        " | B10 R3 Y10 B6 >0 | R6 G1 R12 R1 >1 | Y8 R11 G11 R13 >0"
    ),
    ("nyet", "G", 6): (
        "Y2 Y7 Y6 Y12 >1 | G3 G2 G10 B12 >3 | B6 B4 B11 B5 >1"
        " | R3 R8 R2 R7 >2 | G8 G12 Y10 R6 >1 | G1 R12 Y9 R1 >1+"
    ),
    ("nyet", "R", 1): (
        "G2 G8 G7 G1 >2 | Y7 Y8 G12 G13 >3 | G4 B5 B8 G11 >2"
        " | G10 R2 R6 B6 >0 | R10 R13 R3 R9 >1 | B4 Y13 R1 R12 >3"
    ),
    ("nyet", "R", 8): (
        "Y2 Y7 Y4 Y6 >1 | B8 B7 B2 B3 >1 | G9 B10 G7 B11 >1"
        " | B12 B4 G13 Y10 >1 | G12 R3 G6 R4 >0 | R7 R1 R13 G4 >1"
    ),
    ("nyet", "R", 9): (
        "B5 B3 B4 Y11 >1 | B6 B12 B13 G7 >3 | G5 Y5 G9 Y9 >1"
        " | B11 Y8 Y13 R5 >0 | R7 R4 R3 R12 >3 | R9 R11 R10 Y7 >0"
    ),
    ("njet", "R", 0): (
        "K0 K5 K4 K7 >3+ | Y1 Y2 Y6 Y4 >1 | B4 B2 Y5 B0 >1+"
        " | K9 K1 R4 Y9 >3 | R5 B7 R6 R9 >2 | Y7 R8 B3 R0 >1"
    ),
    ("njet", "R", 1): (
        "Y0 Y1 Y6 Y5 >3 | B0 B3 Y9 K9 >0+ | Y7 Y4 Y3 B7 >0"
        " | R8 R4 R5 R6 >0 | R9 R3 Y8 B6 >0 | R0 K7 K6 K3 >0"
    ),
    ("njet", "R", 2): (
        "B2 B7 K0 B1 >3+ | K3 K2 K5 Y9 >1 | B0 Y3 B8 Y8 >3"
        " | K8 Y4 B9 Y2 >3 | K9 R5 R2 R1 >0 | R6 Y5 R0 R4 >2"
    ),
    ("njet", "K", 0): (
        "B0 B5 B4 B7 >3+ | K2 K3 K7 K5 >1 | Y4 Y2 K6 Y0 >1+"
        " | B9 B1 R4 R0 >3+ | R5 Y7 R6 R9 >2 | K8 R8 Y3 K0 >1"
    ),
    ("njet", "B", 0): (
        "K0 K7 K5 K6 >1+ | Y4 Y2 B7 Y0 >1+ | B5 B4 K2 Y7 >1"
        " | B9 B1 R4 R0 >3+ | R5 Y3 R6 R9 >2 | K8 R8 K3 B0 >1"
    ),
    ("njet", "Y", 0): (
        "K0 K7 K5 K6 >1+ | Y4 Y2 B7 Y3 >1 | B5 B4 K2 B0 >1+"
        " | B9 B1 R4 R0 >3+ | R5 Y7 R6 R9 >2 | K8 R8 K3 Y0 >1"
    ),
    ("njet", "-", 3): (
        "B0 B3 B6 B9 >2+ | Y0 K8 Y1 Y4 >1+ | K3 K6 K1 Y8 >2"
        " | Y3 K7 Y6 K4 >0 | B4 R1 B8 R3 >3 | R5 B5 R2 K9 >3"
    ),
    ("njet-it", "R", 0): (
        "K1 K2 K3 K8 >3+ | B5 B3 B1 B4 >3 | K7 B8 B7 G7 >3"
        " | G8 G3 G6 G5 >3 | R2 R1 R7 R8 >0 | B2 G2 R3 R5 >3"
    ),
    ("njet-it", "R", 1): (
        "K1 K4 K2 G9 >2+ | G1 G6 G2 B8 >3+ | B5 B7 B1 G8 >0+"
        " | R8 R4 R3 R7 >0 | R9 R2 K8 R5 >0 | R1 B4 G4 K7 >0"
    ),
    ("njet-it", "R", 2): (
        "K1 K3 K6 K5 >0 | G5 G9 G1 G7 >1+ | B1 B5 B2 B8 >0+"
        " | B6 B3 K9 G4 >0 | G6 R6 R5 R3 >1 | R1 R4 R8 K7 >1"
    ),
    ("njet-it", "G", 0): (
        "K1 K3 K6 K9 >3+ | G5 G3 G7 G4 >1 | B1 B3 B7 G8 >3"
        " | B8 K4 B2 K8 >3 | R2 G2 R7 R3 >1 | K7 R8 R5 G1 >0"
    ),
    ("njet-it", "G", 1): (
        "K1 K2 K7 K3 >3 | B2 G7 B1 B8 >2+ | B4 B7 R1 G8 >0"
        " | R8 R4 R3 R7 >0 | R9 R2 K9 R5 >0 | G1 G4 K5 G5 >0"
    ),
    ("njet-it", "G", 2): (
        "K1 K5 K6 B1 >0+ | B6 B5 B9 B3 >2 | K2 K8 K7 G3 >3"
        " | G2 G6 G1 G5 >1 | R1 R4 R3 G8 >2+ | R5 R8 B7 R6 >3"
    ),
    ("njet-it", "K", 0): (
        "B1 B2 B3 B8 >3+ | G5 G3 G1 G4 >3 | B7 G8 G7 K8 >3"
        " | K9 K4 K7 K6 >3 | R2 G2 R7 R3 >1 | K3 R8 R5 K1 >0"
    ),
    ("njet-it", "B", 0): (
        "K1 K3 K6 K9 >3+ | G5 G3 G1 G4 >3 | B7 B1 B2 B3 >0"
        " | G2 G7 K8 B8 >1 | K7 R3 R2 K4 >2 | R8 R5 G8 R7 >2"
    ),
    ("njet-it", "-", 3): (
        "B2 B1 B4 B3 >1+ | K3 K2 K9 K5 >3 | B6 B9 G9 B5 >0"
        " | K4 G4 K8 B8 >2 | G2 G6 G5 R3 >1 | R5 R1 R6 R2 >3+"
    ),
}


@pytest.mark.parametrize(("name", "supertrump", "seed"), POSITIVE)
def test_a_round_worth_having_is_played_by_these_cards(
    name: str, supertrump: str, seed: int
) -> None:
    found = round_in_words(name, supertrump, seed, is_positive=True)
    assert found == POSITIVE[name, supertrump, seed]


@pytest.mark.parametrize(("name", "supertrump", "seed"), NEGATIVE)
def test_a_round_below_zero_is_played_by_these_cards(name: str, supertrump: str, seed: int) -> None:
    found = round_in_words(name, supertrump, seed, is_positive=False)
    assert found == NEGATIVE[name, supertrump, seed]


VALUES: dict[str, tuple[str, ...]] = {
    "nyet": (
        "tokens: first:0 7 first:4 7 discard:left1 7 trump:Y 7 supertrump:Y 8",
        "tokens: first:0 9 first:4 11 discard:left1 12 trump:Y 12 supertrump:Y 2",
        "tokens: first:0 -5 first:4 -2 discard:left1 -6 trump:G -9 supertrump:G 2",
        "tokens: first:0 -25.5 first:4 6 discard:left1 7 trump:G -2 supertrump:G 13",
        "team: team:02*0 0 team:23*2 4.5 team:012*3 -7 team:024*1 8 team:124*0 -3",
        "discard: R1 8 R11 10 B6 10 B10 10 Y7 10",
        "discard: R5 5 B1 10 Y1 7 Y9 7 G5 10",
        "discard: R7 -12 R12 -12 B9 -12 Y2 -12 Y8 -12",
        "discard: R1 7 R4 8 B3 11 Y5 9 G3 8",
        "lead: R7 -24 R12 -24 B9 -24 Y2 -21 Y8 -28.5",
        "follow: Y5 19 Y10 19",
        "follow: Y1 19 Y3 18 Y9 17",
        "follow: Y1 18 Y7 17",
        "follow: Y6 -25.5 Y13 -24",
        "lead: R2 -24 B1 -15 B11 -24 G1 -24 G4 -22.5",
        "lead: R5 16 R10 11 B1 8 Y1 16 Y9 16",
        "lead: R2 -24 R13 -22.5 B1 -15 B11 -28.5 G1 -28.5",
    ),
    "njet": (
        "tokens: first:0 4 discard:1 -6 trump:R -8 supertrump:R -12 points:1 -18",
        "tokens: first:0 14 first:4 -6 discard:right2 9 trump:B 9 supertrump:K 3",
        "tokens: first:0 3 first:4 3 discard:right2 3 trump:Y 3 supertrump:B 11",
        "tokens: first:0 3.75 first:4 0.75 discard:right2 -2.25 trump:Y 4.5 supertrump:B 5.25",
        "team: team:01*0 33 team:13*1 -3 team:012*3 4 team:014*2 -4 team:124*0 4",
        "discard: R0 -8 R7 -12 K5 -10 K7 -10 B6 -10",
        "discard: R4 -2 K0 -12 B0 -12 B7 -12 Y4 -12",
        "discard: R6 15 R8 0 K7 18 B1 6 B7 6",
        "discard: R0 -16 R3 -20 K2 0 B4 -16 Y2 -10",
        "lead: R1 9 K0 12 B5 6 B9 6 Y3 -3",
        "follow: Y2 0 Y7 0",
        "follow: Y0 2 Y4 0 Y7 -10",
        "follow: Y5 -4 Y6 -4 Y9 0",
        "lead: R0 2 K4 0 K6 0 B0 0 Y5 -10",
        "follow: Y0 3 Y3 15",
        "lead: R4 -4 R7 6 K0 6 B0 6 B2 6",
        "lead: R0 -4 R2 -2 R3 -2 R7 -2 B4 6",
    ),
    "njet-it": (
        "tokens: first:0 -24 discard:0 -13.33 trump:K -24 supertrump:K -8 points:1 18.67",
        "tokens: first:0 -5.33 first:3 -5.33 discard:2 -13.33 trump:B -18.67 supertrump:K -18.67",
        "tokens: first:0 -10.67 first:3 16 discard:2 18.67 trump:B 18.67 supertrump:B 16",
        "tokens: first:0 -5.33 discard:0 -4 trump:R -6.67 trump:G -6.67 supertrump:G -6.67",
        "team: team:01 -5.33 team:12 5.33 team:13 -10.67",
        "discard: R1 -5.33 R6 -8 R9 -5.33 K7 -5.33 B1 -5.33",
        "discard: R5 -2.67 R8 5.33 K1 5.33 B7 -2.67 G2 -5.33",
        "discard: R2 -5.33 R4 -5.33 K2 -5.33 B3 -5.33 B8 -13.33",
        "discard: K3 5.33 K6 13.33 K9 5.33 B2 -2.67 B9 -2.67",
        "lead: R5 8 K1 5.33 B7 0 G2 13.33 G3 13.33",
        "follow: G1 -2.67 G9 -13.33",
        "lead: R1 -5.33 R6 -8 K7 -2.67 B1 -18.67 B4 -16",
        "follow: R2 2.67 R3 2.67 R7 2.67 K2 2.67 K5 2.67",
        "follow: G2 -2.67 G3 -2.67 G5 -2.67 G8 -2.67",
        "follow: K3 -2.67 K4 -2.67 K6 -2.67 K9 -2.67 B1 8",
        "lead: R5 0 K1 -2.67 B7 0 G2 0 G3 0",
        "lead: R5 5.33 K1 5.33 G2 -2.67 G3 -2.67 G8 5.33",
    ),
    "nope": (
        "lay: BY1 5 BY3 0",
        "lay: RB2 1 GY1 1.5 BY3 3 X 1",
        "lay: G2 3 RG2 2 RG3 5 BY3 4.5 J 5",
        "lay: B1 3.5 RB2 0 RY2 3 GB1 2 GY1 5",
        "set: R1 4.5 R2 4.5",
        "choose: to0:1 1 to2:1 4 to3:1 2.5 to4:1 2 to5:1 3",
        "action card alone: RG1 2 X 3.5 TR 2 S* 2 X! 2.5",
        "choose, with a colour: to0:1R 3 to1:1R 1 to2:1R 1 to3:1R 4 to4:1R 3.5",
        "action card alone: B1 1 RB2 4 X 2 X! 2",
        "set: RG1 0 GY1 0",
        "choose: to0:1 2 to1:1 4 to3:1 0.5 to4:1 2 to5:1 1.5",
        "set: RG2 5 RY3 0",
        "action card alone: GB2 4 X 4 TR 1 X! 2 TR! 3.5",
        "set: B1 2 BY2 5",
        "draw: SY! 2 draw 5",
        "draw: SY! 3 draw 3",
        "action card alone: R3 5 RG1 2 RY2 2 SY! 3",
        "choose: to3:1 5 to3:2 4.5 to3:3 4",
    ),
}


@pytest.mark.parametrize("name", GAMES)
def test_the_actions_of_a_match_have_these_values(name: str) -> None:
    """Of the first decisions of each kind, some of the actions."""
    game = GAMES[name]
    values = values_of(game)
    rng = random.Random(3)
    state = game.deal(game.seats[-1], b"values", game.trials.short)
    met: Counter[str] = Counter()
    found = []
    while state.to_act():
        seat = rng.choice(state.to_act())
        legal = list(state.legal(seat))
        kind = game.kind_of(state.view(seat), [game.actions.name(each) for each in legal])
        met[kind] += len(legal) > 1
        if len(legal) > 1 and met[kind] <= 4:
            some = [
                f"{game.actions.name(each)} {round(values.value(state, seat, each, 5), 2):g}"
                for each in legal[:: max(1, len(legal) // 5)][:5]
            ]
            found.append(f"{kind}: {' '.join(some)}")
        state.apply(seat, rng.choice(legal))
    assert tuple(found) == VALUES[name]


CARDS = "R1 R2 R3 R8 R12 R13 B1 B2 B3 B8 B12 B13"
WORTH: dict[tuple[int | None, int | None], str] = {
    (0, 1): (
        "R1 -0.05 R2 0.55 R3 0.56 R8 0.74 R12 1.37 R13 1.65"
        " B1 1.40 B2 -0.55 B3 -0.55 B8 -0.44 B12 0.48 B13 1.05"
    ),
    (None, 0): (
        "R1 1.40 R2 -0.55 R3 -0.55 R8 -0.44 R12 0.48 R13 1.05"
        " B1 -1.15 B2 -0.55 B3 -0.55 B8 -0.44 B12 0.48 B13 1.05"
    ),
    (1, None): (
        "R1 -1.15 R2 -0.55 R3 -0.55 R8 -0.44 R12 0.48 R13 1.05"
        " B1 -0.05 B2 0.55 B3 0.56 B8 0.74 B12 1.37 B13 1.65"
    ),
}


@pytest.mark.parametrize(("trump", "supertrump"), WORTH)
def test_a_card_is_worth_more_the_higher_it_is_and_as_a_trump(
    trump: int | None, supertrump: int | None
) -> None:
    """Red is colour 0 and blue colour 1."""
    state, _ = begun("nyet", "G")
    worth = worth_by_kind(state.match.deck, SEATS, trump, supertrump)
    code = GAMES["nyet"].actions.code
    found = " ".join(f"{card} {worth[code(card)]:.2f}" for card in CARDS.split())
    assert found == WORTH[trump, supertrump]


def test_a_card_on_top_asks_for_its_number_and_for_a_little_less_in_one_colour() -> None:
    name = GAMES["nope"].actions.name
    assert " ".join(f"{name(kind)} {ask:g}" for kind, ask in enumerate(ASKS)) == (
        "R1 0.8 R2 1.6 R3 2.4 G1 0.8 G2 1.6 G3 2.4 B1 0.8 B2 1.6 B3 2.4 Y1 0.8 Y2 1.6 Y3 2.4"
        " RG1 1 RG2 2 RG3 3 RB1 1 RB2 2 RB3 3 RY1 1 RY2 2 RY3 3 GB1 1 GB2 2 GB3 3"
        " GY1 1 GY2 2 GY3 3 BY1 1 BY2 2 BY3 3 J 1 X 1 TR 1.5 TG 1.5 TB 1.5 TY 1.5"
        " SR 3 SG 3 SB 3 SY 3 S* 3"
    )
