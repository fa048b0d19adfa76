"""`arena evidence`: what an author may know of the faults of a bot that dials in (SPEC 2.7)."""
