"""Every key of league.toml: type, rule in words, default, example, and reason to set it.

`arena.league.file.values` reads by it; docs/league.md and `arena init` print it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from arena.bots.botfile import NAME_IN_WORDS, NAME_PATTERN
from arena.bots.confine.confinement import Wish
from arena.bots.confine.limits import Limits
from arena.league.model import match_pages
from arena.league.model.config import DIAL_IN_MS, League, Versions
from arena.league.model.settings import MATCH_PAGES
from arena.league.model.terms import MOST_SETS_PER_TIE, SETS_PER_TABLE
from arena.league.plan.formats import FORMATS
from arena.record.timing import START_MS, Timing
from arena.tcp_address import TCP_EXAMPLE, TCP_IN_WORDS, TCP_PATTERN

SETS = 100
"""The default: three times the sets that a row needs for a credible bar; played in minutes."""

MOST_SETS = 1_000_000  # the whole schedule is planned, stored and kept in memory
MOST_ROUNDS = 1000
MOST_SETS_OF_A_TABLE = 1000
MOST_MS = 24 * 60 * 60 * 1000
MOST_FAULTS = 1_000_000
MOST_AT_ONCE = 10_000
MAX_TITLE_CHARS = 64
MOST_MB = 1_048_576
MOST_PROCESSES = 1_000_000
MOST_FILES = 1_000_000

_NAME = Annotated[str, msgspec.Meta(pattern=NAME_PATTERN)]
_TEXT = Annotated[str, msgspec.Meta(pattern=r"^[^\0]+\Z")]
_TCP = Annotated[str, msgspec.Meta(pattern=TCP_PATTERN)]
_ELO = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]


@dataclass(frozen=True)
class Key:
    """One key of the file."""

    type: object
    """A type for msgspec. A union of text and map must not have bounds in it, because msgspec
    0.22.0 corrupts memory then: its bounds are checked by the code that reads the key."""
    must: str
    default: str | None  # in words; "": there is none; None: the key cannot be left out
    example: str
    why: str


def _number(least: int, most: int, default: str, example: str, why: str) -> Key:
    kind = Annotated[int, msgspec.Meta(ge=least, le=most)]
    return Key(kind, f"a whole number from {least} to {most}", default, example, why)


def _flag(default: bool, example: str, why: str) -> Key:
    return Key(bool, "true or false", "true" if default else "false", example, why)


_DEFAULT = Timing()
_LIMITS = Limits()

KEYS: Mapping[str, Mapping[str, Key]] = {
    "": {
        "name": Key(
            # No pattern knows all characters that do not print: `arena.league.file.names` does.
            Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_TITLE_CHARS)],
            f"a line of 1 to {MAX_TITLE_CHARS} characters that print, not all of them blanks",
            "the name of the file's folder",
            'name = "Sunday league"',
            "The title of the table.",
        ),
        "game": Key(
            str,
            "the name of a rule set",
            None,
            'game = "nyet"',
            "The rule set; `arena games` lists them.",
        ),
        "seats": Key(
            int,
            "a table size of the game",
            "the smallest table of the game, so that it stays the same when bots are added",
            "seats = 4",
            "The number of bots at a table.",
        ),
        "sets": _number(
            1,
            MOST_SETS,
            f"{SETS}; in a ladder none: it goes on until it is stopped",
            "sets = 100",
            "The number of sets in all; raised later, the league goes on.",
        ),
        "format": Key(
            Literal[tuple(FORMATS)],
            f"one of {', '.join(FORMATS)}",
            League.format,
            'format = "round-robin"',
            "The way in which sets are planned (docs/formats.md).",
        ),
        "challenger": Key(
            str | list[str],
            "the name of one of the bots, or a list of names",
            "none; a gauntlet needs one",
            'challenger = "fox"',
            "The bot at every table of a gauntlet; of several, one is at every table.",
        ),
        "sets_per_line_up": _number(
            1,
            MOST_SETS,
            "none: `sets` counts",
            "sets_per_line_up = 2",
            "In a round robin or a gauntlet how often each line-up plays, in the place of `sets`.",
        ),
        "rounds": _number(
            1,
            MOST_ROUNDS,
            "as often as the bots can be halved: 3 for 8, 7 for 100",
            "rounds = 7",
            "The number of rounds of a swiss.",
        ),
        "sets_per_table": _number(
            1,
            MOST_SETS_OF_A_TABLE,
            str(SETS_PER_TABLE),
            "sets_per_table = 2",
            "In a swiss the sets that each table plays in a round; in a knockout those that each "
            "tie plays before it is looked at.",
        ),
        "most_sets_per_tie": _number(
            1,
            MOST_SETS_OF_A_TABLE,
            str(MOST_SETS_PER_TIE),
            "most_sets_per_tie = 8",
            "In a knockout a tie that is still open after so many sets is decided by points.",
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
            "The address for bots that dial in; tcp:0.0.0.0:4000 is every address of the machine.",
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
            "If true, bots of one owner may sit at one table, where they could play into each "
            "other's hands.",
        ),
        "versions": Key(
            Versions,
            '"refused" or "new-row"',
            League.versions,
            'versions = "new-row"',
            "What becomes of a bot whose files have changed since it played: refused, or entered "
            "as a new row, fox+2 after fox, by itself.",
        ),
        "show_names": _flag(
            League.show_names,
            "show_names = false",
            "If true, bots are told the names of the others at the table.",
        ),
        "anchor": Key(
            str | dict[str, object],
            "the name of a bot, or a table of `bots` and `elo`",
            "the mean of all bots is 0",
            'anchor = "fox"',
            "The zero of the scale.",
        ),
        "confine": Key(
            str | dict[str, object],
            f"one of {', '.join(Wish)}, or a table of `by` and `read`",
            "auto",
            'confine = "strict"',
            "What the bots that are started may see and use (docs/confinement.md).",
        ),
        "limits": Key(
            dict[str, object],
            "a table",
            "as below",
            "limits = { memory_mb = 512 }",
            "What each bot that is started may use of the machine.",
        ),
        "build": Key(
            dict[str, object],
            "a table",
            "as below",
            "build = { network = true }",
            "What the builds of bots may do.",
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
            "The times that bots may take (SPEC 6), in milliseconds.",
        ),
        "stop": Key(
            dict[str, object],
            "a table",
            "as below",
            "stop = { separated = true }",
            "What ends the league early: the first of these rules that holds.",
        ),
        "faults": Key(
            dict[str, object],
            "a table",
            "as below",
            "faults = { to_forfeit = 3 }",
            "The costs of faults (SPEC 7).",
        ),
        "pages": Key(
            dict[str, object],
            "a table",
            "as below",
            'pages = { matches = "all" }',
            "What is published of the league.",
        ),
        "bots": Key(
            Annotated[list[dict[str, object]], msgspec.Meta(min_length=1)],
            "tables that each begin with [[bots]]",
            None,
            '[[bots]]\npath = "bots/fox"',
            "The bots: a table for each, with one of `path`, `command`, `sample` and `dials_in`.",
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
            "The time that is free for each decision.",
        ),
        "bank_ms": _number(
            0,
            MOST_MS,
            str(_DEFAULT.bank_ms),
            f"bank_ms = {_DEFAULT.bank_ms}",
            "Further time, for a whole match.",
        ),
        "hang_ms": _number(
            1,
            MOST_MS,
            str(_DEFAULT.hang_ms),
            f"hang_ms = {_DEFAULT.hang_ms}",
            "A bot that is silent for longer counts as gone.",
        ),
        "start_ms": _number(
            1,
            MOST_MS,
            str(START_MS),
            f"start_ms = {START_MS}",
            "The time from a bot's start to its hello; builds do not count.",
        ),
        "dial_in_ms": _number(
            1,
            MOST_MS,
            str(DIAL_IN_MS),
            f"dial_in_ms = {DIAL_IN_MS}",
            "The time for which a bot that dials in may be away while nothing else is left to be "
            "played; then its sets are played without it.",
        ),
    },
    "stop": {
        "separated": _flag(
            False,
            "separated = true",
            "Every two neighbours of the table are separated, with an error of at most 5 %.",
        ),
        "bars_below": Key(
            Annotated[float, msgspec.Meta(gt=0, le=1e6)],
            "a number above 0",
            "none",
            "bars_below = 25",
            "Half of every bar of the table is below so many Elo.",
        ),
        "test": Key(
            Annotated[list[_ELO], msgspec.Meta(min_length=2, max_length=2)],
            "two numbers, the lower first",
            "none",
            "test = [0, 20]",
            "In a league of two bots: the stop test of `arena match`, with these bounds in Elo.",
        ),
        "sets": _number(1, MOST_SETS, "none", "sets = 500", "So many sets count."),
        "hours": Key(
            Annotated[float, msgspec.Meta(gt=0, le=1e6)],
            "a number above 0",
            "none",
            "hours = 12",
            "So many hours went by since the first match began, with all rests.",
        ),
    },
    "faults": {
        "to_forfeit": _number(
            1,
            MOST_FAULTS,
            str(_DEFAULT.faults_to_forfeit),
            f"to_forfeit = {_DEFAULT.faults_to_forfeit}",
            "The number of faults in one match that forfeit it.",
        ),
    },
    "pages": {
        "matches": Key(
            Annotated[str, msgspec.Meta(pattern=match_pages.PATTERN)],
            match_pages.IN_WORDS,
            f"{MATCH_PAGES}",
            'matches = "last 5000"',
            'The matches that have pages; with "last N", those with a fault have one as well.',
        ),
    },
    "confine": {
        "by": Key(
            Wish,
            f"one of {', '.join(Wish)}",
            "auto",
            'by = "auto"',
            "auto: as well as this machine can; strict: well or not at all; none: not at all.",
        ),
        "read": Key(
            list[_TEXT],
            "a list of files and folders, as seen from this file",
            "the system's programs and the Python that runs arena",
            'read = ["/opt"]',
            "What bots and builds may read besides: toolchains such as ~/.nvm or ~/.cargo.",
        ),
    },
    "limits": {
        "memory_mb": _number(
            16,
            MOST_MB,
            str(_LIMITS.memory_mb),
            f"memory_mb = {_LIMITS.memory_mb}",
            "Mebibytes of memory.",
        ),
        "processes": _number(
            1,
            MOST_PROCESSES,
            str(_LIMITS.processes),
            f"processes = {_LIMITS.processes}",
            "Processes and threads at one time; a JVM has about 30.",
        ),
        "scratch_mb": _number(
            1,
            MOST_MB,
            str(_LIMITS.scratch_mb),
            f"scratch_mb = {_LIMITS.scratch_mb}",
            "Mebibytes of files in its scratch folder, which is empty at each start.",
        ),
        "open_files": _number(
            16,
            MOST_FILES,
            str(_LIMITS.open_files),
            f"open_files = {_LIMITS.open_files}",
            "Files and sockets that one process may have open.",
        ),
        "cores": _number(
            1,
            MOST_AT_ONCE,
            str(_LIMITS.cores),
            f"cores = {_LIMITS.cores}",
            "Processor cores' worth of time, where this machine can hold bots to it.",
        ),
    },
    "build": {
        "network": _flag(
            True,
            "network = true",
            "Builds may fetch packages: from public addresses, never from this machine or a "
            "private network.",
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
            "A bundled bot.",
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
            "the name in its bot.toml, or of its program; a bot that dials in needs one",
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
        "limits": Key(
            dict[str, object],
            "a table like [limits]",
            "those of [limits]",
            "limits = { memory_mb = 1024 }",
            "Limits of this bot alone.",
        ),
    },
}
