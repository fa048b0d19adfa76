"""A league looked through for whatever does not fit: deals, moves, results, events, table."""
