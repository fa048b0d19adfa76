"""Run a bot's build in its scratch folder, through the warden, which also ends its leftovers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import trio

from arena.bots.botfile import Bot, runnable
from arena.bots.confine.confinement import Rung
from arena.bots.confine.confiner import Confiner
from arena.bots.confine.limits import BUILD_LIMITS, TRIED
from arena.bots.launch import Tail, Tails
from arena.bots.processes import BotProcess, Warden
from arena.bots.refused import CannotStart
from arena.text import plain

# A fresh build of a Rust program with dependencies takes a few minutes on a small machine.
BUILD_SECONDS = 600.0

# Once a second the scratch folder is looked at; after so many of these people get a line.
LOOK_SECONDS = 1.0
LOOKS_FOR_A_LINE = 15
# Of the last line that a build has printed, in the line for people.
MOST_SHOWN = 60

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")

NO_NETWORK = (
    "Builds have no network here: `network = false` stands under [build] in league.toml. With"
    " `network = true` they reach public addresses."
)


class BuildFailed(Exception):
    """A build that failed; the message ends with the output of the build."""

    def __init__(self, bot: Bot, why: str, tails: Tails | None = None) -> None:
        lines = [
            f"the build of {bot.name!r} failed: {why}",
            f"command: {list(bot.build or ())}",
            f"Mend what it complains of, or `build` in {bot.written_in}, and try again.",
        ]
        if tails is not None:
            for name, tail in (("stdout", tails.stdout), ("stderr", tails.stderr)):
                if tail.total_bytes:
                    printed = _text(tail).rstrip("\n").splitlines()
                    lines += [f"--- {name} ---", *map(plain, printed)]
        super().__init__("\n".join(lines))
        self.tails = tails


async def build(
    warden: Warden,
    confiner: Confiner,
    bot: Bot,
    folder: Path,
    env: Mapping[str, str],
    seconds: float = BUILD_SECONDS,
    uid: int | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> None:
    """Run the build of a bot in its scratch folder, if it has one. Raises BuildFailed.

    `env`: the whole environment of the build, but for the bot's own `env`. `seconds`: the time
    that the build may take. That limit is an argument, and not the caller's cancel scope, because
    a slow build is the author's to mend and is reported like any other that fails. `uid`: the user
    it becomes, where the confiner can do that. `tell`: gets a line now and then while it lasts.
    """
    if bot.build is None:
        return
    try:
        launch = confiner.build(
            f"build of {bot.name}",
            runnable(bot.build),
            env,
            folder,
            chosen=bot.env,
            limits=BUILD_LIMITS,
            uid=uid,
        )
        process = await warden.start(launch)
    except CannotStart as error:
        raise BuildFailed(bot, str(error)) from error
    try:
        with trio.move_on_after(seconds) as scope:
            await _watched(process, bot, tell)
        if scope.cancelled_caught:
            await process.end()
            tails = await process.tails()
            why = f"it was not done after {seconds:g} s and was ended"
            words = "; ".join((why, *tails.reached))
            raise BuildFailed(bot, words + _advice(tails, confiner), tails)
    except trio.Cancelled:
        process.end_soon()
        raise
    end = await process.exited()
    if end.code != 0:
        tails = await process.tails()
        raise BuildFailed(bot, str(end) + _advice(tails, confiner), tails)


async def _watched(process: BotProcess, bot: Bot, tell: Callable[[str], None]) -> None:
    """Wait for the end of a build; tell from time to time what it has printed last."""
    looks = 0
    while process.exit is None:
        with trio.move_on_after(LOOK_SECONDS):
            await process.exited()
            return
        process.look_at_scratch()
        looks += 1
        if looks % LOOKS_FOR_A_LINE == 0:
            tails = await process.tails()
            last = _last_line(tails.stderr) or _last_line(tails.stdout)
            tell(f"building {bot.name} for {looks * LOOK_SECONDS:.0f} s" + (last and f": {last}"))


def _text(tail: Tail) -> str:
    """Return what was printed without its colours, which some compilers never leave out."""
    return _COLOUR.sub("", str(tail))


def _last_line(tail: Tail) -> str:
    lines = [line for line in _text(tail).splitlines() if line.strip()]
    return plain(lines[-1].strip())[:MOST_SHOWN] if lines else ""


def _advice(tails: Tails, confiner: Confiner) -> str:
    """Return a line that names the key by which builds have no network, if one has tried to."""
    means = confiner.means
    has_tried = any(word.startswith(TRIED) for word in tails.reached)
    if has_tried and not means.build_network and means.rung is not Rung.NONE:
        return f"\n{NO_NETWORK}"
    return ""
