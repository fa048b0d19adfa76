"""Evaluating a policy of this process against bots: its seat, and the results over sets."""
