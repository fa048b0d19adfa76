"""Every key of a league.toml: its type, what it must be in words, its default, an example, and
why one would set it. `arena.league.file` reads by it, docs/league.md and `arena init` print it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import msgspec

from arena.games import GAMES
from arena.league.config import DIAL_IN_MS, Format, League
from arena.referee.botfile import NAME_IN_WORDS, NAME_PATTERN
from arena.referee.clock import START_MS, Timing
from arena.referee.tcp_address import TCP_EXAMPLE, TCP_IN_WORDS, TCP_PATTERN

SETS = 100
"""Three times what a row needs before its bar can be believed, and played in minutes."""

MOST_SETS = 1_000_000  # the whole schedule is planned, stored and kept in memory
MOST_MS = 24 * 60 * 60 * 1000
MOST_FAULTS = 1_000_000
MOST_AT_ONCE = 10_000
MAX_TITLE_CHARS = 64

_NAME = Annotated[str, msgspec.Meta(pattern=NAME_PATTERN)]
_TEXT = Annotated[str, msgspec.Meta(pattern=r"^[^\0]+\Z")]
_TCP = Annotated[str, msgspec.Meta(pattern=TCP_PATTERN)]
_ELO = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]


@dataclass(frozen=True)
class Key:
    """One key of the file."""

    type: object
    """For msgspec, which corrupts memory (0.22.0) where a union of text and map bounds either:
    such a union is of plain types here, and its bounds are checked by whoever reads it."""
    must: str
    default: str | None  # in words; "": nothing is in its place; None: it cannot be left out
    example: str
    why: str


def _number(least: int, most: int, default: str, example: str, why: str) -> Key:
    kind = Annotated[int, msgspec.Meta(ge=least, le=most)]
    return Key(kind, f"a whole number from {least} to {most}", default, example, why)


def _flag(default: bool, example: str, why: str) -> Key:
    return Key(bool, "true or false", "true" if default else "false", example, why)


_DEFAULT = Timing()

KEYS: Mapping[str, Mapping[str, Key]] = {
    "": {
        "name": Key(
            # `arena.league.file` looks at which: no pattern knows all that do not print.
            Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_TITLE_CHARS)],
            f"a line of 1 to {MAX_TITLE_CHARS} characters that print, not all of them blanks",
            "the name of the file's folder",
            'name = "Sunday league"',
            "The title of the table.",
        ),
        "game": Key(
            str,
            f"one of {', '.join(GAMES)}",
            None,
            'game = "nyet"',
            "The rule set; `arena games` lists them.",
        ),
        "seats": Key(
            int,
            "a table size of the game",
            "the smallest table of the game, so that it stays the same when bots are added",
            "seats = 4",
            "How many bots sit at a table.",
        ),
        "sets": _number(
            1,
            MOST_SETS,
            str(SETS),
            "sets = 100",
            "How many sets are played in all; raised later, the league goes on.",
        ),
        "format": Key(
            Format,
            '"round-robin" or "gauntlet"',
            League.format,
            'format = "round-robin"',
            "Everyone against everyone, or one bot, the challenger, against all others.",
        ),
        "challenger": Key(
            _NAME,
            "the name of one of the bots",
            "none; a gauntlet needs one",
            'challenger = "fox"',
            "The bot at every table of a gauntlet.",
        ),
        "duplicate": Key(
            bool,
            "true or false",
            "true; false where a bot dials in",
            "duplicate = true",
            "Each set is played once in each seating, so that every bot holds every hand; "
            "false: single matches, seats drawn.",
        ),
        "seed": Key(
            Annotated[str, msgspec.Meta(min_length=1, max_length=1000)] | int,
            "a text or a whole number",
            "none: the deals are secret",
            'seed = "experiment 7"',
            "The same deals every time, for experiments; the table then says that they are "
            "predictable.",
        ),
        "listen": Key(
            _TCP,
            TCP_IN_WORDS,
            "nowhere; needed where a bot dials in",
            f'listen = "{TCP_EXAMPLE}"',
            "Where bots that dial in are let in; tcp:0.0.0.0:4000 is at every address of the "
            "machine.",
        ),
        "jobs": _number(
            1,
            MOST_AT_ONCE,
            str(League.jobs),
            "jobs = 1",
            "Referee processes, each with bots of its own; for many cores.",
        ),
        "at_once": _number(
            1,
            MOST_AT_ONCE,
            "one less than the cores of a job, at least 1",
            "at_once = 1",
            "Matches that one job plays at once; each has one bot that thinks.",
        ),
        "owners_may_meet": _flag(
            League.owners_may_meet,
            "owners_may_meet = false",
            "Whether bots of one owner may sit at one table, where they could play into each "
            "other's hands.",
        ),
        "show_names": _flag(
            League.show_names,
            "show_names = false",
            "Whether bots are told whom they play against.",
        ),
        "anchor": Key(
            str | dict[str, object],
            "the name of a bot, or a table of `bots` and `elo`",
            "the mean of all bots is 0",
            'anchor = "fox"',
            "Where the scale has its zero.",
        ),
        "options": Key(
            dict[str, object],
            "a table of options of the game",
            "the game's",
            "options = { rounds = 4 }",
            'Options of the game, as `arena games NAME` tells them; "nil" for nil.',
        ),
        "clock": Key(
            dict[str, object],
            "a table",
            "as below",
            "clock = { decision_ms = 100 }",
            "What bots may take (SPEC 6), in milliseconds.",
        ),
        "faults": Key(
            dict[str, object],
            "a table",
            "as below",
            "faults = { to_forfeit = 3 }",
            "What faults cost (SPEC 7).",
        ),
        "bots": Key(
            Annotated[list[dict[str, object]], msgspec.Meta(min_length=1)],
            "tables that each begin with [[bots]]",
            None,
            '[[bots]]\npath = "bots/fox"',
            "Who plays: a table for each, with one of `path`, `command`, `sample` and `dials_in`.",
        ),
    },
    "anchor": {
        "bots": Key(
            str | list[str] | dict[str, float],
            "the name of a bot, a list of names, or a table of names with weights above 0",
            "all bots",
            "bots = { fox = 2, owl = 1 }",
            "The bots whose mean is fixed.",
        ),
        "elo": Key(
            _ELO,
            "a number from -1000000 to 1000000",
            "0",
            "elo = 1500",
            "The Elo which that mean is given.",
        ),
    },
    "clock": {
        "decision_ms": _number(
            1,
            MOST_MS,
            str(_DEFAULT.decision_ms),
            f"decision_ms = {_DEFAULT.decision_ms}",
            "Free for each decision.",
        ),
        "bank_ms": _number(
            0,
            MOST_MS,
            str(_DEFAULT.bank_ms),
            f"bank_ms = {_DEFAULT.bank_ms}",
            "Beyond that, for a whole match.",
        ),
        "hang_ms": _number(
            1,
            MOST_MS,
            str(_DEFAULT.hang_ms),
            f"hang_ms = {_DEFAULT.hang_ms}",
            "Silent for longer, a bot counts as gone.",
        ),
        "start_ms": _number(
            1,
            MOST_MS,
            str(START_MS),
            f"start_ms = {START_MS}",
            "From its start to its hello; builds do not count.",
        ),
        "dial_in_ms": _number(
            1,
            MOST_MS,
            str(DIAL_IN_MS),
            f"dial_in_ms = {DIAL_IN_MS}",
            "From the beginning of a run until a bot that dials in is there; who has been there "
            "has `start_ms` before each match.",
        ),
    },
    "faults": {
        "to_forfeit": _number(
            1,
            MOST_FAULTS,
            str(_DEFAULT.faults_to_forfeit),
            f"to_forfeit = {_DEFAULT.faults_to_forfeit}",
            "So many in one match forfeit it.",
        ),
    },
    "bots": {
        "path": Key(
            _TEXT,
            "a folder with a bot.toml, or that file, as seen from this file",
            "",
            'path = "bots/fox"',
            "A bot in a folder.",
        ),
        "command": Key(
            _TEXT,
            "a command line, run in the folder of this file; no shell reads it",
            "",
            'command = "python3 fox.py"',
            "A bot that is only a program.",
        ),
        "sample": Key(
            _TEXT,
            "the name of a sample bot",
            "",
            'sample = "python-random"',
            "A bot that comes along.",
        ),
        "dials_in": Key(
            bool,
            "true",
            "",
            "dials_in = true",
            "A bot that its author runs, on another machine say (SPEC 2.5).",
        ),
        "name": Key(
            _NAME,
            NAME_IN_WORDS,
            "what its bot.toml says, or its program's; who dials in needs one",
            'name = "fox-2"',
            "Its row in the table.",
        ),
        "owner": Key(
            _NAME,
            NAME_IN_WORDS,
            "its own name",
            'owner = "fox"',
            "Versions of one bot share an owner, and so never meet.",
        ),
    },
}
