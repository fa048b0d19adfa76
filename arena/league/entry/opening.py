"""A league's store made ready for a run: begun, or gone on with as far as its file allows."""

from __future__ import annotations

from collections.abc import Container, Sequence
from hashlib import sha256
from pathlib import Path

from arena.bots.contents import content_hash
from arena.league.entry.changes import refusals
from arena.league.entry.versions import Changed, Replaced, Resolved, in_words, resolved
from arena.league.model.config import Entrant, League
from arena.league.model.entrants import UNKNOWN_CONTENT
from arena.league.model.seeds import key_from_seed
from arena.league.model.settings import Settings
from arena.league.model.terms import usual_rounds
from arena.league.plan.format import Done
from arena.league.plan.formats import FORMATS, NoLineUp
from arena.league.plan.planner import Planned
from arena.league.plan.roster import Roster
from arena.league.store import events
from arena.league.store.database import Tell, untold
from arena.league.store.folder import DATABASE
from arena.league.store.store import Store
from arena.utc import now, seconds


class CannotGoOn(Exception):
    """The league was begun otherwise, and cannot go on like this."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


def open_league(league: League, folder: Path, tell: Tell = untold) -> Store:
    """Open the store to write, with a schedule as long as the file asks.

    The caller holds the league's lock. `tell` is called with a line for the operator if the
    store had to be upgraded. Raises CannotGoOn.
    """
    store = Store.open(folder / DATABASE, tell=tell)
    try:
        make_ready(store, league, tell)
    except BaseException:
        store.close()
        raise
    return store


def make_ready(store: Store, league: League, tell: Tell = untold) -> None:
    """Bring a store up to the league's settings, and plan as many sets. Raises CannotGoOn."""
    contents = contents_of(league)
    if not store.has_begun:
        _begin(store, league)
    found = resolved(league, store.roster(), contents, store.sets())
    problems = [*found.problems, *_refusals(store, found)]
    is_other = problems or found.changes
    if problems and store.has_matches:
        raise CannotGoOn(problems)
    if is_other and not store.has_matches:
        # Nothing was played that a change could mix up: a build that failed, perhaps, was
        # mended.
        retired = store.roster().retired
        store.clear()
        _begin(store, league)
        store.add_events([events.retired(name, ()) for name in sorted(retired)])
        found = resolved(league, store.roster(), contents, ())
    _settle(store, found.league)
    new = _let_in(store, found)
    _change(store, found.changes, tell)
    _give_up_what_is_left(store)
    _plan(store)
    _tell_what_waits(store, new, tell)


def bring_up_to_date(
    store: Store, league: League, taken: Container[int], tell: Tell = untold
) -> League:
    """Make the changes that the league asks, planning nothing; return it with the names of rows.

    Nothing is ever begun anew, so this may be done while the league is played. `taken`: the
    numbers of sets that are being played. Raises CannotGoOn.
    """
    if not store.has_begun:
        _begin(store, league)
    found = resolved(league, store.roster(), contents_of(league), store.sets(), taken)
    if problems := [*found.problems, *_refusals(store, found)]:
        raise CannotGoOn(problems)
    _settle(store, found.league)
    _let_in(store, found)
    _change(store, found.changes, tell)
    return found.league


def contents_of(league: League) -> dict[str, str]:
    """Return the hash of the files of each bot, by its name."""
    return {entrant.name: content_of(entrant) for entrant in league.entrants}


def content_of(entrant: Entrant) -> str:
    """Return the hash of the entrant's files; UNKNOWN_CONTENT if it dials in."""
    return UNKNOWN_CONTENT if entrant.bot is None else content_hash(entrant.bot)


def _begin(store: Store, league: League) -> None:
    settings = Settings.of(league)
    key = key_from_seed(league.seed) if league.seed is not None else None
    lots = sha256(b"arena league lots\0" + key).digest() if key is not None else None
    store.begin(settings.to_json(), key, lots, [events.league(settings)])


def _refusals(store: Store, found: Resolved) -> list[str]:
    old, known = Settings.from_json(store.settings), found.known(store.roster())
    rounds = _usual_rounds(store) if old.rounds != found.league.rounds else None
    return refusals(old, known, found.league, found.contents, rounds)


