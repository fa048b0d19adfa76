"""The tables of docs/observations.md, generated from the games, and fingerprints of layouts.

    python -m tests.games.layouts --write

writes the text between each `<!-- generated: NAME -->` and the `<!-- end -->` after it anew.
"""

from __future__ import annotations

import random
import re
import sys
from hashlib import sha256
from pathlib import Path

from arena.games import GAMES, Game, Options, RecallLayout
from arena.games.research import RESEARCH
from tests.markdown import code, table

DOCUMENT = Path(__file__).parents[2] / "docs" / "observations.md"

_MARKED = re.compile(r"(<!-- generated: ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def parts(game: Game) -> list[str]:
    """The parts of an observation, at the largest table and at its number of seats."""
    seats = 4 if 4 in game.seats else max(game.seats)
    observation = game.observation(seats)
    rows = []
    for part in observation.parts:
        place = observation.slices[part.name]
        shape = " x ".join(map(str, part.shape))
        rows.append(
            (code(part.name), place.start, shape, f"{part.low} to {part.high}", part.meaning)
        )
    about = f"Version {observation.version}, with {seats} seats: {observation.size} numbers."
    return [about, "", *table(("part", "from", "shape", "numbers", "meaning"), rows)]


def actions(game: Game) -> list[str]:
    """The ranges of action numbers."""
    rows = [
        (code(name), f"{codes.start} to {codes.stop - 1}", code(game.actions.name(codes.start)))
        for name, codes in game.actions.groups.items()
    ]
    return table(("group", "numbers", "the first"), rows)


def arrays() -> list[str]:
    """The arrays of information states, at the largest table and the longest match that has one."""
    matches: list[tuple[str, Game, Options]] = [
        *((", one round", GAMES[name], {"rounds": 1}) for name in ("nyet", "njet", "njet-it")),
        (", up to 42 turns", GAMES["nope"], {"max_turns": 42}),
        *(("", game, {}) for game in RESEARCH.values()),
    ]
    rows = []
    for told, game, options in matches:
        layout = RecallLayout.of(game, max(game.seats), options)
        moments, numbers = layout.shape
        size = f"{layout.size:,}"
        rows.append((code(game.name) + told, max(game.seats), f"{moments} by {numbers}", size))
    return table(("matches", "the most seats", "rows by numbers", "numbers"), rows)


TABLES = {"parts": parts, "actions": actions}


def written(text: str) -> str:
    """The text with every table as the code has it now."""

    def fill(match: re.Match[str]) -> str:
        name, _, what = match[2].rpartition("-")
        lines = arrays() if match[2] == "arrays" else TABLES[what](GAMES[name])
        return match[1] + "\n".join(lines) + "\n" + match[4]

    return _MARKED.sub(fill, text)


def fingerprint(game: Game, seats: int, options: Options) -> str:
    """A hash of all observations in one match, which is another if any number moves."""
    rng = random.Random(1)
    state = game.deal(seats, b"layout", options)
    out = [0] * game.observation(seats, options).size
    digest = sha256()
    while state.to_act():
        for seat in range(seats):
            state.observe(seat, out)
            digest.update(repr(out).encode())
        seat = rng.choice(state.to_act())
        state.apply(seat, rng.choice(state.legal_actions(seat)))
    return digest.hexdigest()[:16]


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    DOCUMENT.write_text(written(DOCUMENT.read_text()))
