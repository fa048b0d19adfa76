"""`arena matches`: the matches of a league, and the evidence of faults."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from arena.cli.documents.chosen import ANY_FAULT, Chosen, Wanted
from arena.cli.documents.export import write_records
from arena.cli.documents.matches import document
from arena.cli.evidence import told_evidence
from arena.cli.leagues import (
    ask_which_match,
    find_league,
    find_match,
    reading,
    reading_evidence,
)
from arena.cli.printer import Printer
from arena.league.model.played import LeagueMatch
from arena.league.model.sets import Place
from arena.league.store.reader import Reader
from arena.outputs.words import count, ordinal
from arena.record import FaultEntry, Record
from arena.record.penalties import PENALTIES
from arena.text import did_you_mean, plain


@click.command("matches")
@click.argument("league", required=False, metavar="[LEAGUE[:MATCH]]")
@click.option("--bot", metavar="NAME", help="Only matches of this bot; with --fault, its faults.")
@click.option(
    "--fault",
    is_flag=False,
    flag_value=ANY_FAULT,
    metavar="[KIND]",
    help="Only matches with faults, or with faults of this kind.",
)
@click.option("--after", metavar="MATCH", help="Only matches listed after this one, such as 17.4.")
@click.option("--limit", type=click.IntRange(1), help="So many matches at most.")
@click.option("--evidence", is_flag=True, help="All that is known of each fault.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of words.")
@click.option(
    "--export",
    metavar="FILE",
    help="Write the records of the matches here instead, a line of JSON each; -: standard output.",
)
def COMMAND(  # noqa: N802  # the name that every command module exports
    league: str | None,
    bot: str | None,
    fault: str | None,
    after: str | None,
    limit: int | None,
    evidence: bool,
    as_json: bool,
    export: str | None,
) -> None:
    """List the matches of LEAGUE, those of complete sets; or one, such as cup:17.4.

    For each seat it names the bot, its place and its points. 17.4 is the
    fourth match of set 17: `arena replay cup:17.4` tells it again, and
    `arena match --like cup:17.4` plays the same deal with today's bots.
    Sets are listed in the order in which they were completed: --after goes on
    behind a match that was listed before, and misses none (docs/json.md).

    --evidence is for the authors of bots: the request and the reply as they crossed the wire,
    the clock, the action that was played instead, and the bot's output.

    \b
    Examples:
      arena matches
      arena matches cup --bot fox --fault late --evidence
      arena matches cup:17.4 --evidence
      arena matches cup --json | jq '.matches[] | select(.ending == "forfeit")'
      arena matches cup --json --limit 100 --after 17.4 | jq .next
      arena matches cup --bot fox --export fox.jsonl
    """
    if fault is not None and fault != ANY_FAULT and fault not in PENALTIES:
        raise click.BadParameter(
            f"there is no kind {fault!r}; there are: {', '.join(PENALTIES)}."
            f"{did_you_mean(fault, PENALTIES)} Name the league before --fault",
            param_hint="--fault",
        )
    named = find_match(league) if league else None
    if league and named is None and ":" in league:
        ask_which_match(league)
    if named is not None and (after is not None or limit is not None):
        raise click.UsageError(f"--after and --limit are for lists; {league!r} names one match")
    if export is not None and (evidence or as_json):
        raise click.UsageError("--export writes records alone: leave --json and --evidence out")
    folder = named[0] if named else find_league(league)
    wanted = Wanted(named[1] if named else None, bot, fault, place_after(after), limit)
    printer = Printer()
    with (reading_evidence if evidence else reading)(folder) as store:
        check_bot(store, bot)
        if export is not None:
            write_export(store, wanted, export)
        elif as_json:
            for piece in document(store, wanted, unfinished(store), evidence=evidence):
                printer(piece)
                if printer.closed:
                    break
        else:
            tell(store, folder, wanted, printer, evidence=evidence)
    printer.end()


def place_after(text: str | None) -> Place | None:
    """Return the place that --after names."""
    place = Place.parse(text) if text is not None else None
    if text is not None and place is None:
        raise click.BadParameter(
            f"name a match by its place, such as 17.4; got {text!r}", param_hint="--after"
        )
    return place


def write_export(store: Reader, wanted: Wanted, where: str) -> None:
    """Write the records of the matches that were begun, and tell how many there are."""
    chosen = Chosen(store, wanted)
    not_begun = 0

    def records() -> Iterator[Record]:
        nonlocal not_begun
        for played in chosen:
            if played.is_begun:
                yield played.record
            else:
                not_begun += 1

    told = f"{count(write_records(records(), where, '--export'), 'record')}"
    if not_begun:
        told += f"; {count(not_begun, 'match')} not begun"
    click.echo(told + left_out(store, chosen), err=True)


def check_bot(store: Reader, bot: str | None) -> None:
    names = [entrant.name for entrant in store.entrants()]
    if bot is not None and bot not in names:
        raise click.BadParameter(
            f"no bot {plain(bot)!r} in this league; there are:"
            f" {', '.join(map(plain, names))}.{did_you_mean(bot, names)}",
            param_hint="--bot",
        )


def unfinished(store: Reader) -> int:
    """Count the matches that were played and may not be shown yet."""
    return sum(len(state.turns) for state in store.unfinished())


def tell(store: Reader, folder: Path, wanted: Wanted, printer: Printer, *, evidence: bool) -> None:
    shown = 0
    chosen = Chosen(store, wanted)
    for played in chosen:
        printer(line(played))
        shown += 1
        if evidence:
            for one in store.evidence(played.place):
                if wanted.names(played.record.names, one):
                    for told in told_evidence(one, played, folder):
                        printer(f"    {told}")
        if printer.closed:
            return
    printer(count(shown, "match") + left_out(store, chosen))


def left_out(store: Reader, chosen: Chosen) -> str:
    """Return a clause about matches that are not in the list, "" if it has all."""
    told = ""
    if chosen.has_more:
        told += f"; there are more: --after {chosen.last}"
    hidden = unfinished(store)
    if hidden:
        are = "match of unfinished sets is" if hidden == 1 else "matches of unfinished sets are"
        told += f"; {hidden:,} {are} not shown"
    return told


def line(played: LeagueMatch) -> str:
    """Return a match in one line."""
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
