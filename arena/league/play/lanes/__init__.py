"""The lanes of a job: how many matches it plays at once, adjusted while it runs."""