def _usual_rounds(store: Store) -> int | None:
    """Return a swiss's rounds if its file gives no number; None before the first is planned."""
    roster = Roster()
    for _, event in store.events():
        if event["event"] == "schedule":
            return usual_rounds(len(roster.taking_part))
        roster.tell(event)
    return None


def _settle(store: Store, league: League) -> None:
    old, new = Settings.from_json(store.settings), Settings.of(league)
    if new != old:
        store.change_settings(new.to_json(), [events.league(new)])


def _let_in(store: Store, found: Resolved) -> Sequence[str]:
    """Enter the bots and versions that have no row yet; return the names of their rows."""
    known = {entrant.name for entrant in store.entrants()}
    new, told = [], []
    for each in found.league.entrants:
        if each.name in known:
            continue
        content, base = found.contents[each.name], found.bases[each.name]
        new.append((each.name, each.owner, content))
        version_of = None if base == each.name else base
        told.append(
            events.entrant(
                *(each.name, each.owner, content, version_of),
                clock=each.clock,
                connections=each.connections,
            )
        )
    store.add_entrants(new, told)
    return [name for name, _, _ in new]


def _change(store: Store, changes: Sequence[Replaced | Changed], tell: Tell) -> None:
    """Make the changes, after new versions were let in: if this is interrupted, the next run finds
    the version that is there already."""
    for each in changes:
        if isinstance(each, Changed):
            event = events.changed(
                *(each.name, each.owner, each.content, each.sets),
                clock=each.clock,
                connections=each.connections,
            )
            store.change_entrant(each.name, each.owner, each.content, [event])
        else:
            store.add_events([events.replaced(each.row, each.by, each.sets)])
        tell(in_words(each))


def _give_up_what_is_left(store: Store) -> None:
    """Give up the sets in play in which a row sat that was replaced while they were played, if the
    run that had its program has ended before them."""
    roster = store.roster()
    if not roster.replaced:
        return
    left: dict[str, list[int]] = {}
    for state in store.unfinished():
        if state.planned.number not in roster.dropped:
            for name in roster.replaced.keys() & {*state.planned.line_up}:
                left.setdefault(name, []).append(state.planned.number)
    for name, sets in sorted(left.items()):
        by = roster.current(roster.rows[name].base)
        assert by is not None  # the newest row of a bot is replaced by none
        store.add_events([events.replaced(name, by.name, sets)])


def _tell_what_waits(store: Store, new: Sequence[str], tell: Tell) -> None:
    """Say so where bots that are new have nothing to play, as the league is finished.

    `new`: the names of their rows.
    """
    if not (new and store.has_matches):
        return
    planner, names = store.planner(), ", ".join(new)
    so_far, past = planner.so_far, planner.so_far.past()
    answer = planner.next(seconds(now()), sorted(so_far.away))
    if past.unfinished(so_far.results) or not isinstance(answer, Done):
        return
    key = _key_of_more(Settings.from_json(store.settings))
    if key is None or so_far.ended is not None or planner.why_not() is not None:
        early = "the league was ended early: " if so_far.ended is not None else ""
        tell(f"there is nothing to play for {names}: {early}{answer.why}")
        return
    tell(
        f"all {past.to_count:,} sets of the file are played: raise `{key}` in the file, and"
        f" {names} will play"
    )


def _key_of_more(settings: Settings) -> str | None:
    """Return the key of the file that gives a finished league more to play; None without one."""
    if settings.format == "knockout":
        return None  # its bracket is drawn once
    if settings.format == "swiss":
        return "rounds"
    return "sets" if settings.sets is not None else "sets_per_line_up"


def _plan(store: Store) -> None:
    """Plan the sets that can be planned now: the whole schedule, or its beginning.

    A ladder is planned set by set, while it is played.
    """
    planner = store.planner()
    reason = planner.why_not()
    roster = planner.so_far.roster
    if reason is not None and not (roster.benched or roster.retired):
        raise NoLineUp(reason)
    if not FORMATS[Settings.from_json(store.settings).format].ignores_order:
        return
    at, away = now(), sorted(planner.so_far.away)
    answer = planner.next(seconds(at), away)
    if isinstance(answer, Planned):
        store.add_sets(answer.sets, [events.schedule(answer.sets[-1].number, away, at)])
