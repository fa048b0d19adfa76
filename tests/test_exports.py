"""What the packages offer by name, and nothing by accident."""

from __future__ import annotations

import importlib
import importlib.metadata
from pathlib import Path

import pytest

import arena
import protocol

PACKAGES = sorted(
    ".".join(init.parent.relative_to(root.parent).parts)
    for root in (Path(arena.__path__[0]), Path(protocol.__path__[0]))
    for init in root.rglob("__init__.py")
)

EXPORTS = {
    "arena.dataset": "Decisions read_decisions",
    "arena.games": """
        Actions BadDeal BadOption BadSeats BadView DecisionKind Drawing EVERY_PHASE GAMES Game
        GameError IllegalAction NoRecallArray Observation Options OutOfTurn Outcome Part Recall
        RecallLayout RefusedAction State Trials UnknownAction UnknownGame Until View ViewField
        ViewRecord WrongState
    """,
    "arena.games.nope": "NOPE Nope NopeState",
    "arena.games.nyet": "TRICK_GAMES TRICK_GAME_SMALL TrickGame",
    "arena.league.file.keys": "KEYS Key MAX_TITLE_CHARS SETS",
    "arena.league.plan.ladder": "OpenLadder",
    "arena.league.plan.round_robin": "Gauntlet RoundRobin",
    "arena.league.table.ratings": """
        BadAnchor Columns ENOUGH_SETS Edges Lack NARROW_ENOUGH Ratings Rating Scored Selection elos
        ratings seat_edges
    """,
    "arena.outputs.pages": "Pages",
    "arena.policy": "PolicyDecision as_bot",
    "arena.record": """
        BadRecord DoesNotFit FORMAT FaultEntry Move NoSuchMove Note Record RecordError VERSION
        dump from_json load to_json
    """,
    "protocol": "BotEnd Breached Misuse ProtocolError VERSION run",
}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_exports_what_is_listed_here(package: str) -> None:
    module = importlib.import_module(package)
    exported = getattr(module, "__all__", [])
    assert sorted(exported) == sorted(EXPORTS.get(package, "").split())
    for name in exported:
        assert getattr(module, name) is not None


def test_the_version_is_one() -> None:
    assert arena.__version__ == importlib.metadata.version("arena")
