"""Confinements for tests: of a bot in a folder, on a machine that is written down."""

from __future__ import annotations

from pathlib import Path

from arena.bots.confine.bubblewrap import Tools
from arena.bots.confine.confinement import Confinement
from arena.bots.confine.system import System

TOOLS = Tools("/usr/bin/bwrap", "/usr/bin/prlimit", "/usr/bin/setpriv")
SYSTEM = System((Path("/usr"), Path("/etc/ssl")), ((Path("/bin"), "usr/bin"),))

BOT = Confinement(
    folder=Path("/var/arena/bots/fox"),
    files=(Path("/var/arena/bots/fox"),),
    scratch=Path("/var/arena/scratch"),
    door="unix:/var/arena/door",
    read=(Path("/home/ada/venv"),),
)
