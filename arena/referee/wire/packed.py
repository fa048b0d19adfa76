"""A connection between two matches as one process hands it to another: all but its socket."""

from __future__ import annotations

from msgspec import Struct, field

from protocol.breach import Breach
from protocol.server_end import EndBetweenMatches


class PackedBreach(Struct, frozen=True):
    """A breach as it is sent to another process."""

    code: str
    came: str
    expected: str
    advice: str
    action: str | None

    @classmethod
    def of(cls, breach: Breach) -> PackedBreach:
        """Pack a breach."""
        return cls(breach.code, breach.came, breach.expected, breach.advice, breach.action)

    @property
    def breach(self) -> Breach:
        """The breach itself."""
        return Breach(self.code, self.came, self.expected, self.advice, self.action)


class LinkBetweenMatches(Struct, frozen=True):
    """What one process knows of a connection that another goes on with.

    `asides`: breaches to be told before the next match. `unsent`: bytes that the bot has not read.
    """

    end: EndBetweenMatches = field(default_factory=EndBetweenMatches)
    asides: tuple[PackedBreach, ...] = ()
    unsent: bytes = b""


class LendLink(Struct, frozen=True, tag=True):
    """A connection of a bot that dials in, lent to the order of a set with this lease.

    Its socket comes on the line beside this pipe (`SocketLine`), just before this message.
    """

    set: int
    lease: int
    name: str
    connection: int  # no other has this number
    known: LinkBetweenMatches


class LinkBack(Struct, frozen=True):
    """A connection that was lent, as it is after the last match of the order."""

    connection: int
    known: LinkBetweenMatches
