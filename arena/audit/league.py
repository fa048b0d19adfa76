"""Audit a whole league, part by part; damage in one part does not hide damage in another."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import msgspec

from arena.audit import events, recount
from arena.audit.checkpoint import recounts
from arena.audit.complete import compare, open_copy
from arena.audit.findings import Misfits
from arena.audit.replays import (
    Commitment,
    Replayed,
    Replays,
    ReplayTerms,
    SetToReplay,
    processes_for,
)
from arena.audit.rows import MatchRow, Rows, SetRow
from arena.league.model.entrants import UNKNOWN_CONTENT
from arena.league.model.played import LeagueMatch, PlayedSet
from arena.league.model.seeds import key_from_seed, seed_of_set
from arena.league.model.sets import MOST_VOIDS, Place, PlannedSet
from arena.league.model.settings import Settings
from arena.league.plan.formats import FORMATS
from arena.league.store import events as league_events
from arena.league.store.folder import DATABASE, PUBLIC
from arena.league.store.lock import is_held
from arena.league.store.reader import Reader
from arena.league.store.secrets import SECRET_BYTES, Secrets, read_secrets
from arena.league.table.live import LiveTable, rounds_of
from arena.league.table.standings import Standings
from arena.outputs.json_ import LATER_FACTS, LATER_PARTS, LATER_ROWS, json_text
from arena.record.evidence import Evidence
from arena.record.timing import BotClock

PUBLISHED = Path(PUBLIC) / "standings.json"

Tell: TypeAlias = Callable[[int, int], object]
"""Called with the number of sets that are dealt with by now, and that of all."""


def untold(done: int, of: int) -> None:
    """Do nothing: nobody waits."""


def ignored(one: Commitment) -> None:
    """Do nothing: nobody asked for it."""


@dataclass
class AuditReport:
    """The findings of an audit, and the number of things of each kind that it checked."""

    findings: Misfits = field(default_factory=Misfits)
    sets: int = 0
    matches: int = 0
    moves: int = 0
    hidden: int = 0  # matches of unfinished sets
    events: int = 0


def audit(
    folder: Path,
    tell: Tell,
    tell_counted: Tell = untold,
    on_commitment: Callable[[Commitment], object] = ignored,
) -> AuditReport:
    """Check everything about the league in this folder that can be checked.

    `tell` is called as sets are checked, and `tell_counted` as they are counted again for the
    table. `on_commitment` is called with the commitment of each match.
    """
    report = AuditReport()
    file = folder / DATABASE
    # Opening the file is the first test: it must be a league, of a version that can be read.
    with (
        open_copy(folder, report.findings) as copy,
        report.findings.guard(file),
        Rows.open(file) as rows,
    ):
        with report.findings.guard(file):
            for damage in rows.integrity():
                report.findings.add(file, damage)
        looked = Audit(rows, report, tell, on_commitment)
        secrets = looked.run()
        if secrets is not None and not report.findings:
            reader = rows.reader()
            with report.findings.guard("table"):
                audit_table(looked.events, reader, folder, report, copy, tell_counted)
            # Only where `league.db` fits: else a copy that differs may be the better one.
            if copy is not None and not report.findings:
                compare(copy, rows, reader.settings, secrets.digest, report.findings)
    return report


class Audit:
    """One audit of the rows of a store."""

    def __init__(
        self,
        rows: Rows,
        report: AuditReport,
        tell: Tell,
        on_commitment: Callable[[Commitment], object],
    ):
        self._rows = rows
        self._report = report
        self._findings = report.findings
        self._tell = tell
        self._on_commitment = on_commitment
        self._settings: Settings
        self._secrets: Secrets | None = None
        self._callers: set[str] = set()
        self._clocks: Mapping[str, BotClock] = {}
        self.events: events.Events

    def run(self) -> Secrets | None:
        """Look through the rows; return the secrets, None if they cannot be read."""
        self.events = events.Events(self._read_events(), self._findings)
        self._report.events = len(self.events)
        with self._findings.guard("settings"):
            self._settings = Settings.from_json(json.loads(self._rows.settings()))
            self._secrets = read_secrets(self._rows.path)
            self._check_secrets()
        if self._secrets is None:
            return None  # without settings and key nothing else can be judged
        entrants = self._rows.entrants()
        self._callers = {name for name, _, content in entrants if content == UNKNOWN_CONTENT}
        with self._findings.guard("events"):
            self._clocks = self.events.clocks()
        planned = self._sets({name for name, _, _ in entrants})
        for (number,) in self._rows.matches_of_no_set():
            self._findings.add(f"set {number}", "has matches, and is not in the schedule")
        events.check_league(
            self.events, self._settings, entrants, planned, self._secrets.lots, self._findings
        )
        self.events.expect_no_more()
        return self._secrets

    def _read_events(self) -> Iterator[tuple[object, object]]:
        with self._findings.guard("events"):
            yield from self._rows.events()

    def _check_secrets(self) -> None:
        assert self._secrets is not None
        key, lots = self._secrets.key, self._secrets.lots
        if len(key) != SECRET_BYTES or len(lots) != SECRET_BYTES:
            self._findings.add("settings", f"key and lots are not {SECRET_BYTES} bytes each")
        seed = self._settings.seed
        if seed is not None and key != key_from_seed(seed):
            self._findings.add("settings", "the key is not that of the seed in the league's file")

    def _sets(self, entrants: set[str]) -> list[PlannedSet]:
        planned = []
        rows = self._rows.sets()
        terms = ReplayTerms(self._settings, self._clocks)
        processes = processes_for(len(rows) * self._settings.matches_of_a_set)
        with Replays(terms, processes) as replays:
            found = replays.in_order(self._to_replay(rows))
            for position, ((row, matches), replayed) in enumerate(found, 1):
                if row.number != position:
                    self._findings.add(
                        "schedule", f"set {row.number} is in the place of {position}"
                    )
                with self._findings.guard(f"set {row.number}"):
                    one = PlannedSet(row.number, tuple(json.loads(row.line_up)))
                    self._check_line_up(one, entrants)
                    if isinstance(matches, Exception):
                        raise matches
                    self._check_set(row, matches, replayed)
                    planned.append(one)
                self._tell(position, len(rows))
        return planned

    def _to_replay(
        self, rows: Sequence[SetRow]
    ) -> Iterator[tuple[tuple[SetRow, list[MatchRow] | Exception], SetToReplay | None]]:
        """Yield each set with its matches, and what is to be replayed of it: this is read ahead of
        all findings, so what cannot be read is left to `_sets`."""
        assert self._secrets is not None
        for row in rows:
            matches: list[MatchRow] | Exception
            to_replay = None
            # A damaged row may raise any exception.
            try:
                matches = self._rows.matches(row.number)
                if row.is_complete:
                    to_replay = SetToReplay(
                        PlannedSet(row.number, tuple(json.loads(row.line_up))),
                        tuple(each for each in matches if each.attempt == row.attempt),
                        seed_of_set(self._secrets.key, row.number, row.attempt),
                    )
            except Exception as error:
                matches = error
            yield (row, matches), to_replay

    def _check_line_up(self, one: PlannedSet, entrants: set[str]) -> None:
        where, seats = f"set {one.number}", self._settings.seats
        if len({*one.line_up}) != len(one.line_up) or len(one.line_up) != seats:
            self._findings.add(where, f"its line-up is not {seats} bots, each once")
        strangers = {*one.line_up} - entrants
        if strangers:
            names = ", ".join(sorted(strangers))
            self._findings.add(where, f"its line-up names {names}, not among the entrants")

    def _check_set(
        self, row: SetRow, matches: list[MatchRow], replayed: Mapping[int, Replayed]
    ) -> None:
        self._check_attempts(row, matches)
        played = [one for each in matches if (one := self._read(each, row, replayed)) is not None]
        turns = sorted(each.turn for each in matches if each.attempt == row.attempt)
        expected = list(range(self._settings.matches_of_a_set))
        if not row.is_complete:
            self._report.hidden += len(turns)
            if turns == expected:
                self._findings.add(
                    f"set {row.number}", "all its matches are played, and it is not marked complete"
                )
            return
        self._report.sets += 1
        for turn in expected:
            if turn not in turns:
                self._findings.add(Place(row.number, turn), "is missing, and its set is complete")
        for turn in turns:
            if turn not in expected:
                self._findings.add(Place(row.number, turn), "a set has no such match")
        current = [each for each in played if each.attempt == row.attempt]
        self._check_processes(current)
        self._check_evidence(row.number, played)
        if [each.turn for each in current] == expected:
            whole = PlayedSet(row.number, row.attempt, tuple(current))
            self.events.expect(f"set {row.number}", league_events.complete(whole))

    def _check_attempts(self, row: SetRow, matches: list[MatchRow]) -> None:
        where = f"set {row.number}"
        if not 0 <= row.attempt <= MOST_VOIDS:
            self._findings.add(where, f"attempt {row.attempt} is none of 0 to {MOST_VOIDS}")
        for each in matches:
            if each.attempt > row.attempt:
                self._findings.add(each.place, f"is of attempt {each.attempt}, which has not begun")
        voided = {each.attempt for each in matches if each.attempt < row.attempt}
        for attempt in range(min(row.attempt, MOST_VOIDS)):
            if attempt not in voided:
                self._findings.add(where, f"its void attempt {attempt} has no match")

    def _read(
        self, row: MatchRow, of: SetRow, replayed: Mapping[int, Replayed]
    ) -> LeagueMatch | None:
        """Return the match of a row, checked; None if it cannot be read."""
        with self._findings.guard(row.place):
            played = row.played()
            is_over = row.attempt == of.attempt
            if played.is_void:
                if is_over:
                    self._findings.add(row.place, "is void, and its set was not played anew")
                self.events.expect(str(row.place), league_events.void(played))
                return played
            self.events.expect(str(row.place), league_events.match(played))
            if is_over and of.is_complete:
                found = replayed[row.turn]
                self._findings.all += found.findings
                self._report.matches += 1
                self._report.moves += found.moves
                if found.commitment is not None:
                    self._on_commitment(found.commitment)
            return played
        return None

    def _check_processes(self, matches: list[LeagueMatch]) -> None:
        """Check that no process played two matches of a set, since it would know the cards.

        Bots that dial in are excepted: the league cannot start them afresh.
        """
        times: Counter[tuple[str, int]] = Counter()
        for played in matches:
            if played.is_begun:
                times.update(set(zip(played.record.names, played.processes, strict=False)))
        for (name, process), number in times.items():
            if number > 1 and name not in self._callers:
                self._findings.add(
                    f"set {matches[0].set}", f"process {process} of {name} played {number} of it"
                )

    def _check_evidence(self, number: int, matches: list[LeagueMatch]) -> None:
        """Check that each fault has its evidence, and each evidence its fault."""
        kept: dict[tuple[int, int], list[Evidence]] = {}
        for attempt, turn, fault, data in self._rows.evidence(number):
            with self._findings.guard(f"{Place(number, turn)}, evidence {fault + 1}"):
                one = msgspec.msgpack.decode(data, type=Evidence)
                kept.setdefault((attempt, turn), []).append(one)
        for played in matches:
            record = played.record
            mine = kept.get((played.attempt, played.turn), [])
            if [fault_of(each) for each in mine] != [fault_of(each) for each in record.faults]:
                self._findings.add(played.place, "its evidence is not that of its faults")
                continue
            for one in mine:
                is_played = one.move < len(record.moves) and record.moves[one.move].seat == one.seat
                if one.played and not (is_played and record.moves[one.move].action == one.played):
                    self._findings.add(
                        played.place, f"its evidence says {one.played!r} was played, its move not"
                    )


def fault_of(one: object) -> tuple[object, ...]:
    return tuple(getattr(one, name) for name in ("seat", "move", "kind", "code", "text"))


def audit_table(
    told: events.Events,
    reader: Reader,
    folder: Path,
    report: AuditReport,
    copy: sqlite3.Connection | None,
    tell: Tell,
) -> None:
    """Compare the table with a second count from the events, with the published table, and with
    the checkpoints of the league and of `copy`, its copy for readers."""
    live = LiveTable()
    again = recounts(reader, copy, report.findings)
    for one in live.new_sets(reader, tell):
        for each in again:
            each.enter(one)
    for each in again:
        each.finish()
    standings = live.standings(reader, is_running=is_held(folder), with_history=True)
    settings = Settings.from_json(reader.settings)
    planned = reader.planned()
    at_once = FORMATS[settings.format].counts_at_once
    rounds = rounds_of(settings) or 1
    for where, what in recount.differences(told, planned, standings, rounds, at_once=at_once):
        report.findings.add(where, what)
    audit_published(folder / PUBLISHED, standings, report)


def audit_published(file: Path, standings: Standings, report: AuditReport) -> None:
    """Compare the published table of a finished league with that of its matches."""
    if standings.facts.is_finished and file.is_file():
        found = json.loads(file.read_text(encoding="utf-8"))
        facts = found.get("facts", {})
        is_as_old = facts.get("sets") == standings.facts.sets
        expected = json.loads(json_text(standings))
        for key in LATER_FACTS - facts.keys():
            del expected["facts"][key]
        for key in LATER_PARTS - found.keys():
            del expected[key]
        for row, was in zip(expected["rows"], found.get("rows", ()), strict=False):
            for key in LATER_ROWS - was.keys():
                del row[key]
        if is_as_old and found != expected:
            report.findings.add(file, "is not the table that the matches give; publish it again")
