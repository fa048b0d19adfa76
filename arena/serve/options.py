"""Options of a server: the leagues, its addresses and names, its bots for visitors, and its log."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from arena.serve.play import PlayBot

# Only programs on this machine reach it, unless the operator says otherwise.
DEFAULT_ADDRESS = "127.0.0.1:8000"
ADDRESS_IN_WORDS = "HOST:PORT, an IPv6 host in square brackets"
# The hosts that mean every address of this machine.
EVERYWHERE = ("0.0.0.0", "::")
# A line of the serving process: it takes requests from now on.
READY = "ready"
# Connections that wait until they are accepted.
BACKLOG = 2_048
_ADDRESS = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+)):([0-9]{1,5})\Z")
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?\Z")


@dataclass(frozen=True)
class ServeAddress:
    """The address at which the server listens. Port 0: one that the system chooses."""

    host: str
    port: int

    @classmethod
    def read(cls, text: str) -> ServeAddress:
        """Read an address as it is written on a command line; raises ValueError."""
        found = _ADDRESS.match(text)
        if found is None or int(found[3]) > 65_535:
            raise ValueError(f"{text!r} is not {ADDRESS_IN_WORDS}")
        return cls(found[1] or found[2], int(found[3]))

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True)
class ServeOptions:
    """All that a serving process is told, by the command or by the runner that starts it."""

    folders: tuple[str, ...]  # of the leagues
    address: str  # as ServeAddress reads it
    hosts: tuple[str, ...] = ()  # further names that requests may be meant for
    dial_in: str = ""  # the address that the join page tells; "": no bot can dial in
    log: str = ""  # the file that requests are logged to; "": standard error
    behind_proxy: bool = False  # X-Forwarded-For has the visitor's address
    play: tuple[PlayBot, ...] = ()  # bots that visitors may play against
    tables: str = ""  # the socket of the process in which they play

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> ServeOptions:
        values = json.loads(text)
        lists = {each: tuple(values[each]) for each in ("folders", "hosts")}
        return cls(**{**values, **lists, "play": tuple(map(PlayBot.of_json, values["play"]))})


def host_name(text: str) -> str:
    """Return a host name as requests are compared with it; raises ValueError."""
    name = text.lower().removesuffix(".")
    if _HOST.match(name) is None:
        raise ValueError(f"{text!r} is no host name: write it without scheme, port and path")
    return name


# The first parts of addresses that are no league's.
RESERVED = frozenset({"assets", "healthz", "metrics", "play", "samples", "spec", "favicon"})


def slugs_of(folders: Sequence[Path]) -> list[str]:
    """Return for each league its part of addresses: the name of its folder, made safe.

    A name that another has, or that something else has, gets a number.
    """
    taken = set(RESERVED)
    slugs = []
    for folder in folders:
        name = re.sub(r"[^a-z0-9_-]+", "-", folder.stem.lower()).strip("-")[:40] or "league"
        slug, number = name, 2
        while slug in taken:
            slug, number = f"{name}-{number}", number + 1
        taken.add(slug)
        slugs.append(slug)
    return slugs
