"""A match of every rule set and size as readable text, with every seat's view at each step.

`python -m tests.playthroughs --write` writes them anew; the tests compare. Read the diff, and
read it against the rules, before accepting it.

A line `>` is an action; below it stands what changed in each view: `[2]` for seat 2's, `[-]`
for a spectator's. What changed alike for all stands once, as `[*]`.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from arena.games import GAMES, View

FOLDER = Path(__file__).parent / "playthroughs"

OPTIONS: Mapping[str, Mapping[str, object]] = {
    "nyet": {"rounds": 2},
    "njet": {"rounds": 2, "scoring": "difference"},
    "njet-it": {"rounds": 2},
    "nope": {"max_turns": 60},
}


def every_table() -> list[tuple[str, int]]:
    return [(name, seats) for name, game in GAMES.items() for seats in game.seats]


def path(name: str, seats: int) -> Path:
    return FOLDER / f"{name}-{seats}.txt"


def changes(before: View, now: View) -> dict[str, str]:
    return {
        field: json.dumps(value, separators=(",", ":"))
        for field, value in now.items()
        if before.get(field, ...) != value
    }


def told(label: str, changed: Mapping[str, str]) -> Iterator[str]:
    for field, value in changed.items():
        yield f"  [{label}] {field}: {value}"


def told_to_each(before: Mapping[object, View], now: Mapping[object, View]) -> Iterator[str]:
    """What changed in every view, what changed alike in all of them first."""
    changed = {seat: changes(before.get(seat, {}), view) for seat, view in now.items()}
    alike = dict(set.intersection(*(set(fields.items()) for fields in changed.values())))
    in_order = next(iter(changed.values()))
    yield from told("*", {field: alike[field] for field in in_order if field in alike})
    for seat, fields in changed.items():
        label = "-" if seat is None else str(seat)
        yield from told(label, {f: v for f, v in fields.items() if f not in alike})


def playthrough(name: str, seats: int) -> Iterator[str]:
    """The lines of one match of random legal play."""
    game = GAMES[name]
    options = OPTIONS[name]
    seed = f"playthrough {name} {seats}".encode()
    rng = random.Random(f"{name} {seats}")
    state = game.deal(seats, seed, options)
    audiences: tuple[int | None, ...] = (None, *range(seats))
    yield f"{name}, {seats} seats, seed {seed.hex()}, options {json.dumps(dict(options))}"
    before: dict[object, View] = {}
    now: dict[object, View] = {seat: state.view(seat) for seat in audiences}
    yield from told_to_each(before, now)
    while state.to_act():
        seat = rng.choice(state.to_act())
        legal = list(state.legal(seat))
        action = rng.choice(legal)
        yield ""
        yield f"seat {seat} may: {' '.join(map(game.actions.name, legal))}"
        yield f"> seat {seat}: {game.actions.name(action)}"
        state.apply(seat, action)
        before, now = now, {viewer: state.view(viewer) for viewer in audiences}
        yield from told_to_each(before, now)
    outcome = state.outcome()
    assert outcome is not None
    yield ""
    yield f"scores {list(outcome.scores)}, places {list(outcome.places)}, ending {outcome.ending}"


def text(name: str, seats: int) -> str:
    return "\n".join(playthrough(name, seats)) + "\n"


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, seats in every_table():
        path(name, seats).write_text(text(name, seats))


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.playthroughs --write")
    write()
