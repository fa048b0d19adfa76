"""The runner and its jobs: referee processes that play sets and hand back matches."""
