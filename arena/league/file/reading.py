"""league.toml: read into a League, or refused with everything that is wrong with it at once.

    game = "nyet"
    seats = 4

    [[bots]]
    path = "bots/fox"

    [[bots]]
    sample = "python-random"

Nothing is run, built or evaluated. `arena.league.file.keys` has every key. The store may have bots
besides those of the file: all are read and checked as if the file had them (`StoredBots`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from arena.bots.confine.limits import Limits
from arena.games import Game
from arena.league.file.bot_tables import ListedBot, listed_bot
from arena.league.file.confining import confine_of, limits_of
from arena.league.file.cross_checks import (
    check_address,
    check_engine,
    check_games,
    check_listening,
    check_names,
    check_places,
    check_stop,
)
from arena.league.file.formats import format_keys
from arena.league.file.names import is_title, title_of
from arena.league.file.problems import BadLeague, Problems
from arena.league.file.sources import DIALS_IN
from arena.league.file.top import (
    anchor_of,
    entry_limits_of,
    game_of,
    options_of,
    seats_of,
    stop_of,
    timing_of,
    tls_of,
)
from arena.league.file.values import values_of
from arena.league.model.config import DIAL_IN_MS, League
from arena.league.model.settings import MATCH_PAGES
from arena.record.timing import START_MS, Timing

FILE_NAME = "league.toml"

LEAST = 'game = "nyet"\n\n[[bots]]\nsample = "python-random"\n\n[[bots]]\nsample = "python-bare"'
"""The shortest league there is."""


@dataclass(frozen=True)
class StoredBots:
    """The bots of a league that its store has besides its file, and those it takes out of it.

    `admitted`: by name, tables as below [[bots]]; where the file has a bot of the same name, that
    of the file counts. `out`: names of bots that were retired and have nothing left to play. The
    file may have them or not; they play no part, and their names stay taken. `has_callers_out`:
    one of them dialled in, and the league stays one in which a bot dials in.
    """

    admitted: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    out: frozenset[str] = frozenset()
    has_callers_out: bool = False


def read_league(
    path: Path, stored: StoredBots | None = None, *, may_be_few: bool = False
) -> League:
    """Return the league of a file, with the bots that its store has; raises BadLeague.

    `may_be_few`: too few bots to fill a table are no problem, as more are to come.
    """
    problems = Problems()
    league = league_of(_toml(path), path, problems, stored or StoredBots(), may_be_few=may_be_few)
    if league is None:
        raise BadLeague(f"{path}: {problem}" for problem in problems.all)
    return league


def bot_tables(path: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return the tables below [[bots]] of a file by the names of their bots, each with its name.

    Those that have no name yet are left out. Raises BadLeague if the file cannot be read.
    """
    tables = _tables(_toml(path))
    read = [_as_listed(table, path) for table in tables]
    return {
        one.name: {**table, "name": one.name}
        for one, table in zip(read, tables, strict=True)
        if one.name is not None
    }


def league_of(
    values: Mapping[str, Any],
    file: Path,
    problems: Problems,
    stored: StoredBots | None = None,
    *,
    may_be_few: bool = False,
) -> League | None:
    """Return the league that these values of the file make; None if there are problems."""
    stored = stored or StoredBots()
    top = values_of(_with_admitted(values, file, stored), "", "", problems)
    if "name" in top and not is_title(top["name"]):
        problems.must("name", "", "", top["name"])
    clock = values_of(top.pop("clock", {}), "clock", " of [clock]", problems)
    faults = values_of(top.pop("faults", {}), "faults", " of [faults]", problems)
    pages = values_of(top.pop("pages", {}), "pages", " of [pages]", problems)
    limits = limits_of(top.pop("limits", {}), " of [limits]", problems)
    timing = timing_of(clock, faults)
    listed = top.pop("bots", ())
    tables = _bots(listed, len(_tables(values)), file, problems, (limits, timing), stored.out)
    game = game_of(top.pop("game", None), problems)
    seats = seats_of(top.pop("seats", None), game, problems, is_there="seats" in values)
    options = options_of(top.pop("options", {}), game, seats, problems)
    folder = file.absolute().parent
    _check_bots(tables, folder, game, seats, problems, is_listening="listen" in values)
    check_address(top.get("address"), problems, is_listening="listen" in values)
    entry_limits = entry_limits_of(top, tables, problems)
    confine = confine_of(top.pop("confine", {}), top.pop("build", {}), folder, problems)
    stop = stop_of(top.pop("stop", {}), len(tables), problems)
    anchor = anchor_of(top.pop("anchor", {}), tables, problems)
    tls = tls_of(top.pop("tls", {}), folder, problems)
    check_engine(top, tls, problems)
    seed = top.pop("seed", None)
    planned = format_keys(top, tables, seats, problems, may_be_few=may_be_few)
    check_stop(stop, planned["sets"], problems)
    if problems or game is None or seats is None:
        return None
    # All other keys of the top are called in the file as they are in a League.
    defaults = {
        "name": title_of(folder.name),
        "duplicate": not (stored.has_callers_out or any(one.dials_in for one in tables)),
    }
    same: dict[str, Any] = defaults | top | planned
    return League(
        **same,
        game=game.name,
        seats=seats,
        entrants=tuple(one.entrant for one in tables if one.entrant is not None),
        options=options,
        seed=None if seed is None else str(seed),
        timing=timing,
        start_ms=clock.get("start_ms", START_MS),
        dial_in_ms=clock.get("dial_in_ms", DIAL_IN_MS),
        anchor=anchor,
        confine=confine,
        entry_limits=entry_limits,
        stop=stop,
        tls=tls,
        match_pages=pages.get("matches", MATCH_PAGES),
    )


