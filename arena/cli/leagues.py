"""Leagues as a command line names them, and the matches in them: `league`, `league:17.4`.

A league is named by its file, by the folder or the store beside it, or by one of these names
without its ending. Only complete sets are read here: nothing of others may be shown.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from arena.league.file.reading import FILE_NAME as LEAGUE_FILE
from arena.league.model.played import LeagueMatch
from arena.league.model.sets import Place, SetState
from arena.league.model.settings import Settings
from arena.league.store.complete_reader import reader_of
from arena.league.store.database import StoreError
from arena.league.store.folder import (
    COMPLETE_SETS,
    DATABASE,
    FOLDER_SUFFIX,
    PUBLIC,
    SECRETS,
)
from arena.league.store.reader import Reader
from arena.record import RecordError
from arena.text import did_you_mean

FILE_SUFFIX = ".toml"

league_argument = click.argument("league", required=False)


@contextmanager
def closed_told_in_words() -> Iterator[None]:
    """Turn a refusal of the system to look into a folder, raised in this block, into an error for
    people."""
    try:
        yield
    except PermissionError as error:
        raise click.ClickException(
            f"{error.filename}: this user may not read it; it is for the owner of the league"
        ) from None


@closed_told_in_words()
def find_league(argument: str | None) -> Path:
    """Return the folder of the league that an argument names; without one, of the only league
    here."""
    if not argument:
        return only_league(Path())
    path = Path(argument)
    folder = folder_named(path)
    if is_league(folder):
        return folder
    if path.is_dir() and not path.name.endswith(FOLDER_SUFFIX):
        return only_league(path)
    file = folder.with_suffix(FILE_SUFFIX)
    if file.is_file():
        raise click.UsageError(
            f"the league of {file} was not played yet: `arena league {shlex.quote(str(file))}`"
            " begins it"
        )
    known = [str(each.with_suffix("")) for each in leagues_in(path.parent)]
    raise click.UsageError(
        f"{argument!r} is no league: there is no folder {folder} with a {DATABASE} in it."
        f"{did_you_mean(str(path.with_suffix('')), known)} {told(path.parent)}"
    )


@closed_told_in_words()
def file_named(path: Path) -> Path:
    """Return the league's file that a path names, by the rules of `find_league`. A path that names
    no league is taken for a file."""
    if path.is_file() and path.name != DATABASE:
        return path
    if path.name:
        file = folder_named(path).with_suffix(FILE_SUFFIX)
        if file.is_file():
            return file
    if not path.is_dir():
        return path
    if (path / LEAGUE_FILE).is_file():
        return path / LEAGUE_FILE
    files = [each.with_suffix(FILE_SUFFIX) for each in leagues_in(path)]
    if len(files) == 1 and files[0].is_file():
        return files[0]
    others = f" {told(path)}." if files else ""
    raise click.UsageError(
        f"there is no {LEAGUE_FILE} in {path}; name the file, or `arena init"
        f" {shlex.quote(str(path))}` makes one.{others}"
    )


def folder_named(path: Path) -> Path:
    """Return the folder in which a league of this name would be kept."""
    if path.name == DATABASE:
        return path.parent
    if path.suffix == FILE_SUFFIX:
        return path.with_suffix(FOLDER_SUFFIX)
    if path.suffix == FOLDER_SUFFIX or is_league(path):
        return path
    return path.with_name(f"{path.name}{FOLDER_SUFFIX}") if path.name else path


def is_league(folder: Path) -> bool:
    """Tell whether a league is kept in this folder. Raises PermissionError where this user may not
    look."""
    return (folder / DATABASE).is_file() or (folder / COMPLETE_SETS).is_file()


def leagues_in(folder: Path) -> list[Path]:
    """Return the folders of the leagues here; also those that this user may not look into."""
    if not folder.is_dir():
        return []
    return sorted(each for each in folder.glob(f"*{FOLDER_SUFFIX}") if _seems_league(each))


def _seems_league(folder: Path) -> bool:
    try:
        return is_league(folder)
    except PermissionError:
        return True


def only_league(folder: Path) -> Path:
    found = leagues_in(folder)
    if len(found) == 1 and is_league(found[0]):
        return found[0]
    raise click.UsageError(f"name a league. {told(folder)}")


def told(folder: Path) -> str:
    """Return a sentence about the leagues in a folder."""
    found = leagues_in(folder)
    where = "here" if folder == Path() else f"in {folder}"
    if not found:
        return f"No league was played {where} yet: `arena league` plays one."
    return f"Leagues {where}: {', '.join(str(each.with_suffix('')) for each in found)}"


def check_not_lost(folder: Path) -> None:
    """Refuse to begin a league anew over the remains of one that lost its database to a disk or a
    copy: a new one would write over its secrets and its pages."""
    file = folder / DATABASE
    left = {
        folder / PUBLIC / "index.html": f"in {folder / PUBLIC} there are the pages",
        folder / SECRETS: f"{folder / SECRETS} holds the secrets",
    }
    is_lost = not file.exists() or (file.is_file() and not file.stat().st_size)
    words = [told for each, told in left.items() if each.exists()]
    if is_lost and words:
        raise click.ClickException(
            f"{file} is {'empty' if file.exists() else 'gone'}, and {words[0]} of a league that"
            f" was played: bring back the last copy of the file, or move {folder} away to begin a"
            " new league"
        )


@contextmanager
def reading(folder: Path) -> Iterator[Reader]:
    """Open the complete sets of the league to read; errors in it are told in words."""
    with told_in_words(folder), reader_of(folder) as store:
        yield store


@contextmanager
def reading_evidence(folder: Path) -> Iterator[Reader]:
    """Open the league's own file, which has the evidence of faults too; only its owner may."""
    with told_in_words(folder), Reader.read(folder / DATABASE) as store:
        yield store


