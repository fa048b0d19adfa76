"""The matrix of all pairs of bots: the share ahead of each against each.

A hundred bots make ten thousand cells, so a cell is a number and nothing else. Its tint, its link
and the other figures are added by matrix.js, from a text with some characters for each pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import gcd
from typing import Any

from markupsafe import Markup

from arena.league.table.standings import Standings, Versus
from arena.outputs.pages.league.page import MANY, Page
from arena.outputs.pages.words import whole

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
# For "no likelihood": every other code is a whole number of per cent, from 0 to 100.
NO_LIKELIHOOD = 101


def matrix_page(standings: Standings) -> Page:
    facts, names = standings.facts, [row.name for row in standings.rows]
    return Page(
        "matrix.html",
        "matrix.html",
        {
            "root": "",
            "here": "matrix.html",
            "league": facts.name,
            "running": facts.state == "running",
            "sets": facts.sets,
            "matches": facts.matches,
            "painted_once": len(names) > MANY,
            "names": names,
            "cells": [cells(one, names, standings.versus) for one in names],
            "pairs": pairs(names, standings.versus),
        },
    )


def cells(one: str, names: Sequence[str], versus: Mapping[tuple[str, str], Versus]) -> Markup:
    """Return the cells of a row; one without a meeting is empty. End tags may be left out."""
    found = (versus.get((one, other)) for other in names)
    return Markup("".join(f"<td>{whole(each.ahead) if each else ''}" for each in found))


def pairs(names: Sequence[str], versus: Mapping[tuple[str, str], Versus]) -> Mapping[str, Any]:
    """Return the meetings and likelihoods of all pairs above the diagonal, row by row.

    `meetings`: multiples of `unit` to the base 36, each of `width` characters. `better`: how
    likely the bot of the row is the better one, in whole per cent to the base 36, two characters.
    """
    upper = [versus.get(pair) for pair in _above_the_diagonal(names)]
    meetings = [each.meetings if each else 0 for each in upper]
    unit = gcd(*meetings) or 1
    counts = [base_36(each // unit) for each in meetings]
    width = max(map(len, counts), default=1)
    likely = [
        NO_LIKELIHOOD if each is None or each.superiority is None else round(100 * each.superiority)
        for each in upper
    ]
    return {
        "unit": unit,
        "width": width,
        "meetings": "".join(each.rjust(width, "0") for each in counts),
        "better": "".join(base_36(each).rjust(2, "0") for each in likely),
    }


def _above_the_diagonal(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            yield one, other


def base_36(value: int) -> str:
    digits = DIGITS[value % 36]
    while value := value // 36:
        digits = DIGITS[value % 36] + digits
    return digits
