"""Web pages of a league: static files, readable without a server and without scripts."""

from arena.outputs.pages.pages import Pages

__all__ = ["Pages"]
