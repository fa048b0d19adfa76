"""The league's database: the one truth, with its lock, its events and its readers."""
