"""A whole small game in one file, `match_up.py`: copy it to begin a game of your own."""

from tests.games.example.match_up import EXAMPLE

__all__ = ["EXAMPLE"]
