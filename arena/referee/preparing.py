"""Bots made ready to run: each in a private copy of its folder, built."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from arena.referee.botfile import Bot, runnable
from arena.referee.build import build
from arena.referee.contents import prepare_scratch
from arena.referee.house import Program, inherited_env
from arena.referee.processes import Warden


async def prepared(
    warden: Warden, bots: Sequence[Bot], folder: Path, tell: Callable[[str], None]
) -> list[Program]:
    """Programs in the order of the bots, below this folder; raises BuildFailed."""
    programs = []
    for number, bot in enumerate(bots):
        scratch = prepare_scratch(bot, folder / f"bot-{number}")
        if bot.build is not None:
            tell(f"building {bot.name}: {' '.join(bot.build)}")
        await build(warden, bot, scratch, inherited_env())
        tcp = "unix" not in bot.connect
        programs.append(Program(bot.name, runnable(bot.command), scratch, bot.env, tcp=tcp))
    return programs
