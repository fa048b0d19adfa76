"""Runs a deed of the catalogue on a rung."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.bots.confine.choose import Rejected, tried
from arena.bots.confine.confinement import Rung
from arena.bots.confine.confiner import Confiner, Means
from arena.bots.confine.controllers import find_controllers
from arena.bots.confine.limits import Limits
from arena.bots.launch import Tail, Tails
from arena.bots.processes import BotProcess, Warden, open_warden
from arena.bots.program import Program
from arena.bots.refused import WardenDied
from tests.bots.nasty import proofs
from tests.bots.nasty.catalogue import SMALL, Alone, Deed, Kept, KeptBy, Verdict, Way
from tests.bots.nasty.proofs import Outcome
from tests.bots.nasty.world import World
from tests.bots.programs import SAFETY_SECONDS

PROGRAMS = Path(__file__).parent / "programs"

# Prints its scratch folder, where it has written notes, and stays.
SLEEPER = """
import os, sys, time
path = os.path.join(os.environ["TMPDIR"], "notes")
with open(path, "w") as file:
    file.write(sys.argv[1])
print(path, flush=True)
time.sleep(600)
"""

EMPTY = Tails(Tail(b"", b"", 0), Tail(b"", b"", 0))

# A signal takes effect when its process runs next. Where no effect is expected, only a moment is
# waited for one.
EFFECT_SECONDS = {True: 10.0, False: 0.2}

_FOUND: dict[Rung, Means | Rejected] = {}


@asynccontextmanager
async def on(rung: Rung, world: World) -> AsyncIterator[tuple[Warden, Confiner]]:
    """Open a warden and a confiner on this rung; skip the test where the rung does not work."""
    async with open_warden() as warden:
        if rung not in _FOUND:
            controllers = find_controllers()
            _FOUND[rung] = (
                Means(controllers=controllers)
                if rung is Rung.NONE
                else await tried(warden, rung, world.place, ())
            )
        means = _FOUND[rung]
        if isinstance(means, Rejected):
            pytest.skip(f"{rung} does not work here: {means.why}")
        warden.sweep(world.place)
        yield warden, Confiner(means, world.place)


def holds(deed: Deed, rung: Rung) -> bool:
    """Whether the catalogue promises that this fails on a rung of this machine."""
    means = _FOUND[rung]
    assert isinstance(means, Means)
    return is_kept(deed.verdict(rung), means)


def is_kept(verdict: Verdict, means: Means) -> bool:
    if isinstance(verdict, KeptBy):
        return verdict.controller in means.controllers.names
    return isinstance(verdict, Kept)


def evidence_of(deed: Deed, rung: Rung) -> str:
    """The beginning of what the end of a deed must name, on a rung of this machine."""
    means = _FOUND[rung]
    if isinstance(means, Means) and deed.evidence_by in ("", *means.controllers.names):
        return deed.evidence.get(rung, "")
    return ""


def may_do_alone(alone: Alone) -> bool:
    """Whether an unconfined program of this user can do it for certain."""
    return alone is Alone.YES or (alone is Alone.ROOT and os.geteuid() == 0)


def text_of(program: str) -> str:
    return (PROGRAMS / f"{program}.py").read_text()


def a_program(
    world: World, confiner: Confiner, words: Iterable[str], limits: Limits = SMALL
) -> Program:
    """A Python program in the hostile bot's folder; `words`: after `python -I -c`."""
    uid = world.uid if confiner.means.uids else None
    if uid is not None:
        for path in (world.own, *world.own.iterdir()):
            os.chown(path, uid, uid)
    command = (sys.executable, "-I", "-S", "-c", *words)
    places = {"TMPDIR": str(world.scratch), "HOME": str(world.scratch)}
    return Program("nasty", command, world.own, env=places, limits=limits, uid=uid)


async def start(
    warden: Warden, confiner: Confiner, world: World, program: str, deed: str, *, stays: bool = True
) -> BotProcess:
    """Start a function of programs/; `stays`: the program does not end by itself."""
    words = (text_of(program), deed, json.dumps(world.told), "stay" if stays else "end")
    door = f"unix:{world.top / 'door'}"
    return await warden.start(confiner.launch(a_program(world, confiner, words), {}, door))


