"""The versions of a league's database, and the statements from each to the next.

A change of the tables is a new SCHEMA: add its statements to UPGRADES, the new form to the tables
in `database`, and leagues made by the new version to tests/fixtures. Statements of a released
schema never change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

TOKENS = """
CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    bot TEXT NOT NULL,
    hash BLOB NOT NULL,
    created TEXT NOT NULL,
    expires TEXT,
    revoked TEXT,
    in_file INTEGER NOT NULL,
    by_hand INTEGER
)
"""
# Bots that were admitted by command, by the name that they have besides those of the file.
ADMITTED = """
CREATE TABLE admitted (name TEXT PRIMARY KEY, bot TEXT NOT NULL)
"""
# The machines on which matches were played that the runner's own did not play.
MACHINES = """
CREATE TABLE machines (
    number INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    machine TEXT NOT NULL,
    PRIMARY KEY (number, attempt, turn),
    FOREIGN KEY (number, attempt, turn) REFERENCES matches
) WITHOUT ROWID
"""
# By the schema they start from: the statements that make the next one of it.
UPGRADES: Mapping[int, Sequence[str]] = {
    # Each order to play a set has a number of its own; a match of an earlier order is known by it.
    1: ("ALTER TABLE sets ADD COLUMN lease INTEGER NOT NULL DEFAULT 0",),
    # The secrets have a file of their own: `writing` has made it by then.
    2: ("DELETE FROM facts WHERE name IN ('key', 'lots')",),
    # Of the tokens of bots that dial in hashes are kept. Those of earlier versions are in files
    # beside this one, and are entered by the next run (`arena.league.entry.tokens`).
    3: (TOKENS,),
    # The store may have bots that league.toml has not.
    4: (ADMITTED,),
    # Sets may be played on other machines.
    5: (MACHINES,),
}

SCHEMA = 1 + len(UPGRADES)


def statements_from(schema: int) -> Iterator[str]:
    """Yield all statements from this schema to SCHEMA, in order."""
    for version in range(schema, SCHEMA):
        yield from UPGRADES[version]
