"""Web pages of a league that need no network, no program behind them, and no scripts to be read."""

from arena.outputs.pages.pages import Pages

__all__ = ["Pages"]