async def start_another_bot(warden: Warden, confiner: Confiner, world: World) -> None:
    """Another bot of the table: as whom it runs, what it has written, and its token are told."""
    uid = world.uid + 1 if confiner.means.uids else None
    command = (sys.executable, "-I", "-S", "-c", SLEEPER, world.words["notes"])
    program = Program("other", command, world.other, env={"TMPDIR": str(world.top)}, uid=uid)
    own = {"ARENA_TOKEN": world.words["token"]}
    bot = await warden.start(confiner.launch(program, own, f"unix:{world.top / 'door'}"))
    world.told["bot"] = bot.pid
    world.told["notes"] = await first_line(bot)


async def first_line(bot: BotProcess) -> str:
    """What it prints first, as soon as that is there, or all of it at its end."""
    with trio.fail_after(SAFETY_SECONDS):
        while True:
            ended = bot.exit
            line, end, _ = str((await bot.tails()).stdout).partition("\n")
            if end or ended is not None:
                return line
            await trio.sleep(0.005)


def said_in(line: str) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except ValueError:
        return {"refused": f"it printed {line[:100]!r}"}
    return said if isinstance(said, dict) else {}


async def is_shown(deed: Deed, world: World, outcome: Outcome, rung: Rung) -> bool:
    """Look for the effect, more than once if the program believes that there is one."""
    is_expected = rung is Rung.NONE and deed.alone is not Alone.NO
    with trio.move_on_after(EFFECT_SECONDS[is_expected] if outcome.did else 0):
        while not deed.proof(world, outcome):
            await trio.sleep(0.01)
        return True
    return False


async def gets_through(way: Way, rung: Rung, world: World) -> tuple[bool, str]:
    """Have one bot leave a word and another look for it: whether it found it, and what both said.

    Both are the same bot, in two seats or in two matches: of one user, and with one folder.
    """
    async with on(rung, world) as (warden, confiner):
        first = await start(warden, confiner, world, "messages", way.leaves)
        world.told["scratch"] = first._launch.env["TMPDIR"]
        left = await first_line(first)
        if not way.at_once:
            await first.end()
        second = await start(warden, confiner, world, "messages", way.finds)
        found = said_in(await first_line(second))
        for bot in (first, second):
            await bot.end()
    return found.get("did") == world.told["word"], f"{left}; {found}"


async def wake(world: World, warden: Warden) -> None:
    """Note that the warden was stopped, and have it go on."""
    while True:
        if world.state(warden.pid) == "T":
            world.before["stopped"] = True
            os.kill(warden.pid, signal.SIGCONT)
        await trio.sleep(0.01)


async def succeeds(deed: Deed, rung: Rung, world: World) -> tuple[bool, str, tuple[str, ...]]:
    """Run it: whether it succeeded, what it said, and the limits and refusals that are told."""
    world.before["device"] = os.stat("/dev/null").st_mtime_ns
    outcome: Outcome | None = None
    reached: tuple[str, ...] = ()
    succeeded = False
    dead = False
    warden_pid = 0
    try:
        async with on(rung, world) as (warden, confiner):
            warden_pid = warden.pid
            if deed.other:
                await start_another_bot(warden, confiner, world)
            world.told["warden"] = warden.pid
            async with trio.open_nursery() as nursery:
                nursery.start_soon(wake, world, warden)
                bot = await start(
                    warden, confiner, world, deed.program, deed.name, stays=deed.stays
                )
                if not deed.stays:
                    with trio.fail_after(SAFETY_SECONDS):
                        world.before["left"] = (await bot.exited()).left
                said = said_in(await first_line(bot))
                outcome = Outcome(said, await bot.tails(), warden.pid)
                if not deed.after:
                    succeeded = await is_shown(deed, world, outcome, rung)
                bot.look_at_scratch()
                reached = (await bot.end()).reached
                nursery.cancel_scope.cancel()
    except WardenDied:
        dead = True
    if deed.after:
        tails = outcome.tails if outcome is not None else EMPTY
        outcome = Outcome(outcome.said if outcome else {}, tails, warden_pid, died=dead)
        succeeded = deed.proof(world, outcome)
    for pid in proofs.daemons(world):
        os.kill(pid, signal.SIGKILL)
    return succeeded, str(outcome and outcome.said), reached
