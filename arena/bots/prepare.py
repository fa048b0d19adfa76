"""Make bots ready to run: copy each into a scratch folder, build it, find its program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import trio

from arena.bots.botfile import Bot, runnable
from arena.bots.build import BuildFailed
from arena.bots.builds.builder import Builder
from arena.bots.builds.cache import BuildCache
from arena.bots.confine.confinement import free_uids
from arena.bots.confine.confiner import Confiner
from arena.bots.contents import prepare_scratch
from arena.bots.executable import exec_error
from arena.bots.launch import Launch
from arena.bots.processes import Warden
from arena.bots.program import Program, inherited_env
from arena.bots.refused import CannotStart, NotStartable, why_refused


async def prepared(
    warden: Warden,
    confiner: Confiner,
    bots: Sequence[Bot],
    folder: Path,
    tell: Callable[[str], None],
    cache: BuildCache,
) -> list[Program]:
    """Copy and build bots, and check that the program of each can be executed.

    A misspelt command would else forfeit each match of its bot. The programs are looked for after
    the builds, because a build may make them. Raises BuildFailed or NotStartable.

    `folder`: the copies are made below it. `tell`: gets a line when a build, which may last
    minutes, begins and ends. `cache`: where builds are kept. The programs come in the order of
    the bots.
    """
    programs = await built(warden, confiner, bots, folder, tell, cache)
    problems = [
        f"{why} The command stands in {bot.written_in}."
        for bot, program in zip(bots, programs, strict=True)
        if (why := why_not(program, confiner)) is not None
    ]
    if problems:
        raise NotStartable(problems)
    return programs


async def built(
    warden: Warden,
    confiner: Confiner,
    bots: Sequence[Bot],
    folder: Path,
    tell: Callable[[str], None],
    cache: BuildCache,
) -> list[Program]:
    """Copy and build bots, but do not check that their programs can be executed.

    For a caller that reports failed starts by itself.

    Several builds run at once. The first that fails ends the others.
    """
    trouble = cache.trouble() if any(bot.build for bot in bots) else None
    if trouble is not None:
        tell(f"builds are not kept: {trouble}")
    builder = Builder(warden, confiner, cache if trouble is None else None, tell)
    first_uid = free_uids()
    programs = []
    failures: list[BuildFailed] = []
    async with trio.open_nursery() as nursery:

        async def fill(bot: Bot, scratch: Path, uid: int | None) -> None:
            try:
                await builder.fill(bot, scratch, uid)
            except BuildFailed as error:
                failures.append(error)
                nursery.cancel_scope.cancel()

        for number, bot in enumerate(bots):
            scratch = prepare_scratch(bot, folder / f"bot-{number}")
            uid = None if bot.is_bare or not confiner.means.uids else first_uid + number
            nursery.start_soon(fill, bot, scratch, uid)
            programs.append(
                Program(
                    bot.name,
                    runnable(bot.command),
                    scratch,
                    bot.env,
                    tcp="unix" not in bot.connect,
                    is_bare=bot.is_bare,
                    uid=uid,
                )
            )
    if failures:
        raise failures[0]
    if builder.built_before:
        tell(f"built before: {', '.join(sorted(builder.built_before))}")
    return programs


def why_not(program: Program, confiner: Confiner) -> str | None:
    """Return why a program cannot be executed, with the remedy; None if it can.

    To be asked before a start: the programs that confine a bot execute it by themselves, and
    then only their exit code and a line of theirs tell that they could not.
    """
    try:
        confiner.check(program)
    except CannotStart as unseen:
        return str(unseen)
    env = {**inherited_env(), **program.env}
    error = exec_error(program.command, env, program.folder)
    if error is None:
        return None
    launch = Launch(program.name, program.command, env, program.folder)
    return str(why_refused(launch, "command", error))
