"""A bot that tries the whole catalogue, in its build or while it plays, and what came of it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.bots.botfile import Bot, read_bot
from arena.bots.confine.choose import NotConfined
from arena.bots.confine.confinement import Rung, Wish
from arena.bots.confine.confiner import Means
from arena.bots.processes import open_warden
from arena.bots.warden.tree import mark_of
from arena.referee.house import House, open_house
from tests.bots.nasty import proofs
from tests.bots.nasty.catalogue import DEEDS
from tests.bots.nasty.proofs import Outcome
from tests.bots.nasty.running import EMPTY, PROGRAMS, is_kept, start_another_bot
from tests.bots.nasty.world import World
from tests.referee.real_match import RANDOM_BOT, ROOT

Said = dict[str, dict[str, Any]]

WISHES = {Rung.BUBBLEWRAP: Wish.BUBBLEWRAP, Rung.LANDLOCK: Wish.LANDLOCK, Rung.NONE: Wish.NONE}

# Their effect is gone when the program has ended, as it has when a whole list of them was tried.
_WHILE_THEY_RUN = (proofs.the_store_is_locked, proofs.it_can_be_called)


@asynccontextmanager
async def a_house(rung: Rung, world: World) -> AsyncIterator[House]:
    """A house that confines its bots on this rung, with another bot in it, and leaves nothing."""
    # The other bot has a warden of its own: builds run while no bot does.
    async with open_house() as house, open_warden() as beside:
        try:
            # The bot kit is read in this repository.
            await house.confine(WISHES[rung], [ROOT])
        except NotConfined as error:
            pytest.skip(str(error))
        world.before["device"] = os.stat("/dev/null").st_mtime_ns
        await start_another_bot(beside, house.confiner, world)
        yield house
    assert not house.folder.exists()
    secret = house.warden._secret
    names = filter(str.isdecimal, os.listdir("/proc"))
    assert [name for name in names if (mark_of(int(name)) or "").startswith(f"{secret}.")] == []
    assert proofs.daemons(world) == set()


def a_bot(world: World, deeds: Sequence[str], *, builds: bool) -> Bot:
    """A bot folder that tries these deeds: in its build, or while it plays."""
    folder = world.top / "nasty"
    folder.mkdir()
    for file in PROGRAMS.glob("*.py"):
        shutil.copy(file, folder)
    for name in ("bot.py", "decide.py"):
        shutil.copy(RANDOM_BOT / name, folder)
    by_name = {deed.name: deed.program for deed in DEEDS}
    given = {"told": world.told, "deeds": [(by_name[name], name) for name in deeds]}
    (folder / "given.json").write_text(json.dumps(given))
    program = '["{python}", "all_of_it.py"'
    lines = ['name = "nasty"', f"command = {program}]", 'games = "any"']
    if builds:
        lines.append(f'build = {program}, "build"]')
    (folder / "bot.toml").write_text("\n".join(lines))
    return read_bot(folder)


def said_in(file: Path) -> Said:
    """What came of each deed, by name, of those whose lines are there."""
    try:
        lines = file.read_text().splitlines()
    except FileNotFoundError:
        return {}
    return dict(json.loads(line) for line in lines if line.startswith("["))


def succeeded(world: World, said: Said, names: Iterable[str], warden: int) -> set[str]:
    """Return the deeds among these that came off."""
    found = set()
    for deed in DEEDS:
        if deed.name in names:
            outcome = Outcome(said[deed.name], EMPTY, warden)
            shown = deed.proof in _WHILE_THEY_RUN or deed.proof(world, outcome)
            if outcome.did and shown:
                found.add(deed.name)
    return found


def not_promised(means: Means, *, is_build: bool = False) -> set[str]:
    """Return the deeds that the catalogue does not promise to keep from a bot, or from a build."""
    verdicts = {deed.name: deed.verdict(means.rung, is_build=is_build) for deed in DEEDS}
    return {name for name, verdict in verdicts.items() if not is_kept(verdict, means)}
