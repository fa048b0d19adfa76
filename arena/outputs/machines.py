"""The machines of a league for people: what each has played, and which of them stand out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.league.table.machines import MachineRow
from arena.text import plain

HERE = "the runner's own"


def machine_lines(rows: Sequence[MachineRow]) -> Iterator[str]:
    """Yield a table, and a sentence for each machine that stands out."""
    if not rows:
        yield "no set is complete yet"
        return
    names = [plain(row.machine) or HERE for row in rows]
    wide = max(len("machine"), *map(len, names))
    yield f"{'machine':{wide}}  matches  voids     ms  times as long"
    for name, row in zip(names, rows, strict=True):
        ms = "" if row.think_ms is None else f"{row.think_ms:.2f}"
        factor = "" if row.factor is None else f"{row.factor:.2f}"
        yield f"{name:{wide}}  {row.matches:7}  {row.voids:5}  {ms:>5}  {factor:>13}"
    for name, row in zip(names, rows, strict=True):
        for why in row.why:
            yield f"{name} stands out: {why}"


LEGEND = (
    "ms: mean thinking time of a decision. times as long: what the same bots take there, compared"
    " with all other machines; a machine stands out by more than three standard errors."
)
