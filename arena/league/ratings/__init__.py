"""The maths of the table: from results to ratings, bars and everything else a row says."""

from arena.league.ratings.anchor import Anchor, BadAnchor
from arena.league.ratings.edges import Edges, seat_edges
from arena.league.ratings.provisional import ENOUGH_SETS, NARROW_ENOUGH, Lack
from arena.league.ratings.results import Match
from arena.league.ratings.table import Ratings, Row, elos, ratings

__all__ = [
    "ENOUGH_SETS",
    "NARROW_ENOUGH",
    "Anchor",
    "BadAnchor",
    "Edges",
    "Lack",
    "Match",
    "Ratings",
    "Row",
    "elos",
    "ratings",
    "seat_edges",
]
