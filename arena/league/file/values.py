"""The values of one table of league.toml: unknown keys, missing keys and wrong types are problems.

The type of a key has its range; the problem has its rule in words, `must` (`keys.py`).
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from arena.league.file.keys import KEYS
from arena.league.file.problems import Problems


def values_of(
    given: Mapping[str, Any],
    table: str,
    of: str,
    problems: Problems,
    only: Collection[str] | None = None,
) -> dict[str, Any]:
    """Return the values that are right; the others become problems.

    `table` is its name in `KEYS`, and `of` names it in words, such as " of [clock]". `only`: the
    keys of that table that may stand here; None: all.
    """
    keys = {name: key for name, key in KEYS[table].items() if only is None or name in only}
    found = {}
    for name in given:
        if name not in keys:
            problems.say(f"`{name}`{of} is not a key here; {_hint(name, table, keys)}")
    for name, key in keys.items():
        if name not in given:
            if key.default is None:
                problems.say(f"`{name}`{of} is missing: {key.must}. For instance: {key.example}")
            continue
        try:
            found[name] = msgspec.convert(given[name], key.type)
        except msgspec.ValidationError:
            problems.must(name, table, of, given[name])
    return found


def _hint(name: str, table: str, keys: Collection[str]) -> str:
    """Return a hint for a key that is not one of these: the one that was probably meant."""
    if name in KEYS[table]:
        return f"it is for all bots, below [{table}]"
    if table and name in KEYS[""]:
        return "it belongs at the top of the file, above the first [table]"
    for other in KEYS:
        if other != table and name in KEYS[other]:
            return "it belongs below [[bots]]" if other == "bots" else f"it belongs below [{other}]"
    near = difflib.get_close_matches(name, keys, n=1)
    return f"did you mean `{near[0]}`?" if near else f"the keys are {', '.join(keys)}"
