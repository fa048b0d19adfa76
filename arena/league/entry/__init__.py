"""The beginning of a run of a league: its file compared with the league so far, and changes."""
