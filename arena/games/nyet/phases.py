"""The phases of a round, in the words that views use."""

from enum import Enum


class Phase(Enum):
    TOKENS = "tokens"
    TEAM = "team"
    DISCARD = "discard"  # or pass: a secret choice of all at once
    PLAY = "play"
    OVER = "over"

    def __init__(self, word: str):
        self.word = word  # the same as `value`, without the cost of a property


TOKENS, TEAM, DISCARD, PLAY, OVER = Phase
