"""`arena serve`: leagues on the web, in a process of its own that reads public data only."""
