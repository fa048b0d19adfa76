"""Tests of `arena.judge`."""
