"""The keys of the tables of league.toml, and all tables together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from arena.bots.confine.confinement import Wish
from arena.bots.confine.limits import Limits
from arena.league.file.keys.bots import BOTS
from arena.league.file.keys.key import ELO, MOST_AT_ONCE, MOST_SETS, TEXT, Key, flag, number
from arena.league.file.keys.top import TOP
from arena.league.model import match_pages
from arena.league.model.config import DIAL_IN_MS
from arena.league.model.settings import MATCH_PAGES
from arena.record.timing import START_MS, Timing

MOST_MS = 24 * 60 * 60 * 1000
MOST_FAULTS = 1_000_000
MOST_MB = 1_048_576
MOST_PROCESSES = 1_000_000
MOST_FILES = 1_000_000

_DEFAULT = Timing()
_LIMITS = Limits()

KEYS: Mapping[str, Mapping[str, Key]] = {
    "": TOP,
    "anchor": {
        "bots": Key(
            str | list[str] | dict[str, float],
            "the name of a bot, a list of names, or a table of names with weights above 0",
            "all bots",
            "bots = { fox = 2, owl = 1 }",
            "The bots whose mean is fixed.",
        ),
        "elo": Key(
            ELO,
            "a number from -1000000 to 1000000",
            "0",
            "elo = 1500",
            "The Elo which that mean is given.",
        ),
    },
    "clock": {
        "decision_ms": number(
            1,
            MOST_MS,
            str(_DEFAULT.decision_ms),
            f"decision_ms = {_DEFAULT.decision_ms}",
            "The time that is free for each decision.",
        ),
        "bank_ms": number(
            0,
            MOST_MS,
            str(_DEFAULT.bank_ms),
            f"bank_ms = {_DEFAULT.bank_ms}",
            "Further time, for a whole match.",
        ),
        "hang_ms": number(
            1,
            MOST_MS,
            str(_DEFAULT.hang_ms),
            f"hang_ms = {_DEFAULT.hang_ms}",
            "A bot that is silent for longer counts as gone.",
        ),
        "start_ms": number(
            1,
            MOST_MS,
            str(START_MS),
            f"start_ms = {START_MS}",
            "The time from a bot's start to its hello; builds do not count.",
        ),
        "dial_in_ms": number(
            1,
            MOST_MS,
            str(DIAL_IN_MS),
            f"dial_in_ms = {DIAL_IN_MS}",
            "The time for which a bot that dials in may be away while nothing else is left to be "
            "played; then its sets are played without it.",
        ),
    },
    "stop": {
        "separated": flag(
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
            Annotated[list[ELO], msgspec.Meta(min_length=2, max_length=2)],
            "two numbers, the lower first",
            "none",
            "test = [0, 20]",
            "In a league of two bots: the stop test of `arena match`, with these bounds in Elo.",
        ),
        "sets": number(1, MOST_SETS, "none", "sets = 50", "So many sets count."),
        "hours": Key(
            Annotated[float, msgspec.Meta(gt=0, le=1e6)],
            "a number above 0",
            "none",
            "hours = 12",
            "So many hours went by since the first match began, with all rests.",
        ),
    },
    "faults": {
        "to_forfeit": number(
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
            'The matches that have pages; with "last N", as many more of sets with a fault.',
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
            list[TEXT],
            "a list of files and folders, as seen from this file",
            "the system's programs and the Python that runs arena",
            'read = ["/opt"]',
            "What bots and builds may read besides: toolchains such as ~/.nvm or ~/.cargo.",
        ),
    },
    "limits": {
        "memory_mb": number(
            16,
            MOST_MB,
            str(_LIMITS.memory_mb),
            f"memory_mb = {_LIMITS.memory_mb}",
            "Mebibytes of memory.",
        ),
        "processes": number(
            1,
            MOST_PROCESSES,
            str(_LIMITS.processes),
            f"processes = {_LIMITS.processes}",
            "Processes and threads at one time; a JVM has about 30.",
        ),
        "scratch_mb": number(
            1,
            MOST_MB,
            str(_LIMITS.scratch_mb),
            f"scratch_mb = {_LIMITS.scratch_mb}",
            "Mebibytes of files in its scratch folder, which is empty at each start.",
        ),
        "open_files": number(
            16,
            MOST_FILES,
            str(_LIMITS.open_files),
            f"open_files = {_LIMITS.open_files}",
            "Files and sockets that one process may have open.",
        ),
        "cores": number(
            1,
            MOST_AT_ONCE,
            str(_LIMITS.cores),
            f"cores = {_LIMITS.cores}",
            "Processor cores' worth of time, where this machine can hold bots to it.",
        ),
    },
    "build": {
        "network": flag(
            True,
            "network = true",
            "Builds may fetch packages: from public addresses, never from this machine or a "
            "private network.",
        ),
    },
    "tls": {
        name: Key(TEXT, "a file, as seen from this one", "must be there", f'{name} = "{file}"', why)
        for name, file, why in (
            ("ca", "ca.pem", "The certificate of the authority that signed all others."),
            ("cert", "runner.pem", "The certificate of this machine."),
            ("key", "runner.key", "Its key."),
        )
    },
    "bots": BOTS,
}
"""By table: "" is the top of the file, and `bots` one of [[bots]]."""
