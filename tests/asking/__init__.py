"""Tests of `arena.asking`."""
