"""Raises an exception before it connects."""

raise RuntimeError("no such table: openings")
