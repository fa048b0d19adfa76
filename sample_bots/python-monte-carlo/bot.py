"""A Monte Carlo player of all four games: it tries each action in many imagined worlds.

python3 bot.py          thinks for up to 40 ms a decision
python3 bot.py MS       thinks for up to so many; MONTE_CARLO_MS in the environment says it too
"""

from player import play
from tricks.tokens import cover

THINK_MS = 40.0
FREE_PART = 0.4

if __name__ == "__main__":
    # Tokens are python-tricks' own choice, as teams are: worlds alone chose worse.
    play(cover, THINK_MS, FREE_PART, "MONTE_CARLO_MS")
