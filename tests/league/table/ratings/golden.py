"""Reads the golden data (tests/league/table/golden/README.md)."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from arena.league.table.ratings import Scored

FOLDER = Path(__file__).parent.parent / "golden"


def lines(name: str) -> Iterator[dict[str, str]]:
    with (FOLDER / f"{name}.csv").open(newline="") as file:
        yield from csv.DictReader(file)


def two_player(name: str) -> tuple[list[str], list[Scored]]:
    """Players and matches; each match is a set of its own."""
    counts = list(lines(name))
    names = sorted({line[side] for line in counts for side in ("first", "second")})
    matches: list[Scored] = []
    for line in counts:
        bots = (names.index(line["first"]), names.index(line["second"]))
        for result, places in (
            ("first_wins", (1, 2)),
            ("draws", (1, 1)),
            ("second_wins", (2, 1)),
        ):
            for _ in range(int(line[result])):
                matches.append(Scored(len(matches), 0, bots, places))
    return names, matches


def rankings(name: str, matches_of_a_set: int) -> tuple[list[str], list[Scored]]:
    """Players and matches, so many to a set."""
    games = [[line[place] for place in ("1st", "2nd", "3rd", "4th")] for line in lines(name)]
    names = sorted({player for game in games for player in game})
    return names, [
        Scored(
            number // matches_of_a_set,
            number % matches_of_a_set,
            tuple(map(names.index, game)),
            (1, 2, 3, 4),
        )
        for number, game in enumerate(games)
    ]


def expected(data: str, tool: str, options: str) -> dict[str, tuple[float, float | None]]:
    """By player: rating, and the bar if there is one."""
    found = {
        line["player"]: (float(line["rating"]), float(line["bar"]) if line["bar"] else None)
        for line in lines("expected")
        if (line["data"], line["tool"], line["options"]) == (data, tool, options)
    }
    assert found, f"no {tool} with {options!r} for {data}"
    return found


def ratings_of(data: str, tool: str, options: str) -> dict[str, float]:
    return {player: rating for player, (rating, _) in expected(data, tool, options).items()}


def bars_of(data: str, tool: str, options: str) -> dict[str, float]:
    return {player: bar or 0.0 for player, (_, bar) in expected(data, tool, options).items()}
