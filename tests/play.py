"""Matches played at random, as records: what tests of everything above the games begin with."""

from __future__ import annotations

import random
from collections.abc import Mapping

from arena.games import GAMES
from arena.record import FORMAT, VERSION, Move, Record

NAMES = ("fox", "owl", "hen", "cat", "dog", "pig")


def random_record(
    game: str,
    seats: int,
    seed: bytes = b"a record",
    options: Mapping[str, object] | None = None,
    chance: int = 1,
) -> Record:
    """A match of random legal play; short, unless the options say otherwise."""
    rules = GAMES[game]
    if options is None:
        options = GAMES[game].trials.short
    rng = random.Random(chance)
    state = rules.deal(seats, seed, options)
    moves = []
    while state.to_act():
        seat = rng.choice(state.to_act())
        action = rng.choice(list(state.legal(seat)))
        state.apply(seat, action)
        moves.append(Move(seat, rules.actions.name(action), rng.randrange(1000)))
    outcome = state.outcome()
    assert outcome is not None
    return Record(
        format=FORMAT,
        version=VERSION,
        game=game,
        seats=seats,
        options=options,
        seed=seed.hex(),
        names=NAMES[:seats],
        moves=tuple(moves),
        scores=outcome.scores,
        places=outcome.places,
        ending=outcome.ending,
    )
