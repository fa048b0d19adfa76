"""Values do not change: a dataclass is frozen, and the exceptions stand here."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Iterator

import arena
import protocol

# Each gathers something as it comes in.
CHANGING = {
    "arena.audit.league.AuditReport",
    "arena.audit.recount.Count",
    "arena.check.bench.Bench",
    "arena.check.findings.Log",
    "arena.check.measure.Measures",
    "arena.check.peer.Pieces",
    "arena.check.peer.Runs",
    "arena.cli.check_view.Cause",
    "arena.cli.fetched.door.Door",
    "arena.compare.play.Comparison",
    "arena.compare.stop.Trial",
    "arena.games.nyet.past.EarlierRounds",
    "arena.judge.bars.Differences",
    "arena.league.plan.roster.RosterRow",
    "arena.league.play.sets_to_play.SetInPlay",
    "arena.league.table.ledger.Tally",
    "arena.outputs.pages.bots.History",
}


def dataclasses_of_the_product() -> Iterator[type]:
    for package in (arena, protocol):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.endswith("__main__"):
                continue
            module = importlib.import_module(found.name)
            for each in vars(module).values():
                if (
                    isinstance(each, type)
                    and each.__module__ == found.name
                    and dataclasses.is_dataclass(each)
                ):
                    yield each


def is_frozen(each: type) -> bool:
    return bool(each.__dataclass_params__.frozen)  # type: ignore[attr-defined]


def test_every_value_is_frozen_but_for_these() -> None:
    found = [each for each in dataclasses_of_the_product() if not is_frozen(each)]
    assert {f"{each.__module__}.{each.__qualname__}" for each in found} == CHANGING
