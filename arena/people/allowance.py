"""How many tables a network may open: some at once, then one now and then. Pure.

A table that is opened and left at once costs little who does it, and starts a process for each of
its bots here.
"""

from __future__ import annotations

# Tables that a network may open in a row, and the seconds until it may open another one.
MOST_IN_A_ROW = 6
SECONDS_EACH = 10.0


class TableAllowance:
    """The tables that each network may open now; those that may open all are not kept."""

    def __init__(self) -> None:
        self._full_at: dict[str, float] = {}  # by network, when it may open all again

    def __repr__(self) -> str:
        return f"<TableAllowance, {len(self._full_at)} networks have opened some>"

    def seconds_until(self, network: str, now: float) -> float:
        """Return the seconds until a network may open a table; 0.0 if it may now."""
        owed = max(0.0, self._full_at.get(network, now) - now)
        return max(0.0, owed - (MOST_IN_A_ROW - 1) * SECONDS_EACH)

    def spend(self, network: str, now: float) -> None:
        """Note that a network has opened a table."""
        self._full_at = {each: at for each, at in self._full_at.items() if at > now}
        self._full_at[network] = max(now, self._full_at.get(network, now)) + SECONDS_EACH
