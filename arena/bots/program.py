"""The bots of a match, ready to play: a program to start, or a name to wait for.

Values that a runner sends to its jobs.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from arena.bots.confine.limits import Limits

# Variables of our own environment that programs need to run at all. A bot sees no others.
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "JAVA_HOME", "GOROOT")


def inherited_env() -> dict[str, str]:
    """Return the variables of our own environment that a bot or its build gets."""
    return {name: os.environ[name] for name in PASSED_ON if name in os.environ}


class Program(Struct, frozen=True, tag=True):
    """A bot that is ready to run: a command, its folder, and the bot's own variables.

    `tcp`: it cannot connect to a Unix socket. `logs`: an existing folder for its output.
    `is_bare`: it is a command line without a folder of its own. `uid`: the user it runs as when
    it is confined and arena is root.
    """

    name: str
    command: tuple[str, ...]
    folder: Path
    env: Mapping[str, str] = field(default_factory=dict)
    tcp: bool = False
    logs: Path | None = None
    is_bare: bool = False
    limits: Limits = field(default_factory=Limits)
    uid: int | None = None


class DialIn(Struct, frozen=True, tag=True):
    """A bot that somebody else runs, and that dials in; a token proves which bot it is."""

    name: str


MAY_REMEMBER = (
    "may remember a set from one seating to the next, because a bot that dials in cannot be"
    " started afresh"
)
"""After the names of bots that dial in, where sets are played in every seating."""
