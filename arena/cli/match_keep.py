"""`arena match --keep`: what a file of sets must agree about with the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import click

from arena.bots.botfile import Bot
from arena.bots.contents import content_hash
from arena.cli.bots import PolicyBot
from arena.cli.match_arguments import AskedMatch
from arena.cli.match_sets import AskedSets
from arena.compare.keep import CannotKeep, KeptSets
from arena.compare.play import Comparison, Keep
from arena.text import plain


@contextmanager
def kept_sets(
    asked: AskedMatch, sets: AskedSets | None, *, is_seed_given: bool
) -> Iterator[tuple[Comparison, Keep | None]]:
    """Yield the comparison that was asked for, with the sets of its file, and what keeps more.

    A seed that was not given is that of the file. An error of the file ends the command in words.
    """
    if sets is None:
        yield Comparison(asked.plan, None, asked.rows), None
        return
    trial = sets.trial(asked.rows)
    if sets.keep is None:
        yield Comparison(asked.plan, sets.most, asked.rows, trial, sets.jobs, asked.rival), None
        return
    try:
        with KeptSets(sets.keep) as file:
            if file.kept is not None and not is_seed_given:
                seed = bytes.fromhex(file.kept["seed"])
                asked = replace(asked, plan=replace(asked.plan, seed=seed))
            file.begin(compared(asked, sets))
            comparison = Comparison(
                asked.plan, sets.most, asked.rows, trial, sets.jobs, asked.rival
            )
            if (kept := file.load(comparison)) > 0:
                are = "set is" if kept == 1 else "sets are"
                click.echo(
                    f"{plain(str(sets.keep))}: {kept:,} {are} kept, and not played again"
                    f"{_not_compared(asked)}",
                    err=True,
                )
            yield comparison, file.add
    except CannotKeep as error:
        raise click.ClickException(str(error)) from None


def compared(asked: AskedMatch, sets: AskedSets) -> dict[str, Any]:
    """Return what must not change from one run to the next, as values of JSON.

    A bot that dials in has no content that is known here. The number of sets is fixed before the
    first, unless a stop test ends them: then it is only the most.
    """
    plan, test = asked.plan, sets.test
    return {
        "game": plan.game,
        "options": dict(plan.options),
        "seed": plan.seed.hex(),
        "bots": [(bot.name, _content(bot)) for bot in asked.bots],
        "clock": {**plan.timing.in_words(), **_no_clock(asked)},
        "start_ms": asked.start_ms,
        "stop": None if test is None else str(test.bounds),
        "alpha": None if test is None else test.alpha,
        "beta": None if test is None else test.beta,
        "sets": sets.most if test is None else None,
        "against": asked.rival,
    }


def _content(bot: object) -> str | None:
    match bot:
        case Bot():
            return content_hash(bot)
        case PolicyBot(content=content):
            return content
        case _:
            return None


def _not_compared(asked: AskedMatch) -> str:
    """Return what a reader of kept sets may not expect: of a policy one file is known."""
    policy = next((bot for bot in asked.bots if isinstance(bot, PolicyBot)), None)
    if policy is None:
        return ""
    module = plain(policy.name.partition(":")[0])
    return (
        f"; the file of {module} is as it was, and weights and what else it reads are not looked at"
    )


def _no_clock(asked: AskedMatch) -> dict[str, bool]:
    """Return a key for the clock where a policy has none; nothing else has such a key."""
    has_none = any(isinstance(bot, PolicyBot) and not bot.is_timed for bot in asked.bots)
    return {"no_clock": True} if has_none else {}
