"""What of a league's file may change once the league has begun, and what may not.

A table compares results that came about in one way. So it may go on with more sets, more bots,
other jobs, another title or another anchor; bots may lie elsewhere, as long as they are the
same. All else would be another league.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.games import GAMES
from arena.league.config import UNKNOWN_CONTENT, Entrant, League
from arena.league.file import another_name
from arena.league.reader import KnownEntrant
from arena.league.settings import Settings
from arena.referee.contents import changed_last


@dataclass(frozen=True)
class _Fixed:
    """A setting that stays as it was: its key in the file, and why."""

    key: str
    why: str


_TABLES = "results at other tables are another game"
_CLOCK = "what was played under another clock does not compare"
_DEALS = "the deals of what is played would not be those of what was"

# By field of Settings. Those that are not here may change: name, sets, anchor, anchor_elo.
FIXED: Mapping[str, _Fixed] = {
    "game": _Fixed("game", "results of two games make no table"),
    "seats": _Fixed("seats", _TABLES),
    "options": _Fixed("[options]", "results under other rules make no table"),
    "format": _Fixed("format", "who meets whom is planned for one format"),
    "challenger": _Fixed("challenger", "the sets played so far were another's"),
    "duplicate": _Fixed("duplicate", "a bar is told from sets of one kind"),
    "seed": _Fixed("seed", _DEALS),
    "decision_ms": _Fixed("decision_ms of [clock]", _CLOCK),
    "bank_ms": _Fixed("bank_ms of [clock]", _CLOCK),
    "hang_ms": _Fixed("hang_ms of [clock]", _CLOCK),
    "start_ms": _Fixed("start_ms of [clock]", _CLOCK),
    "faults_to_forfeit": _Fixed("to_forfeit of [faults]", "faults have cost otherwise so far"),
    "owners_may_meet": _Fixed("owners_may_meet", "who meets whom is planned for one answer"),
    "show_names": _Fixed("show_names", "bots would know more, or less, than they did so far"),
}

_NEW_LEAGUE = "begin a new league, with a file of another name"


def refusals(
    old: Settings,
    known: Sequence[KnownEntrant],
    new: League,
    contents: Mapping[str, str],
) -> list[str]:
    """Why a league cannot go on as its file now is, each with what to do; empty if it can.

    `contents`: by entrant, what `arena.referee.contents.content_hash` says of it.
    """
    return [*_settings(old, Settings.of(new)), *_bots(known, new, contents)]


def _settings(old: Settings, new: Settings) -> Iterator[str]:
    for name, fixed in FIXED.items():
        was, is_now = _meant(old, name), _meant(new, name)
        if was != is_now:
            yield (
                f"`{fixed.key}` was {_shown(was)} and is now {_shown(is_now)}, but "
                f"{fixed.why}: put it back, or {_NEW_LEAGUE}"
            )
    if new.sets < old.sets:
        yield (
            f"`sets` was {old.sets} and is now {new.sets}, but a schedule only grows, or one could "
            f"stop where the table looks best: write sets = {old.sets} or more, or {_NEW_LEAGUE}"
        )


def _meant(settings: Settings, name: str) -> object:
    """The value of a setting, options with those that are left out."""
    if name != "options" or settings.game not in GAMES:
        return getattr(settings, name)
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
                "who meets whom is planned by owners: write "
                f'owner = "{was.owner}" for it, or {_NEW_LEAGUE}'
            )
        if contents[was.name] != was.content:
            yield (
                f"{was.name!r} is not the bot that it was: {_otherwise(was, entrant)}; or enter "
                "what it is now as a new version, a row of its own: another [[bots]] with "
                f'name = "{another_name(was.name, entrants)}" and owner = "{was.owner}", '
                f"and let {was.name!r} stay as it was"
            )


def _otherwise(was: KnownEntrant, now: Entrant) -> str:
    """What has changed, and how to undo it."""
    if now.bot is None:
        return "it was started here, and is now to dial in. Put back what it was"
    if was.content == UNKNOWN_CONTENT:
        return "it dialled in, and is now to be started here. Write dials_in = true for it again"
    written = "" if now.bot.is_bare else changed_last(now.bot)
    last = f" (the last that was written is {written})" if written else ""
    return (
        f"its files in {now.bot.folder} have changed{last}, and its row would mix two bots. Restore"
        " them, there or in a folder of theirs"
    )


def _left_out(was: KnownEntrant, newcomers: Sequence[str], contents: Mapping[str, str]) -> str:
    same = next((name for name in newcomers if contents[name] == was.content), None)
    if same is not None and was.content != UNKNOWN_CONTENT:
        return (
            f"{was.name!r} is gone from the file, and {same!r} has the same files: a row keeps its "
            f'name, so write name = "{was.name}" for it'
        )
    return (
        f"{was.name!r} is gone from the file, but sets are planned and played with it: put it "
        f"back, or {_NEW_LEAGUE}"
    )


def _shown(value: object) -> str:
    """As the file would have it."""
    return "not set" if value is None else json.dumps(value, ensure_ascii=False)
