"""The vectors that hold cards and views fit SPEC.md and the games, and show every phase."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from tests import game_vectors
from tests.sample_bots.views.shapes import shapes, view_of_game
from tests.vectors import FOLDER, Conversation, FollowingVector, TrickVector, load

REQUESTS = [
    step.message
    for vector in load(Conversation)
    for step in vector.steps
    if step.message is not None and step.message["type"] == "request"
]


@pytest.mark.parametrize("name", game_vectors.files())
def test_a_file_is_what_its_tables_and_matches_make(name: str) -> None:
    written = (FOLDER / f"{name}.json").read_text()
    assert written == game_vectors.files()[name], "run python -m tests.game_vectors --write"


@pytest.mark.parametrize("vector", [*load(FollowingVector), *load(TrickVector)])
def test_the_bytes_are_the_view(vector: FollowingVector | TrickVector) -> None:
    assert msgpack.unpackb(bytes.fromhex(vector.hex)) == vector.view


@pytest.mark.parametrize("request_", REQUESTS)
def test_every_request_in_a_conversation_has_a_whole_view(request_: dict[str, Any]) -> None:
    """An author's idea reads it, and the bot's own tests must stay green."""
    view = request_["view"]
    members = view_of_game(shapes())[view["game"]].members
    assert {member.name for member in members} <= {*view}
    if view["phase"] in ("lay", "play", "discard"):
        alone = {f"{card}!" for card in view["hand"]}
        assert {*request_["legal"]} <= {*view["hand"], *alone, "draw"}


def test_conversations_ask_in_every_phase_of_both_kinds_of_games() -> None:
    asked = {(request["view"]["game"], request["view"]["phase"]) for request in REQUESTS}
    expected = {("nyet", phase) for phase in ("tokens", "team", "discard", "play")}
    expected |= {("nope", phase) for phase in ("lay", "set", "choose")}
    assert asked == expected


def test_a_request_offers_an_action_card_alone() -> None:
    """Its text is that of no card, which an idea may forget."""
    assert any(action.endswith("!") for request in REQUESTS for action in request["legal"])
