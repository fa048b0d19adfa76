"""The folder of a league, beside its file: its name, and the names of everything in it."""

from __future__ import annotations

from pathlib import Path

# Beside league.toml: league.arena
FOLDER_SUFFIX = ".arena"
# The database with everything that was played, for the runner and `arena verify`.
DATABASE = "league.db"
# The key of all deals to come, for these two as well.
SECRETS = "secrets.toml"
# The copy of complete sets, for all others that read the league.
COMPLETE_SETS = "complete.db"
# The mark that the copy was closed by a clean end.
CLEAN_END = "complete.closed"
# The part that may be put on a web server, and nothing else.
PUBLIC = "public"
# The standard error of the referee processes.
LOG = "referee.log"
# The requests to the web server of `arena league --serve`, of the last day.
SERVE_LOG = "serve.log"
# A folder for each bot with what it printed in complete sets, for the league's owner alone.
LOGS = "logs"
# The output of bots in sets that are not complete.
HELD = "held-output"
# Copies of the bots' folders, in which they run; gone when the run ends.
SCRATCH = "scratch"


def folder_of(file: Path) -> Path:
    """Return the folder in which the league of this file is kept."""
    return file.absolute().with_suffix(FOLDER_SUFFIX)
