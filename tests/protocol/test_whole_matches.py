"""Whole matches of every rule set through two pure ends for each seat, in memory."""

from __future__ import annotations

import random
from typing import Any

import msgpack
import pytest

from arena.games import GAMES
from protocol.limits import MAX_ACTION_CHARS, MAX_NUMBER, MAX_SERVER_DEPTH
from protocol.messages import Action, Bye, End, Start, Welcome
from protocol.order import ConnectionState
from tests.helpers import ConnectionPair

MAX_VIEW_BYTES = 4_096

TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.seats]


def depth(value: object) -> int:
    """How deep it nests; anything the wire does not carry is refused."""
    match value:
        case None | bool() | str():
            return 0
        case int():
            assert -MAX_NUMBER <= value <= MAX_NUMBER
            return 0
        case list():
            return 1 + max(map(depth, value), default=0)
        case dict():
            assert all(isinstance(key, str) for key in value)
            return 1 + max(map(depth, value.values()), default=0)
    raise AssertionError(f"{value!r} cannot cross the wire")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_whole_match_crosses_the_wire(name: str, seats: int) -> None:
    game = GAMES[name]
    rng = random.Random(f"{name} {seats}")
    state = game.deal(seats, rng.randbytes(32))
    pairs = [ConnectionPair(rng.choice((7, 65_536))) for _ in range(seats)]
    labels = [f"seat {seat}" for seat in range(seats)]
    for seat, pair in enumerate(pairs):
        pair.greet()
        pair.to_bot(pair.server.send(Start("m-1", name, {}, seats, labels, seat, {}, "")))
    while acting := state.to_act():
        # Those who choose at once are asked one after the other, and all of them first.
        chosen = [(seat, ask(pairs[seat], game, state, seat, rng)) for seat in acting]
        for seat, action in chosen:
            state.apply(seat, action)
    outcome = state.outcome()
    assert outcome is not None
    for seat, pair in enumerate(pairs):
        view = state.view(seat)
        end = End("m-1", outcome.scores, outcome.places, outcome.ending, (), (), view)
        (message,) = pair.to_bot(pair.server.send(end))
        assert message["scores"] == list(outcome.scores)
        assert message["view"] == msgpack.unpackb(msgpack.packb(view))
        assert len(msgpack.packb(view)) <= MAX_VIEW_BYTES
        assert depth(message["view"]) + 1 <= MAX_SERVER_DEPTH
        pair.to_bot(pair.server.send(Bye("done", "")))
        assert pair.server.state is pair.bot.state is ConnectionState.CLOSED


def ask(pair: ConnectionPair, game: Any, state: Any, seat: int, rng: random.Random) -> int:
    view = state.view(seat)
    legal = [game.actions.name(action) for action in state.legal(seat)]
    (request,) = pair.to_bot(pair.server.request("m-1", view, legal, 10_100_000, 0))
    assert request["view"] == msgpack.unpackb(msgpack.packb(view))
    assert request["legal"] == legal
    assert len(msgpack.packb(view)) <= MAX_VIEW_BYTES
    # The view stands inside the request.
    assert depth(request["view"]) + 1 <= MAX_SERVER_DEPTH
    assert all(0 < len(text) <= MAX_ACTION_CHARS and text.isprintable() for text in legal)
    choice = rng.choice(request["legal"])
    (answer,) = pair.to_server(pair.bot.action(choice))
    assert answer == Action("m-1", pair.server.last_id, choice)
    code: int = game.actions.code(choice)
    return code


def test_a_connection_serves_a_match_of_each_rule_set_in_turn() -> None:
    pair = ConnectionPair()
    (_,) = pair.to_server(pair.bot.hello("token"))
    pair.to_bot(pair.server.send(Welcome(1, "fox", (), {})))
    for number, name in enumerate(GAMES):
        match = f"m-{number}"
        pair.to_bot(pair.server.send(Start(match, name, {}, 2, (), 0, {}, "")))
        pair.ask(match=match)
        assert pair.answer().match == match
        pair.end(match)
    assert pair.server.last_id == len(GAMES)
