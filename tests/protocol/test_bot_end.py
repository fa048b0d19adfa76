from __future__ import annotations

import random
from contextlib import suppress

import pytest

from protocol.bot_end import BotEnd
from protocol.errors import Breached, Misuse
from protocol.order import ConnectionState
from tests.helpers import ConnectionPair, framed, packed, pair_in
from tests.strategies import mutated
from tests.vectors import MessageVector, load


def test_an_action_while_nothing_is_asked_is_our_own_mistake() -> None:
    with pytest.raises(Misuse, match=r"an action while nothing is asked \(playing; SPEC 5.1\)"):
        pair_in("playing").bot.action("G2")


def test_a_second_hello_is_our_own_mistake() -> None:
    with pytest.raises(Misuse, match=r"a hello while the connection is playing \(SPEC 5.1\)"):
        pair_in("playing").bot.hello("token")


def test_a_note_too_long_for_a_frame_is_our_own_mistake() -> None:
    with pytest.raises(Misuse, match="at most 4096 may be sent"):
        pair_in("asked").bot.action("G2", "x" * 5000)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xff\xff\xff\xff", "frame-too-long"),
        (framed(b"\xc1"), "malformed, .*a body that cannot be read"),
        (framed(b"\x81\xa1\xff\x01"), "malformed, .*a body that cannot be read"),
        (framed(b"\x91" * 5000), "malformed, .*a body that cannot be read"),
        (framed(b"\x81"), "malformed, .*a body that cannot be read"),
        (packed([1]), "not-a-map, .*bug in the server, not in your bot"),
        (packed({"type": "welcome"}), "a welcome while the connection is playing"),
        (packed({"type": "request"}), "a request while the connection is idle"),
        (packed({"type": "request", "id": 1}), "missing-field, .*expected match, id and legal"),
    ],
)
def test_a_server_that_breaks_the_protocol_is_told_from_a_bot_that_does(
    data: bytes, words: str
) -> None:
    bot = pair_in("idle" if "idle" in words else "playing").bot
    with pytest.raises(Breached, match=words) as caught:
        bot.receive(data)
    assert caught.value.breach.text == str(caught.value)


def test_messages_and_fields_it_does_not_know_are_passed_over() -> None:
    """[4-3]"""
    bot = pair_in("playing").bot
    for message in (
        {"type": "weather"},
        {"type": 7},
        {"type": ["end"]},
        {},
        {"type": "fault", "new": [1]},
    ):
        assert bot.receive(packed(message)) == message
        assert bot.state is ConnectionState.PLAYING


@pytest.mark.parametrize("state", ["opened", "idle", "playing", "asked"])
def test_mutated_frames_give_a_message_or_our_error(state: str) -> None:
    rng = random.Random(state)
    frames = [framed(bytes.fromhex(v.hex)) for v in load(MessageVector) if v.sender == "server"]
    for _ in range(500):
        pair = pair_in(state)
        with suppress(Breached):
            for _ in range(8):
                for message in pair.to_bot(mutated(rng.choice(frames), rng)):
                    assert isinstance(message, dict)
                    if pair.bot.asked is not None:
                        pair.bot.action("G2")


@pytest.mark.parametrize("piece", [1, 65_536])
def test_every_truncation_of_a_good_frame_gives_nothing_yet(piece: int) -> None:
    for vector in load(MessageVector):
        frame = framed(bytes.fromhex(vector.hex))
        for end in range(len(frame)):
            pair = ConnectionPair(piece)
            take = pair.to_bot if vector.sender == "server" else pair.to_server
            assert take(frame[:end]) == []


def test_a_ruling_settles_the_open_request_and_another_fault_does_not() -> None:
    bot = pair_in("asked").bot
    bot.receive(packed({"type": "fault", "id": None}))
    assert bot.asked is not None
    bot.receive(packed({"type": "fault", "id": 3}))
    assert bot.asked is None
    assert bot.state is ConnectionState.PLAYING


def test_the_repr_tells_the_state() -> None:
    assert repr(BotEnd()) == "<BotEnd opened>"
