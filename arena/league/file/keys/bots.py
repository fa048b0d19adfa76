"""The keys of one of the [[bots]] of league.toml."""

from __future__ import annotations

from collections.abc import Mapping

from arena.bots.botfile import NAME_IN_WORDS
from arena.league.file.keys.key import NAME, TEXT, Key, number
from arena.league.model.config import Entrant
from arena.record.timing import BOT_TIMES

MOST_CONNECTIONS = 64

BOTS: Mapping[str, Key] = {
    "path": Key(
        TEXT,
        "a folder with a bot.toml, or that file, as seen from this file",
        "",
        'path = "bots/fox"',
        "A bot in a folder.",
    ),
    "command": Key(
        TEXT,
        "a command line, run in the folder of this file; no shell reads it",
        "",
        'command = "python3 fox.py"',
        "A bot that is only a program.",
    ),
    "sample": Key(
        TEXT,
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
        NAME,
        NAME_IN_WORDS,
        "the name in its bot.toml, or of its program; a bot that dials in needs one",
        'name = "fox-2"',
        "Its row in the table.",
    ),
    "owner": Key(
        NAME,
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
    "clock": Key(
        dict[str, object],
        f"a table with {', '.join(BOT_TIMES)}, or some of them",
        "that of [clock]",
        "clock = { decision_ms = 5000 }",
        "The clock of this bot alone, and what it leaves out as in [clock]; its `start` and the "
        "table tell it.",
    ),
    "connections": number(
        1,
        MOST_CONNECTIONS,
        str(Entrant.connections),
        "connections = 4",
        "With dials_in: several connections with one token, so that it plays several matches at "
        "once.",
    ),
}
