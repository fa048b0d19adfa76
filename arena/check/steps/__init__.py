"""The steps of a check, by subject; `arena.check.catalogue` lists them in order."""
