"""`arena matches`: what was played in a league, and the evidence of faults."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from arena.cli.evidence import evidence_as_json_value, told_evidence
from arena.cli.leagues import find_league, find_match, reading, shown_match
from arena.cli.printer import Printer
from arena.games.errors import did_you_mean
from arena.league.played import Evidence, Played
from arena.league.sets import Place
from arena.league.store import Store
from arena.outputs.words import count, ordinal
from arena.record import FaultEntry
from arena.record.transcript import plain
from arena.referee.penalties import PENALTIES

ANY = "any"


@dataclass(frozen=True)
class Wanted:
    """Which matches."""

    place: Place | None
    bot: str | None
    fault: str | None  # a kind, ANY, or None: with faults or without

    def includes(self, played: Played) -> bool:
        record = played.record
        if self.bot is not None and self.bot not in record.names:
            return False
        return self.fault is None or any(self.names(record.names, each) for each in record.faults)

    def names(self, names: tuple[str, ...], fault: FaultEntry | Evidence) -> bool:
        """Whether this is a fault that was asked for: of that kind, and of that bot."""
        is_kind = self.fault in (None, ANY, fault.kind)
        return is_kind and self.bot in (None, names[fault.seat])


@click.command("matches")
@click.argument("league", required=False, metavar="[LEAGUE[:MATCH]]")
@click.option("--bot", metavar="NAME", help="Only where this bot sat; with --fault, its faults.")
@click.option(
    "--fault",
    is_flag=False,
    flag_value=ANY,
    metavar="[KIND]",
    help="Only where there were faults, or those of a kind.",
)
@click.option("--evidence", is_flag=True, help="All that is known of each fault.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of words.")
def COMMAND(  # noqa: N802  # what every command module exports
    league: str | None, bot: str | None, fault: str | None, evidence: bool, as_json: bool
) -> None:
    """List the matches of LEAGUE, those of complete sets; or one, such as cup:17.4.

    By seat it says who sat there, which place he took and with how many points. 17.4 is the
    fourth match of set 17: `arena replay cup:17.4` tells it again, and
    `arena match --like cup:17.4` plays the same deal with today's bots.

    --evidence is for the authors of bots: the request and the reply as they crossed the wire,
    the clock, what was played instead, and the ends of what the bot printed.

    \b
    Examples:
      arena matches
      arena matches cup --bot fox --fault late --evidence
      arena matches cup:17.4 --evidence
      arena matches cup --json | jq '.matches[] | select(.ending == "forfeit")'
    """
    if fault is not None and fault != ANY and fault not in PENALTIES:
        raise click.BadParameter(
            f"there is no kind {fault!r}; there are: {', '.join(PENALTIES)}."
            f"{did_you_mean(fault, PENALTIES)} Name the league before --fault",
            param_hint="--fault",
        )
    named = find_match(league) if league else None
    folder = named[0] if named else find_league(league)
    wanted = Wanted(named[1] if named else None, bot, fault)
    printer = Printer()
    with reading(folder) as store:
        check_bot(store, bot)
        if as_json:
            printer(json.dumps(document(store, wanted, evidence=evidence), indent=1))
        else:
            tell(store, folder, wanted, printer, evidence=evidence)
    printer.end()


def check_bot(store: Store, bot: str | None) -> None:
    names = [entrant.name for entrant in store.entrants()]
    if bot is not None and bot not in names:
        raise click.BadParameter(
            f"no bot {plain(bot)!r} in this league; there are:"
            f" {', '.join(map(plain, names))}.{did_you_mean(bot, names)}",
            param_hint="--bot",
        )


def chosen(store: Store, wanted: Wanted) -> Iterator[Played]:
    if wanted.place is not None:
        yield from filter(wanted.includes, [shown_match(store, wanted.place)])
        return
    for one in store.complete_sets():
        yield from filter(wanted.includes, one.matches)


def unfinished(store: Store) -> int:
    """How many matches were played that may not be shown yet."""
    return sum(len(state.turns) for state in store.sets() if not state.is_complete)


def tell(store: Store, folder: Path, wanted: Wanted, printer: Printer, *, evidence: bool) -> None:
    shown = 0
    for played in chosen(store, wanted):
        printer(line(played))
        shown += 1
        if evidence:
            for one in store.evidence(played.place):
                if wanted.names(played.record.names, one):
                    for told in told_evidence(one, played, folder):
                        printer(f"    {told}")
        if printer.closed:
            return
    told = count(shown, "match")
    hidden = unfinished(store)
    if hidden:
        are = "match of unfinished sets is" if hidden == 1 else "matches of unfinished sets are"
        told += f"; {hidden:,} {are} not shown"
    printer(told)


def line(played: Played) -> str:
    """A match on a line."""
    record = played.record
    told = f"{played.place!s:<7} {played.ended}  "
    told += ", ".join(
        f"{plain(name)} {ordinal(record.places[seat])}"
        + (f" {record.scores[seat]}" if record.scores else "")
        for seat, name in enumerate(record.names)
    )
    if not played.is_begun:
        told += "; not begun"
    if record.faults:
        told += f"; faults: {', '.join(told_fault(record.names, each) for each in record.faults)}"
    return told


def told_fault(names: tuple[str, ...], fault: FaultEntry) -> str:
    return f"{plain(names[fault.seat])} {fault.kind}{' (forfeits)' if fault.forfeit else ''}"


def document(store: Store, wanted: Wanted, *, evidence: bool) -> Mapping[str, Any]:
    """Everything in one document; raw bytes as hexadecimal."""
    matches = []
    for played in chosen(store, wanted):
        entry = as_json_value(played)
        if evidence:
            entry["evidence"] = [
                evidence_as_json_value(one)
                for one in store.evidence(played.place)
                if wanted.names(played.record.names, one)
            ]
        matches.append(entry)
    return {
        "league": store.settings["name"],
        "matches": matches,
        "unfinished": unfinished(store),
    }


def as_json_value(played: Played) -> dict[str, Any]:
    record = played.record
    return {
        "match": str(played.place),
        "set": played.set,
        "turn": played.turn,
        "attempt": played.attempt,
        "ended": played.ended,
        "stood": played.stood,
        "game": record.game,
        "bots": list(record.names),
        "places": list(record.places),
        "scores": list(record.scores),
        "ending": record.ending,
        "forfeits": list(record.forfeits),
        "moves": len(record.moves),
        "faults": [
            {
                "seat": fault.seat,
                "bot": record.names[fault.seat],
                "move": fault.move,
                "kind": fault.kind,
                "code": fault.code,
                "text": fault.text,
                "forfeit": fault.forfeit,
            }
            for fault in record.faults
        ],
    }
