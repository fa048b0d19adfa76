"""What is new from one view to the next, made small.

A change of a view is `{field: change}`: `[value]` a new value, `[start, count, items...]` a list
in which so many items from `start` on are replaced, `0` a field that is gone.
"""

from __future__ import annotations

from typing import Any

from arena.games import View

Changes = dict[str, Any]

# The same in every view of a match, or told by the page already.
LEFT_OUT = frozenset({"game", "seats", "seat", "options", "recent"})


def public_part(view: View) -> View:
    """A spectator's view."""
    return {field: value for field, value in view.items() if field not in LEFT_OUT}


def own_part(public: View, view: View) -> View:
    """What a seat sees otherwise than a spectator."""
    return {
        field: value
        for field, value in view.items()
        if value != public[field] and field not in LEFT_OUT
    }


def changes(before: View, now: View) -> Changes:
    """What is new from one view to the next."""
    changed: Changes = {
        field: change(before.get(field), value)
        for field, value in now.items()
        if field not in LEFT_OUT and (field not in before or before[field] != value)
    }
    for field in before:
        if field not in now:
            changed[field] = 0
    return changed


def change(before: object, now: object) -> list[Any]:
    """One field's new value, or what is new in its list."""
    if not isinstance(before, list) or not isinstance(now, list):
        return [now]
    shorter = min(len(before), len(now))
    start = 0
    while start < shorter and before[start] == now[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == now[-1 - end]:
        end += 1
    return [start, len(before) - start - end, *now[start : len(now) - end]]
