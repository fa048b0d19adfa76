"""Matches between real processes: misbehaving programs, sample bots, and the traces they leave."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import trio

from arena.bots.program import Program
from arena.record.timing import Timing
from arena.referee.house import House
from arena.referee.match import Plan
from arena.referee.players.started import StartedPlayer
from tests.bots.programs import Family

ROOT = Path(__file__).parent.parent.parent
RANDOM_BOT = ROOT / "sample_bots" / "python-random"


def a_bot(line: str, family: Family, *, tcp: bool = False) -> Program:
    """A program of tests/bots that uses the wire, and its arguments, joined by blanks."""
    name, *arguments = line.split()
    command = (sys.executable, "-m", f"tests.bots.misbehaving.{name}", *arguments)
    return Program(name, command, ROOT, family.env, tcp)


def a_good_bot(family: Family, *, tcp: bool = False) -> Program:
    return Program("good", (sys.executable, "bot.py"), RANDOM_BOT, family.env, tcp)


def a_plan(
    seats: int,
    timing: Timing,
    game: str = "nyet",
    options: Mapping[str, object] | None = None,
    seed: bytes = b"a real match",
) -> Plan:
    names = tuple(f"bot{seat}" for seat in range(seats))
    if options is None:
        options = {"rounds": 1}
    return Plan("", game, seats, seed, names, options, timing)


async def see_off(players: Sequence[StartedPlayer]) -> None:
    async with trio.open_nursery() as nursery:
        for player in players:
            nursery.start_soon(player.say_bye, "done")


def descriptors() -> set[str]:
    """What this process has open, by name."""
    found = set()
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # the one that listed the folder
            found.add(f"{name} {os.readlink(f'/proc/self/fd/{name}')}")
    return found


async def all_ready(house: House, programs: Sequence[Program]) -> list[StartedPlayer]:
    """Good players, started."""
    players = [house.player(program) for program in programs]
    async with trio.open_nursery() as nursery:
        for player in players:
            nursery.start_soon(must_be_ready, player)
    return players


async def must_be_ready(player: StartedPlayer) -> None:
    assert await player.ready() is None
