"""The schedule: pure functions from entrants and lots to the sets to play."""
