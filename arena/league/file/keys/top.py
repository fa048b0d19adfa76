"""The keys at the top of league.toml, with those whose tables have keys of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from arena.bots.confine.confinement import Wish
from arena.league.file.keys.key import MOST_AT_ONCE, MOST_SETS, Key, flag, number
from arena.league.model.config import Engine, League, Versions
from arena.league.model.terms import MOST_SETS_PER_TIE, SETS_PER_TABLE
from arena.league.plan.formats import FORMATS
from arena.tcp_address import (
    DIAL_IN_WORDS,
    DIAL_PATTERN,
    SCHEDULER_IN_WORDS,
    SCHEDULER_PATTERN,
    TCP_EXAMPLE,
    TCP_IN_WORDS,
    TCP_PATTERN,
)

SETS = 100
"""The default: three times the sets that a row needs for a credible bar; played in minutes."""

MOST_ROUNDS = 1000
MOST_SETS_OF_A_TABLE = 1000
MAX_TITLE_CHARS = 64
MOST_BOTS = 1_000_000

TCP = Annotated[str, msgspec.Meta(pattern=TCP_PATTERN)]
DIAL = Annotated[str, msgspec.Meta(pattern=DIAL_PATTERN)]

TOP: Mapping[str, Key] = {
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
    "sets": number(
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
    "sets_per_line_up": number(
        1,
        MOST_SETS,
        "none: `sets` counts",
        "sets_per_line_up = 2",
        "In a round robin or a gauntlet how often each line-up plays, in the place of `sets`.",
    ),
    "rounds": number(
        1,
        MOST_ROUNDS,
        "as often as the bots can be halved: 3 for 8, 7 for 100",
        "rounds = 7",
        "The number of rounds of a swiss.",
    ),
    "sets_per_table": number(
        1,
        MOST_SETS_OF_A_TABLE,
        str(SETS_PER_TABLE),
        "sets_per_table = 2",
        "In a swiss the sets that each table plays in a round; in a knockout those that each "
        "tie plays before it is looked at.",
    ),
    "most_sets_per_tie": number(
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
        TCP,
        TCP_IN_WORDS,
        "nowhere; needed where a bot dials in",
        f'listen = "{TCP_EXAMPLE}"',
        "The address for bots that dial in; tcp:0.0.0.0:4000 is every address of the machine.",
    ),
    "address": Key(
        DIAL,
        DIAL_IN_WORDS,
        "`listen`, with this machine's name where that is every address",
        'address = "tcp:arena.example.org:4000"',
        "The address that authors are told, where bots reach this machine by another one, or come "
        "in by `arena door`.",
    ),
    "jobs": number(
        1,
        MOST_AT_ONCE,
        "1; one for each core while all bots are quick",
        "jobs = 1",
        "Referee processes, each with bots of its own; fixed if it or `at_once` is given.",
    ),
    "at_once": number(
        1,
        MOST_AT_ONCE,
        "one less than the cores of a job, at least 1; more while bots are quick or wait",
        "at_once = 1",
        "Matches that one job plays at once, each with one bot that thinks; fixed if it is given.",
    ),
    "engine": Key(
        Engine,
        '"jobs" or "dask"',
        League.engine,
        'engine = "dask"',
        "The way in which sets are played: by referee processes of this machine, or by workers on "
        "other machines (docs/cluster.md).",
    ),
    "scheduler": Key(
        Annotated[str, msgspec.Meta(pattern=SCHEDULER_PATTERN)],
        SCHEDULER_IN_WORDS,
        "none: a cluster on this machine, to try one",
        'scheduler = "tcp://127.0.0.1:8786"',
        "The address of the Dask scheduler, for the engine dask.",
    ),
    "tls": Key(
        dict[str, object],
        "a table",
        "as below",
        'tls = { ca = "ca.pem", cert = "runner.pem", key = "runner.key" }',
        "The files that prove to the machines of a cluster that this is one of them.",
    ),
    "owners_may_meet": flag(
        League.owners_may_meet,
        "owners_may_meet = false",
        "If true, bots of one owner may sit at one table, where they could play into each "
        "other's hands.",
    ),
    "most_bots": number(
        1,
        MOST_BOTS,
        "no limit",
        "most_bots = 100",
        "The most bots in the league, with those that are admitted while it runs.",
    ),
    "most_bots_per_owner": number(
        1,
        MOST_BOTS,
        "no limit",
        "most_bots_per_owner = 3",
        "The most bots of one owner.",
    ),
    "most_connections_per_owner": number(
        1,
        MOST_BOTS,
        "no limit",
        "most_connections_per_owner = 8",
        "The most connections of one owner: the `connections` of all its bots that dial in, added "
        "up.",
    ),
    "versions": Key(
        Versions,
        '"refused" or "new-row"',
        League.versions,
        'versions = "new-row"',
        "What becomes of a bot whose files have changed since it played: refused, or entered "
        "as a new row, fox+2 after fox, by itself.",
    ),
    "show_names": flag(
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
}
