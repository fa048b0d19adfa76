"""The outputs by name: each makes a whole file of the standings.

A further one is a module and a line here; `arena publish` then writes standings.NAME too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from arena.league.standings import Standings
from arena.outputs.csv_ import csv_text
from arena.outputs.json_ import json_text
from arena.outputs.markdown import markdown

Output: TypeAlias = Callable[[Standings], str]

OUTPUTS: Mapping[str, Output] = {"json": json_text, "csv": csv_text, "md": markdown}
