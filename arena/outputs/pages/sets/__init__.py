"""The pages of sets: their matches in a compact form that people and the pages' scripts read."""
