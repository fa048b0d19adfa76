"""The standings as CSV: one header, one row a bot, those without a rating too.

Numbers are plain, rounded as in JSON. Text that a spreadsheet would run as a formula is led by
an apostrophe, which makes it text there; of nothing else is anything changed but control
characters.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping

from arena.league.standings import Benched, Standing, Standings
from arena.outputs.json_ import rounded
from arena.outputs.words import parts_of
from arena.record.transcript import plain
from arena.referee.penalties import PENALTIES
from arena.referee.sets import Mean

MEANS = ("ahead", "ties", "wins", "place", "points", "gain")
# The wide ones are taken for the narrow ones by some spreadsheets.
_FORMULAS = tuple(
    "=+-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}"
    "\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}"
)


def header(standings: Standings) -> tuple[str, ...]:
    """The columns, in their order; new ones come at the end."""
    return (
        "state",
        "part",
        "rank",
        "rank_low",
        "rank_high",
        "bot",
        "owner",
        "version",
        "author",
        "language",
        "elo",
        "half_width",
        "los_to_next",
        "is_separated",
        "sets",
        "matches",
        *(name for mean in MEANS for name in (mean, f"{mean}_bar")),
        *(f"place_{place}" for place in range(1, standings.facts.seats + 1)),
        "think_ms",
        "slowest_ms",
        *map(column_of, PENALTIES),
        "forfeits",
        "lacks",
        "reason",
    )


def csv_text(standings: Standings) -> str:
    """The whole file."""
    file = io.StringIO()
    writer = csv.DictWriter(file, header(standings), restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows(standings):
        writer.writerow({name: cell(value) for name, value in row.items()})
    return file.getvalue()


def rows(standings: Standings) -> Iterator[Mapping[str, object]]:
    for number, part in enumerate(parts_of(standings), 1):
        for row in part:
            yield {**rated(row), "part": number}
    for benched in standings.benched:
        yield {"state": "benched", **counted(benched), "reason": benched.reason}
    for name in standings.waiting:
        yield {"state": "waiting", "bot": name, "sets": 0, "matches": 0}


def rated(row: Standing) -> Mapping[str, object]:
    low, high = row.rank_interval or (None, None)
    return {
        "state": "provisional" if row.lacks else "established",
        **counted(row),
        "rank": row.rank,
        "rank_low": low,
        "rank_high": high,
        "version": row.version,
        "author": row.author,
        "language": row.language,
        "elo": row.elo,
        "half_width": row.half_width,
        "los_to_next": row.los_to_next,
        "is_separated": row.is_separated,
        **{name: value for mean in MEANS for name, value in mean_cells(mean, getattr(row, mean))},
        **{f"place_{place}": times for place, times in enumerate(row.places, 1)},
        "think_ms": row.think_ms,
        "slowest_ms": row.slowest_ms,
        "lacks": " ".join(lack.value for lack in row.lacks),
    }


def counted(row: Standing | Benched) -> Mapping[str, object]:
    """What is known of every bot that played."""
    return {
        "bot": row.name,
        "owner": row.owner,
        "sets": row.sets,
        "matches": row.matches,
        **{column_of(kind): times for kind, times in row.faults.items()},
        "forfeits": row.forfeits,
    }


def column_of(kind: str) -> str:
    """Where the faults of a kind are counted."""
    return f"faults_{kind.replace('-', '_')}"


def mean_cells(name: str, mean: Mean | None) -> Iterator[tuple[str, float | None]]:
    yield name, None if mean is None else mean.value
    yield f"{name}_bar", None if mean is None else mean.bar


def cell(value: object) -> object:
    """A value as the file has it."""
    value = rounded(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return harmless(value)
    return value


def harmless(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    text = plain(text)
    return f"'{text}" if text.lstrip().startswith(_FORMULAS) else text
