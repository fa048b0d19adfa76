from __future__ import annotations

import msgspec
import pytest

from protocol.breach import Breach
from protocol.breaches import out_of_time
from protocol.faults import fault_message, is_further_miss
from protocol.messages import Fault
from tests.vectors import Conversation, MessageVector, load

SHOWN = [
    message
    for message in (
        *(step.message for each in load(Conversation) for step in each.steps),
        *(vector.message for vector in load(MessageVector)),
    )
    if message is not None and message["type"] == "fault"
]


@pytest.mark.parametrize("message", SHOWN, ids=[f"{m['code']} {m['faults']}" for m in SHOWN])
def test_faults_are_worded_as_the_vectors_say(message: dict[str, object]) -> None:
    fault = msgspec.convert(message, Fault)
    assert fault == fault_message(
        Breach(fault.code, fault.came, fault.expected),
        match=fault.match,
        id_=fault.id,
        played=fault.played,
        faults=fault.faults,
        forfeit=fault.forfeit,
        faults_to_forfeit=3,
    )


def test_a_league_may_forfeit_later_and_the_text_says_so() -> None:
    breach = Breach("closed", "a", "b")
    fault = fault_message(
        breach, match="m", id_=None, played=None, faults=7, forfeit=False, faults_to_forfeit=9
    )
    assert fault.text.endswith(" Fault 7 in this match; fault 9 forfeits it.")


def test_another_miss_of_the_same_late_is_said_to_be_no_further_fault() -> None:
    """SPEC 6.4."""
    fault = fault_message(
        out_of_time(5_000, 4_000),
        match="m",
        id_=8,
        played="R1",
        faults=1,
        forfeit=False,
        faults_to_forfeit=3,
        again=True,
    )
    assert fault.text == (
        "late (out-of-time, SPEC 6.2), request 8: no answer in 5 ms; expected one within 4 ms. "
        "Look at `time_us` and answer sooner, with a worse action if need be. You have answered "
        "nothing since you were late: this belongs to the same `late` and is no further fault. "
        "We played R1 for you."
    )
    assert is_further_miss(fault.text)
    assert not is_further_miss(fault.text.replace("further", "more"))


def test_a_fault_before_the_first_request_names_none() -> None:
    fault = fault_message(
        Breach("closed", "a", "b"),
        match="m",
        id_=0,
        played="R1",
        faults=1,
        forfeit=True,
        faults_to_forfeit=3,
    )
    assert fault.id is None
    assert "request" not in fault.text


def test_long_words_are_cut() -> None:
    breach = Breach("closed", "a" * 1000, "b" * 1000)
    fault = fault_message(
        breach, match="m", id_=1, played=None, faults=1, forfeit=False, faults_to_forfeit=3
    )
    assert len(fault.came) == len(fault.expected) == 500
    assert len(fault.text) < 1500
