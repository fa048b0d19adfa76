"""The values of a league: its file as read, its settings, its schedule, its matches."""
