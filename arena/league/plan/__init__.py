"""The schedule: pure functions from entrants and lots to the sets to play."""

import os

# As in `arena.league.table.ratings`, and before any module of this folder loads numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
