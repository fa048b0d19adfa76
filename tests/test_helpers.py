from __future__ import annotations

import pytest

from protocol.breach import Breach
from protocol.breaches import out_of_time
from protocol.messages import Action
from tests.helpers import ConnectionPair, fault_of, framed, packed, pair_in


def test_a_frame_is_its_length_and_its_body() -> None:
    assert framed(b"abc") == b"\0\0\0\3abc"
    assert packed(None) == b"\0\0\0\1\xc0"


@pytest.mark.parametrize("piece", [1, 3, 65_536])
def test_a_pair_plays_however_small_the_pieces_are(piece: int) -> None:
    pair = ConnectionPair(piece)
    pair.greet()
    pair.start()
    pair.ask()
    assert pair.answer("G9", "why not") == Action("m-1", 1, "G9", "why not")
    pair.end()
    assert pair.server.state is pair.bot.state


@pytest.mark.parametrize("state", ["opened", "idle", "playing", "asked"])
def test_a_pair_can_be_had_in_each_state_of_the_vectors(state: str) -> None:
    pair = pair_in(state)
    assert pair.server.state is pair.bot.state
    assert pair.server.last_id == (0 if state == "opened" else 3)


def test_a_pair_shows_what_the_server_made_of_two_frames_at_once() -> None:
    first, second = pair_in("asked").to_server(
        packed({"type": "action", "match": "m-1", "id": 3, "action": "G9"}) + packed(7)
    )
    assert isinstance(first, Action)
    assert isinstance(second, Breach)


def test_a_fault_is_that_of_its_breach() -> None:
    fault = fault_of(out_of_time(2, 1))
    assert (fault.kind, fault.faults) == ("late", 1)
    assert fault_of(out_of_time(2, 1), again=True).text != fault.text
