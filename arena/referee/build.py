"""Running a bot's build in its scratch folder, by the warden: what it leaves behind ends too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import trio

from arena.referee.botfile import Bot, runnable
from arena.referee.launch import Launch, Tails
from arena.referee.not_started import CannotStart
from arena.referee.processes import Warden

# A fresh build of a Rust program with dependencies takes a few minutes on a small machine.
BUILD_SECONDS = 600.0

# Linkers open many.
BUILD_OPEN_FILES = 65_536


class BuildFailed(Exception):
    """A build that did not succeed; the message ends with what it printed."""

    def __init__(self, bot: Bot, what: str, tails: Tails | None = None) -> None:
        lines = [f"the build of {bot.name!r} failed: {what}", f"command: {list(bot.build or ())}"]
        if tails is not None:
            for name, tail in (("stdout", tails.stdout), ("stderr", tails.stderr)):
                if tail.data:
                    lines += [f"--- {name} ---", str(tail).rstrip("\n")]
        super().__init__("\n".join(lines))
        self.tails = tails


async def build(
    warden: Warden,
    bot: Bot,
    folder: Path,
    env: Mapping[str, str],
    seconds: float = BUILD_SECONDS,
) -> None:
    """Run the build of a bot in its scratch folder, if it has one; raises BuildFailed.

    The limit is an argument, and not the caller's scope, because a build that is too slow is
    the author's to mend and is told like any other that fails.
    """
    if bot.build is None:
        return
    launch = Launch(
        f"build of {bot.name}",
        runnable(bot.build),
        {**env, **bot.env},
        folder,
        open_files=BUILD_OPEN_FILES,
    )
    try:
        process = await warden.start(launch)
    except CannotStart as error:
        raise BuildFailed(bot, str(error)) from error
    try:
        with trio.move_on_after(seconds) as scope:
            await process.exited()
        if scope.cancelled_caught:
            await process.end()
            raise BuildFailed(
                bot, f"it was not done after {seconds:g} s and was ended.", await process.tails()
            )
    except trio.Cancelled:
        process.end_soon()
        raise
    end = await process.exited()
    if end.code != 0:
        raise BuildFailed(bot, str(end), await process.tails())
