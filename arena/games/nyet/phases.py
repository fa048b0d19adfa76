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
        # Its number, from 0; a dictionary of phases would call Enum's own hash, which is Python.
        self.place = len(type(self).__members__)


TOKENS, TEAM, DISCARD, PLAY, OVER = Phase
