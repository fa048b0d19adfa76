"""The ladder's bots as functions, and the views they are shown in tests."""

from __future__ import annotations

import atexit
import importlib
import random
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, TypeAlias

from arena import data
from arena.bots.botfile import read_bot
from arena.bots.contents import prepare_scratch
from arena.games import GAMES

# A view, its legal actions, and what a bot chooses of them.
Choose: TypeAlias = Callable[[dict[str, Any], list[str]], str]

# Bots as they run, each copied once in a run of the tests.
_COPIES = TemporaryDirectory()
atexit.register(_COPIES.cleanup)


def chooses(module: ModuleType) -> Choose:
    """The `decide` of a bot, asked with a view and what is legal."""

    def choose(view: dict[str, Any], legal: list[str]) -> str:
        action = module.decide({"view": view, "legal": legal, "time_us": 10_100_000})
        assert isinstance(action, str)
        return action

    return choose


def games_of(bot: str) -> tuple[str, ...]:
    """The rule sets that a sample bot says it plays."""
    return read_bot(data.sample_bots() / bot).games


def load(bot: str, module: str = "bot") -> ModuleType:
    """A module of a sample bot, as a bot of that name imports it: from a copy of its folder, with
    all that it includes."""
    copy = Path(_COPIES.name) / bot
    if not copy.exists():
        prepare_scratch(read_bot(data.sample_bots() / bot), copy)
    mine = {path.stem for path in copy.iterdir()}
    before = _taken_out(mine)
    sys.path.insert(0, str(copy))
    try:
        return importlib.import_module(module)
    finally:
        # Every bot calls its modules as it likes; none of them stays under its short name.
        sys.path.remove(str(copy))
        _taken_out(mine)
        sys.modules.update(before)


def _taken_out(roots: Collection[str]) -> dict[str, ModuleType]:
    """Take these modules, and those below them, out of those that are loaded; return them."""
    names = [name for name in sys.modules if name.partition(".")[0] in roots]
    return {name: sys.modules.pop(name) for name in names}


def decisions(
    game: str, seats: int, seed: int, choose: Choose, options: Mapping[str, object] = {}
) -> Iterator[tuple[dict[str, Any], list[str], str]]:
    """Every decision of a match played by lot: the view, what is legal, what a bot would do.

    By lot, so that it is asked in places to which it would not go.
    """
    rules = GAMES[game]
    rng = random.Random(seed)
    state = rules.deal(seats, rng.randbytes(8), options)
    while acting := state.to_act():
        for seat in acting:
            actions = state.legal(seat)
            view = state.view(seat)
            legal = [rules.actions.name(action) for action in actions]
            yield view, legal, choose(view, legal)
            state.apply(seat, rng.choice(actions))


def trick_view(game: str, hand: str, **fields: Any) -> dict[str, Any]:
    """A seat's view of a first round, every field as it is after the deal but for `fields`."""
    rules = GAMES[game]
    view = rules.deal(fields.pop("seats", 4), b"", {}).view(fields.get("seat", 0))
    return {**view, "hand": hand.split(), **fields}