def _tables(values: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the tables below [[bots]]; none where something else is there."""
    tables = values.get("bots", ())
    if isinstance(tables, list) and all(isinstance(table, dict) for table in tables):
        return tables
    return ()


def _with_admitted(values: Mapping[str, Any], file: Path, stored: StoredBots) -> Mapping[str, Any]:
    """Return the values as if the file had the bots that were admitted, behind its own."""
    tables = _tables(values)
    if not stored.admitted or bool(tables) != bool(values.get("bots")):
        return values
    names = {_as_listed(table, file).name for table in tables}
    more = [{**table, "name": name} for name, table in stored.admitted.items() if name not in names]
    return {**values, "bots": [*tables, *more]}


def _bots(
    tables: Sequence[Mapping[str, Any]],
    in_file: int,
    file: Path,
    problems: Problems,
    usual: tuple[Limits, Timing],
    out: Set[str],
) -> list[ListedBot]:
    """Read the tables of all bots, of which so many are in the file; those in `out` come last.

    `usual`: the limits and times of bots that say nothing of them.
    """
    found = []
    for number, table in enumerate(tables, 1):
        own = Problems()
        one = listed_bot(number, table, file, own, *usual)
        if one.name in out:
            continue
        where = one.where if number <= in_file else f"{one.name}, admitted by command,"
        for problem in own.all:
            problems.say(problem.replace(one.where, where))
        bot = one.bot
        if bot is not None:
            is_in_file = number <= in_file or not bot.is_bare
            bot = bot if is_in_file else replace(bot, written_in=f"`arena admit` of {one.name}")
        found.append(replace(one, where=where, bot=bot))
    return [*found, *(_out_of_play(name, file) for name in sorted(out))]


def _check_bots(
    tables: Sequence[ListedBot],
    folder: Path,
    game: Game | None,
    seats: int | None,
    problems: Problems,
    *,
    is_listening: bool,
) -> None:
    check_names(tables, problems)
    check_places(tables, folder, problems)
    check_games(tables, game, seats, problems)
    check_listening(tables, problems, is_there=is_listening)


def _out_of_play(name: str, file: Path) -> ListedBot:
    """Return a bot of which no more is known than its name: it is no entrant."""
    return replace(_as_listed({"name": name, DIALS_IN: True}, file), where=name, dials_in=False)


def _as_listed(table: Mapping[str, Any], file: Path) -> ListedBot:
    """Read a table for its name, whatever may be wrong with it."""
    return listed_bot(1, table, file, Problems(), Limits(), Timing())


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadLeague(
            [f"{path}: there is no such file; `arena init` makes one. The shortest is\n{LEAST}"]
        ) from None
    except OSError as error:
        raise BadLeague([f"{path}: cannot be read: {error.strerror}"]) from None
    except UnicodeDecodeError as error:
        raise BadLeague([f"{path}: is not UTF-8 at byte {error.start}; save it as UTF-8"]) from None
    except tomllib.TOMLDecodeError as error:
        raise BadLeague([f"{path}: is not TOML: {error}"]) from None
