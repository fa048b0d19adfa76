"""Bots made ready to run for a league: the first of a run, and those that are admitted later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path

import msgspec

from arena.bots.botfile import Bot
from arena.bots.builds.cache import BuildCache
from arena.bots.confine.confiner import Confiner
from arena.bots.confine.limits import Limits
from arena.bots.prepare import prepared
from arena.bots.processes import Warden
from arena.bots.program import Program


class Workshop:
    """Copies and builds bots below a folder, confined as they will be when they play.

    `tell`: gets a line when a build begins and ends. `cache`: where builds are kept.
    """

    def __init__(
        self,
        warden: Warden,
        confiner: Confiner,
        folder: Path,
        cache: BuildCache,
        tell: Callable[[str], None],
    ):
        self._warden = warden
        self._confiner = confiner
        self._folder = folder
        self._cache = cache
        self._tell = tell
        self._numbers = count(1)

    def __repr__(self) -> str:
        return f"<Workshop in {self._folder.name}>"

    async def make(self, bots: Mapping[str, tuple[Bot, Limits]]) -> list[Program]:
        """Return the programs of bots, under these names and limits. Raises BuildFailed or
        NotStartable."""
        # A bot that has changed before it played keeps its name: its copy must not be the old one.
        folder = self._folder / f"{next(self._numbers)}"
        folder.mkdir(mode=0o700)
        named = [replace(bot, name=name) for name, (bot, _) in bots.items()]
        programs = await prepared(
            self._warden, self._confiner, named, folder, self._tell, self._cache
        )
        return [msgspec.structs.replace(each, limits=bots[each.name][1]) for each in programs]
