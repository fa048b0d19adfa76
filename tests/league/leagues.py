"""Whole leagues in a store, played in memory: no process, no clock, the same every time."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.games import GAMES
from arena.league.model.played import LeagueMatch
from arena.league.model.seeds import seed_of_set
from arena.league.model.sets import PlannedSet
from arena.league.model.settings import Settings
from arena.league.store.folder import DATABASE
from arena.league.store.store import Store
from arena.record import FORMAT, VERSION, FaultEntry, Move, Note, Record
from arena.record.endings import NOT_BEGUN
from arena.record.evidence import Evidence
from arena.record.penalties import places_with_forfeits
from arena.record.timing import START_MS, Timing

BOTS = ("fox", "owl", "crow", "hare", "mole")
# What a hostile bot would call itself, or note, if it could.
NASTY = '<script>alert("x")</script>\x1b[31m&amp;'


@dataclass(frozen=True)
class Simulated:
    """A league to be played in memory. `skills`: how often a bot takes its highest action
    instead of any; `absent`: bots that never come; `illegal`: bots that forfeit each match."""

    game: str = "nyet"
    seats: int = 4
    bots: Sequence[str] = BOTS
    sets: int = 20
    options: Mapping[str, object] = field(default_factory=lambda: {"rounds": 1})
    skills: Mapping[str, float] = field(default_factory=dict)
    absent: Sequence[str] = ()
    illegal: Sequence[str] = ()
    duplicate: bool = True
    seed: str | None = "7"
    name: str = "Sunday league"


def settings_of(league: Simulated) -> Settings:
    return Settings(
        league.name,
        league.game,
        league.seats,
        league.sets,
        league.options,
        "round-robin",
        (),
        league.duplicate,
        league.seed,
        Timing(),
        START_MS,
        owners_may_meet=False,
        show_names=False,
    )


def schedule(league: Simulated) -> list[PlannedSet]:
    rng = random.Random("schedule")
    return [
        PlannedSet(number, tuple(rng.sample(list(league.bots), league.seats)))
        for number in range(1, league.sets + 1)
    ]


def simulate(folder: Path, league: Simulated, played_sets: int | None = None) -> Store:
    """The league, played as far as asked for (None: to its end), in `folder`."""
    store = Store.open(folder / DATABASE)
    key = b"k" * 32
    store.begin(settings_of(league).to_json(), key, b"l" * 32)
    store.add_entrants((name, name, f"hash of {name}") for name in league.bots)
    for name in league.bots:
        store.note_said(
            name, {"version": "1.0", "author": f"author of {name}", "language": "Python"}
        )
    planned = schedule(league)
    store.add_sets(planned, ())
    turns = league.seats if league.duplicate else 1
    for one in planned[:played_sets]:
        for turn in range(turns):
            played = played_match(league, one, turn, seed_of_set(key, one.number, 0))
            store.enter(played, completes=turn == turns - 1, voids=False)
    return store


def played_match(league: Simulated, one: PlannedSet, turn: int, seed: bytes) -> LeagueMatch:
    """One match of it: with faults, notes and forfeits, if its bots are such."""
    rng = random.Random(f"{one.number}.{turn}")
    names = one.seating(turn)
    hours, minutes = divmod(one.number, 60)
    ended = f"2026-01-01T{hours % 24:02}:{minutes:02}:0{turn}Z"
    out = tuple(seat for seat, name in enumerate(names) if name in league.absent)
    if out:
        faults = tuple(
            FaultEntry(seat, 0, "never-started", "exited", "it ended: exit code 1", True)
            for seat in out
        )
        places = places_with_forfeits((1,) * league.seats, out)
        record = _record(league, names, seed, (), (), places, NOT_BEGUN, faults=faults, out=out)
        return LeagueMatch(one.number, turn, 0, record, (1,) * league.seats, ended, False)
    game = GAMES[league.game]
    state = game.deal(league.seats, seed, league.options)
    moves: list[Move] = []
    while owing := state.to_act():
        seat = owing[0]
        legal = state.legal(seat)
        is_skilled = rng.random() < league.skills.get(names[seat], 0.5)
        action = max(legal) if is_skilled else rng.choice(list(legal))
        moves.append(Move(seat, game.actions.name(action), rng.randrange(50, 3000)))
        state.apply(seat, action)
    outcome = state.outcome()
    assert outcome is not None
    faults = ()
    forfeits = tuple(seat for seat, name in enumerate(names) if name in league.illegal)
    evidence = []
    for seat in forfeits:
        at = next(number for number, move in enumerate(moves) if move.seat == seat)
        text = f"you played {NASTY!r}, which is not legal"
        faults += (FaultEntry(seat, at, "illegal", "not-legal", text, True),)
        evidence.append(
            Evidence(
                seat,
                at,
                "illegal",
                "not-legal",
                text,
                NASTY,
                "one of the legal actions",
                b"\0\0\0\1\x80",
                b"\x80",
                ("R1", "R2"),
                "R1",
                100_000,
                1234,
                "",
                NASTY,
                "",
            )
        )
    places = places_with_forfeits(outcome.places, forfeits)
    notes = (Note(0, NASTY),) if rng.random() < 0.2 else ()
    record = _record(
        league,
        names,
        seed,
        tuple(moves),
        outcome.scores,
        places,
        outcome.ending,
        faults=faults,
        out=forfeits,
        notes=notes,
    )
    return LeagueMatch(
        one.number, turn, 0, record, tuple(range(league.seats)), ended, False, tuple(evidence)
    )


def _record(
    league: Simulated,
    names: Sequence[str],
    seed: bytes,
    moves: tuple[Move, ...],
    scores: tuple[int, ...],
    places: tuple[int, ...],
    ending: str,
    *,
    faults: tuple[FaultEntry, ...],
    out: tuple[int, ...],
    notes: tuple[Note, ...] = (),
) -> Record:
    return Record(
        FORMAT,
        VERSION,
        league.game,
        league.seats,
        league.options,
        seed.hex(),
        tuple(names),
        moves,
        scores,
        places,
        ending,
        "m-0123456789abcdef",
        notes,
        faults,
        out,
        "00" * 32,
    )
