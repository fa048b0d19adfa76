"""league.toml: read into a League, with everything that is wrong with it at once, in words.

    game = "nyet"
    seats = 4

    [[bots]]
    path = "bots/fox"

    [[bots]]
    sample = "python-random"

Nothing is run, built or evaluated. `arena.league.keys` has every key.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from itertools import count
from math import inf, isnan
from pathlib import Path
from typing import Any

import msgspec

from arena.games import GAMES, BadOption, Game, UnknownGame
from arena.games.errors import did_you_mean
from arena.league.config import DIAL_IN_MS, Entrant, League
from arena.league.keys import KEYS, MAX_TITLE_CHARS, SETS
from arena.league.ratings import Anchor
from arena.league.schedule import why_no_line_up
from arena.league.sources import DIALS_IN, SOURCES, bot_from
from arena.referee.botfile import FILE_NAME as BOT_FILE
from arena.referee.botfile import MAX_NAME_CHARS, BadBotFile, Bot
from arena.referee.clock import START_MS, Timing

FILE_NAME = "league.toml"

LEAST = 'game = "nyet"\n\n[[bots]]\nsample = "python-random"\n\n[[bots]]\nsample = "python-bare"'
"""The shortest league there is."""

# TOML has no word for nothing; this one SPEC and error messages use.
NIL = "nil"

_LONGEST_VALUE = 80


class BadLeague(ValueError):
    """Everything that is wrong with one file."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def read_league(path: Path) -> League:
    """The league of a file; raises BadLeague."""
    values = _toml(path)
    reader = _Reader(path.absolute().parent)
    league = reader.league(values)
    if league is None:
        raise BadLeague(f"{path}: {problem}" for problem in reader.problems)
    return league


def warnings(league: League, cores: int) -> list[str]:
    """What can be played on a machine of so many cores, but will not be judged well."""
    found = []
    at_once = league.jobs * (league.at_once or 1)
    if at_once > cores:
        keys = f"jobs = {league.jobs}"
        if league.at_once is not None:
            keys += f" with at_once = {league.at_once}"
        found.append(
            f"{keys} lets {at_once} bots think at once, and there are {cores} cores: they wait for "
            "each other on their own clocks, and sets become void; fewer play as many matches"
        )
    if league.callers and league.duplicate:
        found.append(
            f"{_and(league.callers)} may remember a set from one seating to the next, as we cannot "
            "start afresh who dials in; without `duplicate` each deal is played once"
        )
    return found


def too_many_jobs(league: League) -> str | None:
    """Why the league cannot have so many; None if it can."""
    if league.jobs == 1 or not league.callers:
        return None
    return (
        f"jobs = {league.jobs} will not do where bots dial in, as {_and(league.callers)} will:"
        " each has one connection, to one referee process; leave `jobs` out"
    )


def another_name(name: str, taken: Iterable[str]) -> str:
    """A name much like this one that nobody has yet."""
    lower = {other.lower() for other in taken}
    numbered = (f"{name[: MAX_NAME_CHARS - 4]}-{number}" for number in count(2))
    return next(other for other in numbered if other.lower() not in lower)


def title_of(folder: str) -> str:
    """A league is called after its folder, as far as that can be printed."""
    title = "".join(filter(str.isprintable, folder))[:MAX_TITLE_CHARS]
    return title if is_title(title) else "league"


def is_title(text: str) -> bool:
    """Whether a table can have it above: something to see, and nothing that only a terminal or a
    browser would take for more, such as marks that turn its direction round."""
    return text.isprintable() and bool(text.strip())


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


@dataclass(frozen=True)
class _Listed:
    """One of the [[bots]], as far as it can be understood."""

    where: str  # in words
    name: str | None
    owner: str | None
    bot: Bot | None
    dials_in: bool

    @property
    def entrant(self) -> Entrant | None:
        if self.name and self.owner and (self.bot is not None or self.dials_in):
            return Entrant(self.name, self.bot, self.owner)
        return None


