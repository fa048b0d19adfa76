"""Differences between one view and the next, in a compact form for the page's script.

A change of a view is `{field: change}`: `[value]` a new value; `[start, count, items...]` a list
in which `count` items from `start` on are replaced by these; `0` a field that is gone.
"""

from __future__ import annotations

from typing import Any

from arena.games import View

Changes = dict[str, Any]

# Fields that are the same in every view of a match, or shown by the page anyway.
LEFT_OUT = frozenset({"game", "seats", "seat", "options", "recent"})


def public_part(view: View) -> View:
    """Return a spectator's view without the fields that the page leaves out."""
    return {field: value for field, value in view.items() if field not in LEFT_OUT}


def own_part(public: View, view: View) -> View:
    """Return the fields of a seat's view that differ from the spectator's."""
    return {
        field: value
        for field, value in view.items()
        if value != public[field] and field not in LEFT_OUT
    }


def changes(before: View, now: View) -> Changes:
    """Return the changes from one view to the next."""
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
    """Return the change of one field: its new value, or the replaced items of its list."""
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
