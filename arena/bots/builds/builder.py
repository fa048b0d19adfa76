"""Fill scratch folders with built bots: out of the cache, or by a build that is then kept."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import trio
from trio.to_thread import run_sync as in_thread

from arena.bots.botfile import Bot
from arena.bots.build import build
from arena.bots.builds.cache import BuildCache
from arena.bots.builds.identity import identity
from arena.bots.builds.tree import entries
from arena.bots.builds.variables import variables
from arena.bots.confine.confiner import Confiner
from arena.bots.contents import content_hash
from arena.bots.processes import Warden
from arena.bots.program import inherited_env
from arena.bots.warden.folders import remove
from arena.text import plain

# More at once would only share the same cores, and the memory of a compiler each.
MOST_AT_ONCE = 4


class Builder:
    """Builds bots, as many at once as there are cores, and keeps what it has built.

    `cache`: None builds each time. `tell`: gets a line when a build begins, goes on and ends.
    """

    def __init__(
        self,
        warden: Warden,
        confiner: Confiner,
        cache: BuildCache | None,
        tell: Callable[[str], None],
    ) -> None:
        self.built_before: list[str] = []
        self._warden = warden
        self._confiner = confiner
        self._cache = cache
        self._tell = tell
        self._env = {
            **inherited_env(),
            **variables(os.environ, Path(os.environ.get("HOME", "/"))),
        }
        self._places = trio.CapacityLimiter(min(MOST_AT_ONCE, os.cpu_count() or 1))

    def __repr__(self) -> str:
        return f"<Builder {self._confiner.word}, {len(self.built_before)} from the cache>"

    async def fill(self, bot: Bot, scratch: Path, uid: int | None) -> None:
        """Turn the copy of a bot's sources in `scratch` into the built bot. Raises BuildFailed.

        `uid`: the user who is to own the folder and to run the build, where each bot has one.
        """
        if bot.build is None:
            _give_if(scratch, uid)
            return
        if self._cache is None:
            await self._build(bot, scratch, uid)
            return
        # Of the copy, which has what the bot includes: the sources may be changed at any time.
        content = await in_thread(content_hash, replace(bot, folder=scratch, include=()))
        known = await in_thread(identity, bot, content, self._env, self._confiner.word)
        async with self._cache.held(known):
            built = scratch.with_name(f"{scratch.name}-built")
            if await in_thread(self._cache.take, known, built):
                remove((str(scratch),))
                built.rename(scratch)
                _give_if(scratch, uid)
                self.built_before.append(bot.name)
                return
            seconds = await self._build(bot, scratch, uid)
            facts = {
                "name": bot.name,
                "command": bot.build,
                "rung": self._confiner.word,
                "seconds": seconds,
            }
            why = await in_thread(self._cache.keep, known, scratch, facts)
        if why is not None:
            self._tell(f"{bot.name} is built each time: {why}")

    async def _build(self, bot: Bot, scratch: Path, uid: int | None) -> float:
        """Build, and return the seconds that it took."""
        assert bot.build is not None
        _give_if(scratch, uid)
        async with self._places:
            self._tell(f"building {bot.name}: {plain(shlex.join(bot.build))}")
            began = trio.current_time()
            await build(
                self._warden, self._confiner, bot, scratch, self._env, uid=uid, tell=self._tell
            )
            seconds = trio.current_time() - began
        self._tell(f"built {bot.name} in {seconds:.1f} s")
        return seconds


def give(folder: Path, uid: int) -> None:
    """Make this user the owner of a folder and of all in it, and let no other user read it."""
    os.chmod(folder, 0o700)
    os.chown(folder, uid, uid)
    for path, _ in entries(folder):
        os.lchown(path, uid, uid)


def _give_if(folder: Path, uid: int | None) -> None:
    if uid is not None:
        give(folder, uid)
