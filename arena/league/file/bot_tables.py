"""The [[bots]] of a league's file, each by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arena.bots.botfile import FILE_NAME as BOT_FILE
from arena.bots.botfile import BadBotFile, Bot
from arena.bots.confine.limits import Limits
from arena.league.file.confining import limits_of
from arena.league.file.keys import KEYS
from arena.league.file.problems import Problems, shown
from arena.league.file.sources import DIALS_IN, SOURCES, bot_from
from arena.league.file.values import values_of
from arena.league.model.config import Entrant
from arena.record.timing import BOT_TIMES, BotClock, Timing


@dataclass(frozen=True)
class ListedBot:
    """One of the [[bots]], as far as it could be read."""

    where: str  # in words: "[[bots]] number 2"
    name: str | None
    owner: str | None
    bot: Bot | None
    dials_in: bool
    limits: Limits
    clock: BotClock | None
    connections: int

    @property
    def entrant(self) -> Entrant | None:
        if self.name and self.owner and (self.bot is not None or self.dials_in):
            return Entrant(
                *(self.name, self.bot, self.owner, self.limits, self.clock, self.connections)
            )
        return None


def listed_bot(
    number: int,
    table: Mapping[str, Any],
    file: Path,
    problems: Problems,
    limits: Limits,
    timing: Timing,
) -> ListedBot:
    """Read one table of this file.

    `number`: from 1, as people count. `limits`, `timing`: those of bots that say nothing of them.
    """
    of = f" of [[bots]] number {number}"
    found = values_of(table, "bots", of, problems)
    named = [source for source in SOURCES if source in table]
    bot = None
    if len(named) != 1:
        came = " and ".join(f"`{source}`" for source in named)
        examples = ", or ".join(KEYS["bots"][source].example for source in SOURCES)
        fault = f"has {came}; write only one" if named else "does not say where its bot is"
        problems.say(f"[[bots]] number {number} {fault}. For instance: {examples}")
    elif named[0] == DIALS_IN:
        if found.get(DIALS_IN) is False:
            problems.must(DIALS_IN, "bots", of, False)
        if "name" not in table:
            problems.say(
                f"`name`{of} is missing: a bot that dials in brings no {BOT_FILE} to take it from."
                f" For instance: {KEYS['bots']['name'].example}"
            )
    elif named[0] in found:
        bot = _bot(named[0], found[named[0]], of, file, problems)
    name = found.get("name", None if bot is None or "name" in table else bot.name)
    owner = found.get("owner", None if "owner" in table else name)
    limits = limits_of(found.get("limits", {}), f" of `limits`{of}", problems, limits)
    dials_in = named == [DIALS_IN]
    connections = found.get("connections", Entrant.connections)
    if connections > 1 and named and not dials_in:
        problems.say(
            f"`connections`{of} is {connections}, and it does not dial in: it has as many processes"
            " as it needs; leave it out"
        )
    return ListedBot(
        *(f"[[bots]] number {number}", name, owner, bot, dials_in, limits),
        _clock(found.get("clock", {}), f" of `clock`{of}", problems, timing),
        connections,
    )


def _clock(
    table: Mapping[str, object], of: str, problems: Problems, timing: Timing
) -> BotClock | None:
    """Return a bot's own clock; None if it is the one that it would have without."""
    usual = BotClock(*(getattr(timing, name) for name in BOT_TIMES))
    clock = replace(usual, **values_of(table, "clock", of, problems, only=BOT_TIMES))
    return None if clock == usual else clock


def _bot(source: str, value: str, of: str, file: Path, problems: Problems) -> Bot | None:
    """Return the bot that a key of `SOURCES` names; None with a problem."""
    try:
        bot = bot_from(source, value, file.absolute().parent)
    except BadBotFile as error:
        for problem in error.problems:
            problems.say(f"`{source}`{of} is {shown(value)}: {problem}")
    except OSError as error:  # a name that no file can have, or a folder that we may not enter
        problems.say(f"`{source}`{of} is {shown(value)}: {error.strerror}")
    else:
        return replace(bot, written_in=f"{file}, `command`{of}") if bot.is_bare else bot
    return None
