"""A league in which everything fits, down to penalties and events: what damage is done to.

Like tests/league/leagues.py it is played in memory; here seeds, schedule, processes, penalties,
evidence and events are also what a runner would have made them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from arena.games import GAMES
from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.model.seeds import seed_of_set
from arena.league.model.sets import PlannedSet
from arena.league.model.settings import Settings
from arena.league.store import events
from arena.league.store.folder import DATABASE, FOLDER_SUFFIX
from arena.league.store.store import Store
from arena.league.table.ledger import Ledger
from arena.record import FORMAT, VERSION, FaultEntry, Move, Record
from arena.record.endings import NOT_BEGUN
from arena.record.evidence import Evidence
from arena.record.penalties import places_with_forfeits
from arena.record.substitute import Substitute
from tests.league.leagues import Simulated, settings_of
from tests.league.plan.planning import schedule

KEY, LOTS = b"k" * 32, b"l" * 32
FAULTS_TO_FORFEIT = 3


@dataclass(frozen=True)
class Honest:
    """`illegal`: bots that answer nothing but nonsense; `absent`: those that never come;
    `void`: sets whose first attempt was void; `unfinished`: matches of one more set."""

    game: str = "nyet"
    seats: int = 4
    bots: Sequence[str] = ("fox", "owl", "crow", "hare", "mole")
    sets: int = 6
    options: Mapping[str, object] = field(default_factory=lambda: {"rounds": 1})
    illegal: Sequence[str] = ()
    absent: Sequence[str] = ()
    void: Sequence[int] = ()
    unfinished: int = 0
    duplicate: bool = True
    seed: str | None = None


def honest(folder: Path, league: Honest = Honest(), name: str = "cup") -> Path:
    """LeagueMatch to its end, but for what is unfinished; the league's folder."""
    home = folder / f"{name}{FOLDER_SUFFIX}"
    settings = settings_of(
        Simulated(
            game=league.game,
            seats=league.seats,
            bots=league.bots,
            sets=league.sets + bool(league.unfinished),
            options=league.options,
            duplicate=league.duplicate,
            seed=league.seed,
        )
    )
    with Store.open(home / DATABASE) as store:
        planned = begin(store, league, settings)
        runner = Entering(store, league, planned)
        for one in planned[: league.sets]:
            if not runner.ledger.is_left_out(one):
                runner.set(one)
        for turn in range(league.unfinished):
            played = match(league, planned[-1], turn, 0)
            store.enter(played, completes=False, voids=False, events=[events.match(played)])
    return home


def begin(store: Store, league: Honest, settings: Settings) -> list[PlannedSet]:
    store.begin(settings.to_json(), KEY, LOTS, [events.league(settings)])
    store.add_entrants(
        [(name, name, f"hash of {name}") for name in league.bots],
        [events.entrant(name, name, f"hash of {name}") for name in league.bots],
    )
    planned = schedule(
        [(name, name) for name in league.bots],
        seats=league.seats,
        sets=settings.sets or 0,
        lots=LOTS,
        duplicate=league.duplicate,
    )
    store.add_sets(planned, [events.schedule(len(planned))])
    return planned


class Entering:
    """Enters sets as a runner does."""

    def __init__(self, store: Store, league: Honest, planned: Sequence[PlannedSet]):
        self.store, self.league = store, league
        self.ledger = Ledger(league.bots, planned)

    def set(self, one: PlannedSet) -> None:
        attempt = 0
        if one.number in self.league.void:
            self.void(one)
            attempt = 1
        turns = self.league.seats if self.league.duplicate else 1
        matches = [match(self.league, one, turn, attempt) for turn in range(turns)]
        for played in matches:
            happened = [events.match(played)]
            if played.turn == turns - 1:
                whole = PlayedSet(one.number, attempt, tuple(matches))
                happened.append(events.complete(whole))
            self.store.enter(
                played, completes=played.turn == turns - 1, voids=False, events=happened
            )
        self.count(whole)

    def void(self, one: PlannedSet) -> None:
        """A first match that counts for nothing, and one in which this machine was slow."""
        first, second = (match(self.league, one, turn, 0) for turn in range(2))
        self.store.enter(first, completes=False, voids=False, events=[events.match(first)])
        record = msgspec.structs.replace(second.record, ending="void", scores=(), places=())
        slow = msgspec.structs.replace(second, record=record)
        self.store.enter(slow, completes=False, voids=True, events=[events.void(slow)])

    def count(self, one: PlayedSet) -> None:
        before = {*self.ledger.benching.reasons}
        self.ledger.enter(one)
        for name, reason in self.ledger.benching.reasons.items():
            if name not in before:
                after = self.ledger.benching.after_set[name]
                self.store.add_events([events.benched(name, reason, after)])


