"""What programs that dial in saw and did, a line of JSON for each thing; a kill loses none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

# Things that the programs write.
CAME, START, END, FAULT, BYE, LOST, BROKEN = (
    *("came", "start", "end", "fault", "bye", "lost", "broken"),
)
# The bot closed its connection by itself; `detail` says how.
LEFT = "left"
# Things that the director of the soak writes: it killed a program; it stopped the league.
KILLED, STOP = "killed", "stop"
# Acts of the operator, before the command and after it; one that was refused.
REVOKES, REVOKED, RENEWS, RENEWED = "revokes", "revoked", "renews", "renewed"
RETIRES, RETIRED, ADMITS, ADMITTED = "retires", "retired", "admits", "admitted"
INVITED, REFUSED = "invited", "refused"


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened.

    `at`: seconds since 1970. `bot`: "" where it is about the league. `match`: the one that the bot
    is in, or that it is about; "" for none. `detail`: the ending of a match, the reason of a bye,
    the way of leaving or stopping, the text of a fault.
    """

    at: float
    bot: str
    what: str
    match: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Diary:
    """A file of entries that grows."""

    file: IO[bytes]

    @classmethod
    def append(cls, path: Path) -> Diary:
        """Go on with a file, each line of which is written at once."""
        return cls(path.open("ab", buffering=0))

    def write(self, entry: Entry) -> None:
        """Add one entry in one call, so that a killed program leaves whole lines."""
        self.file.write(msgspec.json.encode(entry) + b"\n")


def entries_of(paths: Iterable[Path]) -> list[Entry]:
    """Read diaries; the entries of all in the order of time."""
    lines = (line for path in paths for line in path.read_bytes().splitlines())
    found = [msgspec.json.decode(line, type=Entry) for line in lines]
    return sorted(found, key=lambda entry: entry.at)
