"""The peers' own suites, on every rule set and size; they need the extra `rl`."""