class _Reader:
    """Reads one file, and keeps what is wrong with it."""

    def __init__(self, folder: Path):
        self._folder = folder
        self.problems: list[str] = []

    def league(self, values: Mapping[str, Any]) -> League | None:
        """The league; None if there are problems."""
        top = self._table(values, "", "")
        if "name" in top and not is_title(top["name"]):
            self._must("name", "", "", top["name"])
        clock = self._table(top.pop("clock", {}), "clock", " of [clock]")
        faults = self._table(top.pop("faults", {}), "faults", " of [faults]")
        listed = [
            self._listed(number, table) for number, table in enumerate(top.pop("bots", ()), 1)
        ]
        game = self._game(top.pop("game", None))
        seats = self._seats(top.pop("seats", None), game, is_there="seats" in values)
        options = self._options(top.pop("options", {}), game, seats)
        self._check_bots(listed, game)
        self._check_line_ups(listed, top, seats)
        self._check_listening(listed, is_there="listen" in values)
        anchor = self._anchor(top.pop("anchor", {}), listed)
        seed = top.pop("seed", None)
        if self.problems or game is None or seats is None:
            return None
        start_ms = clock.pop("start_ms", START_MS)
        dial_in_ms = clock.pop("dial_in_ms", DIAL_IN_MS)
        if "to_forfeit" in faults:
            clock["faults_to_forfeit"] = faults["to_forfeit"]
        # What is left at the top is called in the file as it is in a League.
        defaults = {
            "name": title_of(self._folder.name),
            "sets": SETS,
            "duplicate": not any(one.dials_in for one in listed),
        }
        same: dict[str, Any] = defaults | top
        league = League(
            **same,
            game=game.name,
            seats=seats,
            entrants=tuple(one.entrant for one in listed if one.entrant is not None),
            options=options,
            seed=None if seed is None else str(seed),
            timing=Timing(**clock),
            start_ms=start_ms,
            dial_in_ms=dial_in_ms,
            anchor=anchor,
        )
        if (problem := too_many_jobs(league)) is not None:
            self._say(problem)
            return None
        return league

    def _table(self, values: Mapping[str, Any], table: str, of: str) -> dict[str, Any]:
        """What is right in a table; what is wrong becomes problems."""
        keys = KEYS[table]
        found = {}
        for name in values:
            if name not in keys:
                self._say(f"`{name}`{of} is not a key here; {_hint(name, table)}")
        for name, key in keys.items():
            if name not in values:
                if key.default is None:
                    self._say(f"`{name}`{of} is missing: {key.must}. For instance: {key.example}")
                continue
            try:
                found[name] = msgspec.convert(values[name], key.type)
            except msgspec.ValidationError:
                self._must(name, table, of, values[name])
        return found

    def _game(self, name: str | None) -> Game | None:
        if name is None:
            return None
        try:
            return GAMES[name]
        except UnknownGame as error:
            self._say(f"`game`: {error}")
            return None

    def _seats(self, seats: int | None, game: Game | None, *, is_there: bool) -> int | None:
        if game is None or (seats is None and is_there):
            return None
        if seats is None:
            return game.seats[0]
        if seats not in game.seats:
            sizes = ", ".join(map(str, game.seats))
            self._say(
                f"`seats` is {seats}, and {game.name} is played by {sizes}."
                f" For instance: seats = {game.seats[-1]}"
            )
            return None
        return seats

    def _options(
        self, given: Mapping[str, object], game: Game | None, seats: int | None
    ) -> dict[str, object]:
        """Each alone, so that all that are wrong are told; then all together. While nobody knows
        how many seats there are, those that no table would take."""
        options = {name: None if value == NIL else value for name, value in given.items()}
        if game is None:
            return options
        sizes = game.seats if seats is None else (seats,)
        alone = [{name: value} for name, value in options.items()]
        refused = [error for each in alone if (error := _refused(game, sizes, each))]
        if not refused and (error := _refused(game, sizes, options)):
            refused = [error]
        for error in refused:
            self._say(f"[options]: {error}")
        return options

    # Bots.

    def _listed(self, number: int, table: Mapping[str, Any]) -> _Listed:
        of = f" of [[bots]] number {number}"
        found = self._table(table, "bots", of)
        named = [source for source in SOURCES if source in table]
        bot = None
        if len(named) != 1:
            came = " and ".join(f"`{source}`" for source in named)
            examples = ", or ".join(KEYS["bots"][source].example for source in SOURCES)
            what = f"has {came}; write only one" if named else "does not say what it is"
            self._say(f"[[bots]] number {number} {what}. For instance: {examples}")
        elif named[0] == DIALS_IN:
            if found.get(DIALS_IN) is False:
                self._must(DIALS_IN, "bots", of, False)
            if "name" not in table:
                self._say(
                    f"`name`{of} is missing: who dials in brings no {BOT_FILE} to take it from."
                    f" For instance: {KEYS['bots']['name'].example}"
                )
        elif named[0] in found:
            try:
                bot = bot_from(named[0], found[named[0]], self._folder)
            except BadBotFile as error:
                for problem in error.problems:
                    self._say(f"`{named[0]}`{of} is {_shown(found[named[0]])}: {problem}")
            except OSError as error:  # a name that no file can have, a folder that is closed to us
                self._say(f"`{named[0]}`{of} is {_shown(found[named[0]])}: {error.strerror}")
        name = found.get("name", None if bot is None or "name" in table else bot.name)
        owner = found.get("owner", None if "owner" in table else name)
        return _Listed(f"[[bots]] number {number}", name, owner, bot, named == [DIALS_IN])

    def _check_bots(self, listed: Sequence[_Listed], game: Game | None) -> None:
        first: dict[str, _Listed] = {}
        for one in listed:
            if one.name is None:
                continue
            other = first.setdefault(one.name.lower(), one)
            if other is not one:
                another = another_name(one.name, (each.name for each in listed if each.name))
                self._say(
                    f"`name` of {one.where} is {one.name!r}, and that of {other.where} is"
                    f" {other.name!r}; names become names of files, and must differ in more than"
                    f' capitals. For instance: name = "{another}"'
                )
        for one in listed:
            if one.bot is not None and not one.bot.is_bare:
                self._check_place(one.where, one.bot)
            if game is not None and one.bot is not None and game.name not in one.bot.games:
                self._say(
                    f"{one.where} ({one.bot.name}) does not play {game.name}: `games` of its"
                    f" {BOT_FILE} has {', '.join(one.bot.games)}; leave it out, or choose a game"
                    " that all play"
                )

    def _check_place(self, where: str, bot: Bot) -> None:
        here = self._folder.resolve()
        if bot.folder.resolve() in (here, *here.parents):
            self._say(
                f"{where} ({bot.name}) is the folder that this file is in; a bot is all its files,"
                " and the league is kept beside its file, so it would change with every match:"
                " move this file out of the bot's folder"
            )

    def _check_line_ups(
        self, listed: Sequence[_Listed], top: Mapping[str, Any], seats: int | None
    ) -> None:
        # One that cannot be read stands for a bot of its own, or it would be told twice.
        entrants = [(one.name or one.where, one.owner or one.where) for one in listed]
        owners = dict(entrants)
        is_complete = all(one.name and one.owner for one in listed)
        challenger = top.get("challenger")
        if top.get("format") == "gauntlet" and challenger is None:
            example = KEYS[""]["challenger"].example
            self._say(f"`challenger` is missing, and a gauntlet needs one. For instance: {example}")
        if challenger is not None:
            if top.get("format") != "gauntlet":
                self._say(
                    f"`challenger` is {challenger!r}, and only a gauntlet has one; leave it out,"
                    ' or write format = "gauntlet"'
                )
            elif challenger in owners:
                self._check_field(challenger, owners, top)
            elif is_complete:
                self._say(f"`challenger`: {_unknown(challenger, owners)}")
        if seats is not None and listed:
            why = why_no_line_up(entrants, seats, top.get("owners_may_meet", False))
            if why is not None:
                self._say(f"`bots`: {why}")

    def _check_listening(self, listed: Sequence[_Listed], *, is_there: bool) -> None:
        callers = [one.name or one.where for one in listed if one.dials_in]
        example = KEYS[""]["listen"].example
        if callers and not is_there:
            self._say(
                f"`listen` is missing, and {_and(callers)} must be able to dial in."
                f" For instance: {example}"
            )

    def _check_field(
        self, challenger: str, owners: Mapping[str, str], top: Mapping[str, Any]
    ) -> None:
        if top.get("owners_may_meet"):
            return
        for name, owner in owners.items():
            if name != challenger and owner == owners[challenger]:
                self._say(
                    f"`bots`: {name!r} can never play: it has the owner of the challenger"
                    f" {challenger!r}, {owner!r}; leave it out, or write owners_may_meet = true"
                )

    def _anchor(self, given: str | Mapping[str, object], listed: Sequence[_Listed]) -> Anchor:
        table = {"bots": given} if isinstance(given, str) else given
        found = self._table(table, "anchor", " of [anchor]")
        bots = found.get("bots")
        if isinstance(bots, str):
            bots = [bots]
        weights = dict(bots) if isinstance(bots, dict) else dict.fromkeys(bots or (), 1.0)
        if bots is not None and not (weights and all(0 < each < inf for each in weights.values())):
            self._must("bots", "anchor", " of [anchor]", table["bots"])
        if isnan(found.get("elo", 0.0)):
            self._must("elo", "anchor", " of [anchor]", table["elo"])
        names = [one.name for one in listed if one.name]
        if len(names) == len(listed):
            for name in weights:
                if name not in names:
                    self._say(f"`anchor`: {_unknown(name, names)}")
        return Anchor(weights, found.get("elo", 0.0))

    def _must(self, name: str, table: str, of: str, came: object) -> None:
        key = KEYS[table][name]
        self._say(
            f"`{name}`{of} is {_shown(came)}; it must be {key.must}. For instance: {key.example}"
        )

    def _say(self, problem: str) -> None:
        self.problems.append(problem)


