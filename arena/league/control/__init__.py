"""Orders of the operator to a league: performed while it runs, or on its store while it rests."""