def match(league: Honest, one: PlannedSet, turn: int, attempt: int) -> LeagueMatch:
    """One match, with what its bots deserve."""
    names = one.seating(turn)
    seed = seed_of_set(KEY, one.number, attempt)
    made = Made(league, names, seed, random.Random(f"{one.number}.{turn}.{attempt}"))
    made.play()
    processes = tuple(one.number * 100 + turn * 10 + seat for seat in range(league.seats))
    return LeagueMatch(
        one.number,
        turn,
        attempt,
        made.record(f"m-{one.number}-{turn}-{attempt}"),
        processes,
        f"2026-01-01T{one.number % 24:02}:{attempt:02}:{turn:02}Z",
        stood=False,
        evidence=tuple(made.evidence),
    )


class Made:
    """A match in the making."""

    def __init__(self, league: Honest, names: Sequence[str], seed: bytes, rng: random.Random):
        self.league, self.names, self.seed, self.rng = league, tuple(names), seed, rng
        self.moves: list[Move] = []
        self.faults: list[FaultEntry] = []
        self.evidence: list[Evidence] = []
        self.forfeits: list[int] = []
        self.scores: tuple[int, ...] = ()
        self.places = (1,) * league.seats
        self.ending = NOT_BEGUN

    def play(self) -> None:
        absent = [seat for seat, name in enumerate(self.names) if name in self.league.absent]
        for seat in absent:
            self.fault(seat, "never-started", "", forfeits=True)
        if absent:
            return
        game = GAMES[self.league.game]
        state = game.deal(self.league.seats, self.seed, self.league.options)
        substitute = Substitute(self.seed)
        counts = [0] * self.league.seats
        while (owing := state.to_act()) and len(self.forfeits) < self.league.seats - 1:
            seat, time_us = owing[0], self.rng.randrange(50, 3000)
            legal = [game.actions.name(code) for code in state.legal(seat)]
            if seat in self.forfeits:
                action, time_us = substitute.pick(legal), 0
            elif self.names[seat] in self.league.illegal:
                action = substitute.pick(legal)
                counts[seat] += 1
                self.fault(seat, "illegal", action, forfeits=counts[seat] == FAULTS_TO_FORFEIT)
            else:
                action = self.rng.choice(legal)
            state.apply(seat, game.actions.code(action))
            self.moves.append(Move(seat, action, time_us))
        outcome = state.outcome()
        self.ending = "forfeit"
        if outcome is not None:
            self.scores, self.places, self.ending = outcome.scores, outcome.places, outcome.ending

    def fault(self, seat: int, kind: str, played: str, *, forfeits: bool) -> None:
        text, code = f"{kind}, said the referee", "not-legal"
        entry = FaultEntry(seat, len(self.moves), kind, code, text, forfeits)
        self.faults.append(entry)
        if forfeits:
            self.forfeits.append(seat)
        request = b"\0\0\0\x0a\x81\xa5legal\x91\xa2R1" if played else b""
        self.evidence.append(
            Evidence(
                seat,
                len(self.moves),
                kind,
                code,
                text,
                "Q9",
                "a legal action",
                request,
                b"\x81\xa6action\xa2Q9" if played else b"",
                ("R1",) if played else (),
                played,
                100_000,
                1234,
                "thinking",
                "Traceback\n\tsomewhere",
                "exit code 1",
            )
        )

    def record(self, name: str) -> Record:
        is_begun = self.ending != NOT_BEGUN
        return Record(
            FORMAT,
            VERSION,
            self.league.game,
            self.league.seats,
            self.league.options,
            self.seed.hex(),
            self.names,
            tuple(self.moves),
            self.scores,
            places_with_forfeits(self.places, self.forfeits),
            self.ending,
            name if is_begun else "",
            (),
            tuple(self.faults),
            tuple(self.forfeits),
            self.rng.randbytes(32).hex() if is_begun else "",
        )
