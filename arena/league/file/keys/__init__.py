"""Every key of league.toml: type, rule in words, default, example, and reason to set it.

`arena.league.file.values` reads by it; docs/league.md and `arena init` print it.
"""

from arena.league.file.keys.key import Key
from arena.league.file.keys.tables import KEYS
from arena.league.file.keys.top import MAX_TITLE_CHARS, SETS

__all__ = ["KEYS", "MAX_TITLE_CHARS", "SETS", "Key"]
