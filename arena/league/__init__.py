"""The league: plan sets of matches, play and store them, and rate the bots."""
