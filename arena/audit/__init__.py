"""Everything that `arena verify` works out anew about a league, by means of its own."""
