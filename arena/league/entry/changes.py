"""Changes of a league's file that are allowed once the league has begun, and those that are not.

A table compares results that came about in one way. So it may go on with more sets, more bots,
other jobs, another title or another anchor; bots may be moved to other folders, as long as they are
the same. Any other change would make another league.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.bots.contents import changed_last, changed_mode
from arena.games import GAMES
from arena.league.file.top import NIL
from arena.league.model.config import Entrant, League
from arena.league.model.entrants import UNKNOWN_CONTENT, KnownEntrant
from arena.league.model.settings import Settings
from arena.record.timing import BotClock


@dataclass(frozen=True)
class _Fixed:
    """A setting that must stay as it was: its key in the file, and the reason."""

    key: str
    why: str


_TABLES = "results at other tables are another game"
_CLOCK = "matches under another clock do not compare"
_DEALS = "deals of another seed make another league"

# By field of Settings. Those that are not here may change: name, anchor, anchor_elo, match_pages;
# those of GROWING to more.
FIXED: Mapping[str, _Fixed] = {
    "game": _Fixed("game", "results of two games make no table"),
    "seats": _Fixed("seats", _TABLES),
    "options": _Fixed("[options]", "results under other rules make no table"),
    "format": _Fixed("format", "the schedule is planned for one format"),
    "challengers": _Fixed("challenger", "earlier sets had other challengers"),
    "sets_per_table": _Fixed("sets_per_table", "the rounds so far were played otherwise"),
    "most_sets_per_tie": _Fixed("most_sets_per_tie", "the ties so far were decided otherwise"),
    "stop": _Fixed("[stop]", "one could end it where the table looks best"),
    "duplicate": _Fixed("duplicate", "a bar is worked out from sets of one kind"),
    "seed": _Fixed("seed", _DEALS),
    "decision_ms": _Fixed("decision_ms of [clock]", _CLOCK),
    "bank_ms": _Fixed("bank_ms of [clock]", _CLOCK),
    "hang_ms": _Fixed("hang_ms of [clock]", _CLOCK),
    "start_ms": _Fixed("start_ms of [clock]", _CLOCK),
    "faults_to_forfeit": _Fixed("to_forfeit of [faults]", "faults had another cost so far"),
    "owners_may_meet": _Fixed("owners_may_meet", "the schedule is planned for one value of it"),
    "show_names": _Fixed("show_names", "bots would know more, or less, than they did so far"),
}

_TWO_BOTS = "its row would mix two bots"
_HAVE_MET = "bots of one owner do not meet, and these have"
_UNPLAYED = "before it has played"
_NEW_ROW = f'with versions = "new-row", or {_UNPLAYED}'
_SAME_FILES = f"to another place with the same files, or {_NEW_ROW}"
_GROWS = "a schedule only grows, or one could stop where the table looks best"
_KEEPS_NAME = "a row keeps its name"
_PLANNED = "sets are planned and played with it"
_BACK = "put it back, retire it (`arena retire`)"


@dataclass(frozen=True)
class _Bounded:
    """A key that may change in some way, or that is not in Settings, as docs/league.md has it."""

    key: str
    may: str  # the only change that is allowed, in words; "": none
    why: str


OF_FORMAT = ("challengers", "sets_per_table", "most_sets_per_tie")
"""Settings of FIXED that not every format has."""

GROWING = ("sets", "sets_per_line_up", "rounds")
"""Settings that may only become more."""

# `sets` and bots follow rules of their own, which `_settings` and `_bots` apply; docs/league.md
# prints them from here.
BOUNDED: Sequence[_Bounded] = (
    *(_Bounded(name, "to more", _GROWS) for name in GROWING),
    _Bounded("[[bots]]", "by more bots, or without retired ones", f"one left out: {_PLANNED}"),
    _Bounded("path of [[bots]]", _SAME_FILES, _TWO_BOTS),
    _Bounded("sample of [[bots]]", _SAME_FILES, _TWO_BOTS),
    _Bounded("command of [[bots]]", _NEW_ROW, _TWO_BOTS),
    _Bounded("dials_in of [[bots]]", _NEW_ROW, _TWO_BOTS),
    _Bounded("name of [[bots]]", "", _KEEPS_NAME),
    _Bounded("owner of [[bots]]", "until two bots of the new owner have met", _HAVE_MET),
    _Bounded("clock of [[bots]]", _UNPLAYED, _CLOCK),
)

_NEW_LEAGUE = "begin a new league, with a file of another name"


def refusals(
    old: Settings,
    known: Sequence[KnownEntrant],
    new: League,
    contents: Mapping[str, str],
    usual_rounds: int | None = None,
) -> list[str]:
    """Return the reasons why the league cannot go on with its file as it is now; none if it can.

    Each includes the remedy. `contents`: by entrant, the hash of its files from `content_hash`.
    `usual_rounds`: the number of a swiss whose file has no `rounds`; None: not known.
    """
    usual = {"rounds": usual_rounds}
    return [*_settings(old, Settings.of(new), usual), *_bots(known, new, contents)]


def _settings(old: Settings, new: Settings, usual: Mapping[str, int | None]) -> Iterator[str]:
    """`usual`: values of GROWING that hold where the file has none."""
    # Keys of another format would only be told to be wrong one by one.
    is_other = old.format != new.format
    for name, fixed in FIXED.items():
        if is_other and name in OF_FORMAT:
            continue
        was, is_now = _meant(old, name), _meant(new, name)
        if was != is_now:
            yield (
                f"`{fixed.key}` was {_shown(was)} and is now {_shown(is_now)}, but "
                f"{fixed.why}: put it back, or {_NEW_LEAGUE}"
            )
    for name in () if is_other else GROWING:
        written, now_written = getattr(old, name), getattr(new, name)
        was, now = (usual.get(name) if each is None else each for each in (written, now_written))
        if was == now or (was is not None and now is not None and was < now):
            continue
        remedy = f"write {name} = {was} or more" if was is not None else f"leave {name} out"
        yield (
            f"`{name}` was {_shown(written)} and is now {_shown(now_written)}, but {_GROWS}:"
            f" {remedy}, or {_NEW_LEAGUE}"
        )


def _meant(settings: Settings, name: str) -> object:
    """Return the value of a setting; options with the defaults of those left out."""
    if name == "stop":
        return None if settings.stop is None else settings.stop.asked_for()
    if name != "options" or settings.game not in GAMES:
        return settings.to_json()[name]
    defaults = {option.name: option.default for option in GAMES[settings.game].options}
    return defaults | dict(settings.options)


def _bots(known: Sequence[KnownEntrant], new: League, contents: Mapping[str, str]) -> Iterator[str]:
    entrants = {entrant.name: entrant for entrant in new.entrants}
    were = {entrant.name for entrant in known}
    for was in known:
        entrant = entrants.get(was.name)
        if entrant is None:
            yield _left_out(was, [name for name in contents if name not in were], contents)
            continue
        if entrant.owner != was.owner:
            yield (
                f"the owner of {was.name!r} was {was.owner!r} and is now {entrant.owner!r}, but "
                f'{_HAVE_MET}: write owner = "{was.owner}" for it, or {_NEW_LEAGUE}'
            )
        if entrant.clock != was.clock:
            yield (
                f"the clock of {was.name!r} was {_clock_shown(was.clock)} and is now"
                f" {_clock_shown(entrant.clock)}, but {_CLOCK}: put it back, or {_NEW_LEAGUE}"
            )
        if contents[was.name] != was.content:
            yield (
                f"{was.name!r} is not the bot that it was: {_otherwise(was, entrant)};"
                f" {_new_version(new, was)}"
            )


def _new_version(league: League, was: KnownEntrant) -> str:
    """Return the words of how a changed bot gets a new row."""
    if was.name in league.challengers:
        return f"or {_NEW_LEAGUE}, as the sets of a gauntlet are planned with its challengers"
    return (
        "or let the changed bot play on as a new version, in a row of its own: `arena league"
        ' --new-versions`, or versions = "new-row" in the file'
    )


def _otherwise(was: KnownEntrant, now: Entrant) -> str:
    """Return the sentence about a bot that has changed, and how to undo the change."""
    if now.bot is None:
        return "it was started here, and is now to dial in. Put back the bot that it was"
    if was.content == UNKNOWN_CONTENT:
        return "it dialled in, and is now to be started here. Write dials_in = true for it again"
    mode_changed = changed_mode(now.bot, was.content)
    if mode_changed is not None:
        undo = "chmod -x" if os.access(mode_changed, os.X_OK) else "chmod +x"
        may_run = "may now be executed" if undo == "chmod -x" else "may not be executed any more"
        return (
            f"its file {mode_changed} {may_run}, which is part of what a bot is, and its row would"
            f" mix two bots. To restore it: {undo} {shlex.quote(str(mode_changed))}"
        )
    written = "" if now.bot.is_bare else changed_last(now.bot)
    last = f" (the last that was written is {written})" if written else ""
    return (
        f"its files in {now.bot.folder} have changed{last}, and {_TWO_BOTS}. Restore"
        " them, there or in a folder of theirs"
    )


def _left_out(was: KnownEntrant, newcomers: Sequence[str], contents: Mapping[str, str]) -> str:
    same = next((name for name in newcomers if contents[name] == was.content), None)
    if same is not None and was.content != UNKNOWN_CONTENT:
        return (
            f"{was.name!r} is gone from the file, and {same!r} has the same files: {_KEEPS_NAME}, "
            f'so write name = "{was.name}" for it'
        )
    return f"{was.name!r} is gone from the file, but {_PLANNED}: {_BACK}, or {_NEW_LEAGUE}"


def _clock_shown(clock: BotClock | None) -> str:
    return "that of the league" if clock is None else _in_toml(clock.in_words())


def _shown(value: object) -> str:
    """Return a value as the file would have it."""
    return "not set" if value is None else _in_toml(value)


def _in_toml(value: object) -> str:
    match value:
        case None:
            return json.dumps(NIL)
        case Mapping():
            inside = ", ".join(f"{name} = {_in_toml(each)}" for name, each in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case list() | tuple():
            return f"[{', '.join(map(_in_toml, value))}]"
        case float():
            return repr(value).removesuffix(".0")
        case _:  # texts, whole numbers, true and false are in JSON as they are in TOML
            return json.dumps(value, ensure_ascii=False)
