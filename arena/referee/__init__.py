"""The referee: links to bots, clocks, faults, one match, bot processes. Trio lives here."""
