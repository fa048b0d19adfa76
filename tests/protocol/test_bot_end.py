from __future__ import annotations

import pytest

from protocol.bot_end import BotEnd
from protocol.errors import Breached, Misuse
from protocol.order import State
from tests.helpers import framed, packed, pair_in


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
    for message in ({"type": "weather"}, {"type": 7}, {}, {"type": "fault", "new": [1]}):
        assert bot.receive(packed(message)) == message
        assert bot.state is State.PLAYING


def test_a_ruling_settles_the_open_request_and_another_fault_does_not() -> None:
    bot = pair_in("asked").bot
    bot.receive(packed({"type": "fault", "id": None}))
    assert bot.asked is not None
    bot.receive(packed({"type": "fault", "id": 3}))
    assert bot.asked is None
    assert bot.state is State.PLAYING


def test_the_repr_tells_the_state() -> None:
    assert repr(BotEnd()) == "<BotEnd opened>"
