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

from arena.games import GAMES, Game, View
from tests.games.example import EXAMPLE

FOLDER = Path(__file__).parent / "playthroughs"
EXAMPLES_FOLDER = Path(__file__).parent / "games" / "example" / "playthroughs"


def every_table() -> Mapping[Path, tuple[Game, int]]:
    """By file, what is played in it: each game of the registry, and the worked example."""
    games = {**GAMES, EXAMPLE.name: EXAMPLE}.values()
    return {path(game, seats): (game, seats) for game in games for seats in game.seats}


def path(game: Game, seats: int) -> Path:
    folder = EXAMPLES_FOLDER if game is EXAMPLE else FOLDER
    return folder / f"{game.name}-{seats}.txt"


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


def playthrough(game: Game, seats: int) -> Iterator[str]:
    """The lines of one match of random legal play."""
    name = game.name
    options = game.trials.sweep[0]
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


def text(game: Game, seats: int) -> str:
    return "\n".join(playthrough(game, seats)) + "\n"


def written() -> set[Path]:
    """The files there are."""
    return {*FOLDER.iterdir(), *EXAMPLES_FOLDER.iterdir()}


def write() -> None:
    for old in written():
        old.unlink()
    for file, (game, seats) in every_table().items():
        file.write_text(text(game, seats))


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.playthroughs --write")
    write()