def _refused(game: Game, sizes: Sequence[int], options: Mapping[str, object]) -> BadOption | None:
    """Why tables of all these sizes refuse them; None if one takes them."""
    refused = None
    for seats in sizes:
        try:
            game.deal(seats, b"", options)
        except BadOption as error:
            refused = error
        else:
            return None
    return refused


def _hint(name: str, table: str) -> str:
    """What may have been meant by a key that is not one of this table."""
    if table and name in KEYS[""]:
        return "it belongs at the top of the file, above the first [table]"
    for other in KEYS:
        if other != table and name in KEYS[other]:
            return "it belongs below [[bots]]" if other == "bots" else f"it belongs below [{other}]"
    near = difflib.get_close_matches(name, KEYS[table], n=1)
    return f"did you mean `{near[0]}`?" if near else f"the keys are {', '.join(KEYS[table])}"


def _and(names: Sequence[str]) -> str:
    """Some of them in words."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _shown(value: object) -> str:
    text = _in_toml(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


def _in_toml(value: object) -> str:
    """As the file has it, or might."""
    match value:
        case bool():
            return "true" if value else "false"
        case list():
            return f"[{', '.join(map(_in_toml, value))}]"
        case dict():
            inside = ", ".join(f"{name} = {_in_toml(each)}" for name, each in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case date() | time():
            return value.isoformat()
    return repr(value)


def _unknown(name: str, names: Iterable[str]) -> str:
    known = list(names)
    return (
        f"no bot here is called {name!r}; there are {', '.join(known)}.{did_you_mean(name, known)}"
    )
