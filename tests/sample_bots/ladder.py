"""The ladder's bots as functions, and the views they are shown in tests."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any, TypeAlias

from arena import data
from arena.bots.botfile import FILE_NAME, read_bot_file
from arena.games import GAMES

# A view, its legal actions, and what a bot chooses of them.
Choose: TypeAlias = Callable[[dict[str, Any], list[str]], str]


def games_of(bot: str) -> tuple[str, ...]:
    """The rule sets that a sample bot says it plays."""
    return read_bot_file(data.sample_bots() / bot / FILE_NAME).games


def load(bot: str, module: str = "bot") -> ModuleType:
    """A module of a sample bot, as a bot of that name imports it: with its neighbours."""
    folder = data.sample_bots() / bot
    mine = {path.stem for path in folder.rglob("*.py")}
    before = {name: sys.modules.pop(name) for name in mine if name in sys.modules}
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(module)
    finally:
        # Every bot calls its modules as it likes; none of them stays under its short name.
        sys.path.remove(str(folder))
        for name in mine:
            sys.modules.pop(name, None)
        sys.modules.update(before)


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
