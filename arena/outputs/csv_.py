"""The standings as CSV: one header, one row a bot, those without a rating too.

Numbers are plain, rounded as in JSON. Text that a spreadsheet would run as a formula is led by
an apostrophe, which makes it text there. In all other text only control characters are replaced.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping

from arena.league.table.standings import Benched, Standing, Standings
from arena.outputs.json_ import rounded
from arena.outputs.words import parts_of
from arena.record.penalties import PENALTIES
from arena.stats import Mean
from arena.text import plain

MEANS = ("ahead", "ties", "wins", "place", "points", "gain")
# Some spreadsheets take the wide ones for the narrow ones.
_FORMULAS = tuple(
    "=+-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}"
    "\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}"
)


def header(standings: Standings) -> tuple[str, ...]:
    """Return the columns in their order; new ones come at the end."""
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
    """Return the whole file."""
    file = io.StringIO()
    writer = csv.DictWriter(file, header(standings), restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows(standings):
        writer.writerow({name: cell(value) for name, value in row.items()})
    return file.getvalue()


def rows(standings: Standings) -> Iterator[Mapping[str, object]]:
    for number, part in enumerate(parts_of(standings), 1):
        for row in part:
            retired = {"state": "retired"} if row.name in standings.retired else {}
            yield {**rated(row), **retired, "part": number}
    for benched in standings.benched:
        played = {"sets": benched.sets, "matches": benched.matches}
        yield {"state": "benched", **counted(benched), **played, "reason": benched.reason}
    for name in standings.waiting:
        state = "retired" if name in standings.retired else "waiting"
        yield {"state": state, "bot": name, "sets": 0, "matches": 0}


def rated(row: Standing) -> Mapping[str, object]:
    rating = row.rating
    low, high = rating.rank_interval or (None, None)
    means = {name: getattr(rating, name) for name in MEANS} | {"points": row.points}
    return {
        "state": "provisional" if rating.lacks else "established",
        **counted(row),
        "sets": rating.sets,
        "matches": rating.games,
        "rank": rating.rank,
        "rank_low": low,
        "rank_high": high,
        "version": row.version,
        "author": row.author,
        "language": row.language,
        "elo": rating.elo,
        "half_width": rating.half_width,
        "los_to_next": rating.los_to_next,
        "is_separated": rating.is_separated,
        **{name: cell for mean, value in means.items() for name, cell in mean_cells(mean, value)},
        **{f"place_{place}": times for place, times in enumerate(row.places, 1)},
        "think_ms": row.think_ms,
        "slowest_ms": row.slowest_ms,
        "lacks": " ".join(lack.value for lack in rating.lacks),
    }


def counted(row: Standing | Benched) -> Mapping[str, object]:
    """Return the cells that a bot with a rating and a benched one have alike."""
    return {
        "bot": row.name,
        "owner": row.owner,
        **{column_of(kind): times for kind, times in row.faults.items()},
        "forfeits": row.forfeits,
    }


def column_of(kind: str) -> str:
    """Return the column that counts the faults of a kind."""
    return f"faults_{kind.replace('-', '_')}"


def mean_cells(name: str, mean: Mean | None) -> Iterator[tuple[str, float | None]]:
    yield name, None if mean is None else mean.value
    yield f"{name}_bar", None if mean is None else mean.bar


def cell(value: object) -> object:
    """Return a value as the file has it."""
    value = rounded(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return harmless(value)
    return value


def harmless(text: str) -> str:
    """Return text that no spreadsheet takes for a formula."""
    text = plain(text)
    return f"'{text}" if text.lstrip().startswith(_FORMULAS) else text
