from __future__ import annotations

import pytest

from protocol.breach import Breach
from protocol.codes import FAREWELLS
from protocol.farewells import farewell, refusal
from protocol.frames import FrameReader
from protocol.messages import Bye, Hello
from protocol.version import SPOKEN, VERSION
from tests.vectors import Conversation, load


def test_a_good_hello_is_not_refused() -> None:
    assert VERSION in SPOKEN
    assert refusal(Hello(VERSION, "token")) is None


def test_a_hello_of_another_protocol_is_refused() -> None:
    assert refusal(Hello(2, "token")) == Bye(
        "bad-version",
        "This server does not speak the protocol you asked for. "
        "You said protocol 2, it speaks 1 (SPEC 9).",
    )


def test_a_frame_too_long_instead_of_hello_is_refused_as_that() -> None:
    breach = FrameReader(8).read(b"\0\0\xff\xff")
    assert isinstance(breach, Breach)
    bye = refusal(breach)
    assert bye is not None
    assert bye.reason == "frame-too-long"


@pytest.mark.parametrize("reason", FAREWELLS)
def test_every_farewell_is_worded_as_in_some_vector(reason: str) -> None:
    texts = [
        step.message["text"]
        for each in load(Conversation)
        for step in each.steps
        if step.message is not None
        and step.message["type"] == "bye"
        and step.message["reason"] == reason
    ]
    assert texts
    assert all(text.startswith(farewell(reason).text) for text in texts)
