"""A league's store made ready for a run: begun, or gone on with as far as its file allows."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from arena.league import events
from arena.league.changes import refusals
from arena.league.config import UNKNOWN_CONTENT, Entrant, League
from arena.league.database import FILE_NAME
from arena.league.growth import more_sets
from arena.league.schedule import NoLineUp
from arena.league.sets import key_from_seed
from arena.league.settings import Settings
from arena.league.store import Store
from arena.referee.contents import content_hash

# Beside league.toml: league.arena
FOLDER_SUFFIX = ".arena"


class Refused(Exception):
    """The league was begun otherwise, and cannot go on like this."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


def folder_of(file: Path) -> Path:
    """Where the league of a file is kept."""
    return file.absolute().with_suffix(FOLDER_SUFFIX)


def open_league(league: League, folder: Path) -> Store:
    """The store, open to write, its schedule as long as the file asks; whoever calls it holds
    the lock. Raises Refused."""
    contents = {entrant.name: content_of(entrant) for entrant in league.entrants}
    store = Store.open(folder / FILE_NAME)
    try:
        if store.has_begun:
            _go_on(store, league, contents)
        else:
            _begin(store, league)
        _let_in(store, league, contents)
        _plan(store, league)
    except BaseException:
        store.close()
        raise
    return store


def content_of(entrant: Entrant) -> str:
    """What makes it the bot that it is."""
    return UNKNOWN_CONTENT if entrant.bot is None else content_hash(entrant.bot)


def _begin(store: Store, league: League) -> None:
    settings = Settings.of(league)
    key = key_from_seed(league.seed) if league.seed is not None else None
    lots = sha256(b"arena league lots\0" + key).digest() if key is not None else None
    store.begin(settings.to_json(), key, lots, [events.league(settings)])


def _go_on(store: Store, league: League, contents: Mapping[str, str]) -> None:
    old, new = Settings.from_json(store.settings), Settings.of(league)
    problems = refusals(old, store.entrants(), league, contents)
    if problems and store.has_matches:
        raise Refused(problems)
    # Nothing was played that a change could mix up: a build that failed, perhaps, was mended.
    if problems:
        store.clear()
        _begin(store, league)
    elif new != old:
        store.change_settings(new.to_json(), [events.league(new)])


def _let_in(store: Store, league: League, contents: Mapping[str, str]) -> None:
    known = {entrant.name for entrant in store.entrants()}
    new = [entrant for entrant in league.entrants if entrant.name not in known]
    store.add_entrants(
        [(entrant.name, entrant.owner, contents[entrant.name]) for entrant in new],
        [events.entrant(entrant.name, entrant.owner, contents[entrant.name]) for entrant in new],
    )


def _plan(store: Store, league: League) -> None:
    already = [state.planned for state in store.sets()]
    entrants = [(entrant.name, entrant.owner) for entrant in store.entrants()]
    benched = store.benched()
    try:
        more = more_sets(Settings.of(league), entrants, store.lots, already, league.sets, benched)
    except NoLineUp:
        if not benched:
            raise
        return  # too few still take part: what there was to play has been played
    if more:
        store.add_sets(more, [events.schedule(len(already) + len(more))])
