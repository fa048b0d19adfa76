"""What one bot may see and use, as a value; and the two ways to have a kernel enforce it.

`bubblewrap.py` and `kernel.py` each turn a Confinement into Rules, which the warden applies
between fork and exec. Neither decides anything about a bot: all of that is here.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from arena.bots.confine.limits import Limits


class Rung(StrEnum):
    """A way to confine a bot; the value is the word in records and tables."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    NONE = "unconfined"


class Wish(StrEnum):
    """What the operator wants; the last three name a rung, and no other will do."""

    AUTO = "auto"
    STRICT = "strict"
    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    NONE = "none"

    @property
    def rungs(self) -> tuple[Rung, ...]:
        """The confined rungs that will do, the strongest first."""
        match self:
            case Wish.AUTO | Wish.STRICT:
                return (Rung.BUBBLEWRAP, Rung.LANDLOCK)
            case Wish.BUBBLEWRAP:
                return (Rung.BUBBLEWRAP,)
            case Wish.LANDLOCK:
                return (Rung.LANDLOCK,)
            case Wish.NONE:
                return ()


# As root each bot is a user of its own. These numbers belong to nobody: ranges of containers and
# of subuid end below 2**30 by default, and 2**31 is beyond what many programs read.
FIRST_UID = 1_600_000_000
UIDS = 100_000_000


def free_uids() -> int:
    """Return a number from which on users belong to nobody, with room for the bots of one command.

    Drawn by lot: the kernel counts the processes of a user, and two commands that run side by side
    would use up each other's.
    """
    return FIRST_UID + secrets.randbelow(UIDS)


@dataclass(frozen=True)
class Confinement:
    """What one process of a bot, and all it starts, may see and use.

    Beyond what is named here, a bot may read the system's own programs and libraries
    (`system.py`), and may talk to nobody but its own processes.
    """

    folder: Path
    """Its current folder."""
    files: tuple[Path, ...]
    """Its own files, readable: the folder, or what it may see of it."""
    scratch: Path
    """A folder it may write to; empty at its start, gone at its end."""
    door: str
    """The one address it may connect to, as ARENA_CONNECT has it; "" for a build."""
    write: tuple[Path, ...] = ()
    """Further folders it may write to: for a build, its copy of the bot."""
    servers: tuple[str, ...] = ()
    """For a build: "public" and the name servers it asks, as `Rules.reach` has them."""
    read: tuple[Path, ...] = ()
    """Further files and folders it may read: its interpreter, where that is in a home folder."""
    listed: tuple[Path, ...] = ()
    """Folders of which it may see the names, and no more."""
    env: tuple[tuple[str, str], ...] = ()
    """The variables that its author chose: only its own program may get them, because a loader
    reads some and runs what they name."""
    limits: Limits = field(default_factory=Limits)
    uid: int | None = None
    """The user it becomes inside bubblewrap, when arena is root; None: the user who runs arena."""

    @property
    def is_build(self) -> bool:
        return not self.door
