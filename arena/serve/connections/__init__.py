"""Limits of single connections: no visitor holds one by doing nothing, or grows one without end."""