@contextmanager
def told_in_words(folder: Path) -> Iterator[None]:
    """Turn errors of a damaged league, raised in this block, into errors for people."""
    try:
        yield
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    except (RecordError, json.JSONDecodeError, msgspec.MsgspecError) as error:
        name = shlex.quote(str(folder.with_suffix("")))
        raise click.ClickException(
            f"{folder / DATABASE} is damaged: {error}; `arena verify {name}` names every place"
        ) from None


def find_match(argument: str) -> tuple[Path, Place] | None:
    """Return the league and the place that LEAGUE:17.4 names; None if it is not of this form.

    The league may be left out, as elsewhere: `:17.4`.
    """
    league, colon, text = argument.rpartition(":")
    place = Place.parse(text)
    if not colon or place is None:
        return None
    return find_league(league), place


@closed_told_in_words()
def ask_which_match(argument: str) -> None:
    """Raise a usage error that tells how its matches are named, if the argument names a league, or
    a set of one such as cup:17."""
    league, _, text = argument.rpartition(":")
    number = int(text) if league and text.isdecimal() else None
    named = argument if number is None else league
    folder = folder_named(Path(named))
    if not is_league(folder):
        return
    with reading(folder) as store:
        sets = len(store.sets())
        matches = Settings.from_json(store.settings).matches_of_a_set
    if number is not None and not 1 <= number <= sets:
        raise click.UsageError(
            f"there is no set {number}: this league has {sets} sets, numbered from 1"
        )
    one = shlex.quote(f"{named}:{number or 1}.1")
    has = f"Set {number or 1} has {number or 1}.1 to {number or 1}.{matches}"
    lists = f"`arena matches {shlex.quote(named)}` lists them"
    raise click.UsageError(f"which match of {named}? {has}: name one such as {one}; {lists}")


def shown_match(store: Reader, place: Place) -> LeagueMatch:
    """Return a match that may be shown; else raise an error that says why it may not."""
    states = {state.planned.number: state for state in store.sets()}
    settings = Settings.from_json(store.settings)
    state = states.get(place.set)
    if state is None:
        raise click.UsageError(
            f"there is no match {place}: this league has {len(states)} sets, numbered from 1"
        )
    matches = settings.matches_of_a_set
    if place.turn >= matches:
        raise click.UsageError(
            f"there is no match {place}: a set of this league has {matches} matches, numbered"
            f" {place.set}.1 to {place.set}.{matches}"
        )
    if not state.is_complete:
        raise click.ClickException(why_hidden(state, place, matches))
    one = store.complete_set(place.set)
    played = None if one is None else {each.turn: each for each in one.matches}.get(place.turn)
    if played is None:
        raise click.ClickException(
            f"match {place} is missing; `arena verify` names everything that is"
        )
    return played


def why_hidden(state: SetState, place: Place, matches: int) -> str:
    if place.turn not in state.turns:
        return f"match {place} was not played (yet)"
    return (
        f"match {place} is shown when set {place.set} is complete: its cards are still to be"
        f" played by others ({len(state.turns)} of its {matches} matches are played)"
    )
