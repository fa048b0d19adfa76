"""league.toml: read into a League, or refused with everything that is wrong with it at once.

    game = "nyet"
    seats = 4

    [[bots]]
    path = "bots/fox"

    [[bots]]
    sample = "python-random"

Nothing is run, built or evaluated. `arena.league.file.keys` has every key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.league.file.bot_tables import listed_bot
from arena.league.file.confining import confine_of, limits_of
from arena.league.file.cross_checks import (
    check_games,
    check_listening,
    check_names,
    check_places,
    check_stop,
)
from arena.league.file.formats import format_keys
from arena.league.file.names import is_title, title_of
from arena.league.file.problems import BadLeague, Problems
from arena.league.file.top import (
    anchor_of,
    entry_limits_of,
    game_of,
    options_of,
    seats_of,
    stop_of,
    timing_of,
)
from arena.league.file.values import values_of
from arena.league.model.config import DIAL_IN_MS, League
from arena.league.model.settings import MATCH_PAGES
from arena.record.timing import START_MS

FILE_NAME = "league.toml"

LEAST = 'game = "nyet"\n\n[[bots]]\nsample = "python-random"\n\n[[bots]]\nsample = "python-bare"'
"""The shortest league there is."""


def read_league(path: Path) -> League:
    """Return the league of a file; raises BadLeague."""
    problems = Problems()
    league = league_of(_toml(path), path, problems)
    if league is None:
        raise BadLeague(f"{path}: {problem}" for problem in problems.all)
    return league


def league_of(values: Mapping[str, Any], file: Path, problems: Problems) -> League | None:
    """Return the league that these values of the file make; None if there are problems."""
    top = values_of(values, "", "", problems)
    if "name" in top and not is_title(top["name"]):
        problems.must("name", "", "", top["name"])
    clock = values_of(top.pop("clock", {}), "clock", " of [clock]", problems)
    faults = values_of(top.pop("faults", {}), "faults", " of [faults]", problems)
    pages = values_of(top.pop("pages", {}), "pages", " of [pages]", problems)
    limits = limits_of(top.pop("limits", {}), " of [limits]", problems)
    timing = timing_of(clock, faults)
    tables = [
        listed_bot(number, table, file, problems, limits, timing)
        for number, table in enumerate(top.pop("bots", ()), 1)
    ]
    game = game_of(top.pop("game", None), problems)
    seats = seats_of(top.pop("seats", None), game, problems, is_there="seats" in values)
    options = options_of(top.pop("options", {}), game, seats, problems)
    folder = file.absolute().parent
    check_names(tables, problems)
    check_places(tables, folder, problems)
    check_games(tables, game, seats, problems)
    check_listening(tables, problems, is_there="listen" in values)
    entry_limits = entry_limits_of(top, tables, problems)
    confine = confine_of(top.pop("confine", {}), top.pop("build", {}), folder, problems)
    stop = stop_of(top.pop("stop", {}), len(tables), problems)
    anchor = anchor_of(top.pop("anchor", {}), tables, problems)
    seed = top.pop("seed", None)
    planned = format_keys(top, tables, seats, problems)
    check_stop(stop, planned["sets"], problems)
    if problems or game is None or seats is None:
        return None
    # All other keys of the top are called in the file as they are in a League.
    defaults = {
        "name": title_of(folder.name),
        "duplicate": not any(one.dials_in for one in tables),
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
        match_pages=pages.get("matches", MATCH_PAGES),
    )


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
