"""A Monte Carlo player that covers the board for what the round is about: points, or being ahead.

python3 bot.py          thinks for up to 80 ms a decision
python3 bot.py MS       thinks for up to so many; STAKES_MS in the environment says it too
"""

from board import cover
from player import play

THINK_MS = 80.0
FREE_PART = 0.8

if __name__ == "__main__":
    play(cover, THINK_MS, FREE_PART, "STAKES_MS")
