"""The maths of the table: from results to ratings, bars and all other figures of a row."""

import os

# Here, because it has to be said before any module of this folder loads numpy with its BLAS: for
# matrices of this size more threads only wait for each other, and take processors from bots.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from arena.league.table.ratings.anchor import BadAnchor
from arena.league.table.ratings.columns import Columns, Selection
from arena.league.table.ratings.edges import Edges, seat_edges
from arena.league.table.ratings.provisional import ENOUGH_SETS, NARROW_ENOUGH, Lack
from arena.league.table.ratings.rated import Rating, Ratings, elos, ratings
from arena.league.table.ratings.results import Scored

__all__ = [
    "ENOUGH_SETS",
    "NARROW_ENOUGH",
    "BadAnchor",
    "Columns",
    "Edges",
    "Lack",
    "Rating",
    "Ratings",
    "Scored",
    "Selection",
    "elos",
    "ratings",
    "seat_edges",
]
