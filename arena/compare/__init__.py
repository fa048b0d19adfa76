"""Compare bots over sets of matches, outside a league."""
