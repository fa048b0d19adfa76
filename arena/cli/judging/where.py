"""WHERE: the recorded match that a command is about. A file, LEAGUE:MATCH, or a page's address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click

from arena.cli.leagues import (
    ask_which_match,
    closed_told_in_words,
    find_match,
    is_league,
    reading,
    shown_match,
)
from arena.cli.replay import read
from arena.league.model.settings import Settings
from arena.league.store.folder import FOLDER_SUFFIX
from arena.record import Record
from arena.record.timing import Timing

METAVAR = "WHERE"

# The ends of the addresses of a match, as arena.outputs.pages.names writes them: the page of its
# set, and the page that it had before.
PAGES = (
    re.compile(r"(?:^|/)sets/[0-9]+/([0-9]+)\.html#(?:.*&)?match=([0-9]+)"),
    re.compile(r"(?:^|/)matches/([0-9]+)-([0-9]+)\.html"),
)

JUDGED = "judged"


@dataclass(frozen=True)
class FoundMatch:
    """A recorded match, and where it was found."""

    record: Record
    named: str  # as `arena replay` and `arena match --like` take it
    saved_as: Path  # where what is found out about it is kept, beside the record
    timing: Timing | None  # of its league; None: a record in a file does not tell
    start_ms: int | None
    shown_names: tuple[str, ...] | None  # by seat, as its bots were told them; None: seat labels
    bases: tuple[str, ...] = ()  # by seat, the bot in its league's file; (): a record in a file


def find_where(argument: str, which: int | None) -> FoundMatch:
    """Return the match that WHERE names; else raise a usage error with those that there are.

    `which`: the number of the record in a file of several, from 0.
    """
    page = page_named(argument)
    if page is not None:
        argument = page
    path = Path(argument)
    if path.is_file():
        return in_file(path, which)
    if find_match(argument) is None:
        ask_which_match(argument)
        raise click.BadParameter(
            f"{argument!r} is no file of a record, no match of a league such as cup:17.4, and no"
            " address of a match page",
            param_hint=METAVAR,
        )
    if which is not None:
        raise click.UsageError(
            f"--match is for a file of several records; {argument!r} names one match already"
        )
    return in_league(argument)


def in_file(path: Path, which: int | None) -> FoundMatch:
    record = read(path, which or 0)
    number = f".{which}" if which else ""
    saved_as = path.with_name(f"{path.stem}{number}.{JUDGED}.json")
    named = f"{path} --match {which}" if which else str(path)
    return FoundMatch(begun(record, named), named, saved_as, None, None, None)


def in_league(argument: str) -> FoundMatch:
    found = find_match(argument)
    assert found is not None
    folder, place = found
    with reading(folder) as store:
        played = shown_match(store, place)
        settings = Settings.from_json(store.settings)
        rows = store.roster().rows
    saved_as = folder / JUDGED / f"{place.set}-{place.turn + 1}.json"
    named = f"{folder.with_suffix('')}:{place}"
    record = begun(played.record, named)
    return FoundMatch(
        record,
        named,
        saved_as,
        settings.timing,
        settings.start_ms,
        record.names if settings.show_names else None,
        tuple(rows[name].base if name in rows else name for name in record.names),
    )


def begun(record: Record, named: str) -> Record:
    if not record.moves:
        raise click.ClickException(f"nothing was played in {named}: there is no move in it")
    return record


def page_named(address: str) -> str | None:
    """Return LEAGUE:MATCH for the address of a match page, None for anything else.

    The page itself is not read: the record is in the league's folder, where the page was written.
    """
    parts = urlsplit(address)
    path = f"{unquote(parts.path)}#{parts.fragment}" if parts.scheme else address
    page = next((found for each in PAGES if (found := each.search(path))), None)
    if page is None:
        if parts.scheme in ("http", "https"):
            raise click.BadParameter(
                "an address is that of a match page, such as"
                f" https://arena.example/sets/000/17.html#match=4; got {address!r}. Or name the"
                " match: cup:17.4",
                param_hint=METAVAR,
            )
        return None
    place = f"{page[1]}.{page[2]}"
    above = Path(path[: page.start()] or ".")
    for folder in (above, *above.parents):
        if folder.name.endswith(FOLDER_SUFFIX):
            # On the web the path of an address is none of this machine's; below here it may be.
            local = [folder] if parts.scheme in ("", "file") else [Path(folder.name)]
            for each in local:
                with closed_told_in_words():
                    if is_league(each):
                        return f"{each}:{place}"
    raise click.BadParameter(
        f"this is the page of match {place}, but its league is not beside it on this machine; name"
        f" the match as LEAGUE:{place}, with the league's file or folder",
        param_hint=METAVAR,
    )


def seat_of(record: Record, seat: int | None) -> None:
    """Raise a usage error unless the match has this seat."""
    if seat is not None and not 0 <= seat < record.seats:
        there_are = ", ".join(f"{number} ({name!r})" for number, name in enumerate(record.names))
        raise click.BadParameter(
            f"this match had seats {there_are}; got {seat}", param_hint="--seat"
        )
