"""Decisions as rows of numbers."""
