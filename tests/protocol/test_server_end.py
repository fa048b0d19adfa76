"""What the conversations in the vectors do not show."""

from __future__ import annotations

import pytest

from protocol.breach import Breach
from protocol.breaches import out_of_time
from protocol.errors import Misuse
from protocol.limits import LIMITS, LIMITS_BY_NAME
from protocol.messages import Bye, End, Fault, Start, Welcome
from protocol.order import ConnectionState
from protocol.server_end import ServerEnd, Stale
from tests.helpers import ConnectionPair, framed, packed, pair_in


def test_a_request_before_a_match_is_our_own_mistake() -> None:
    pair = pair_in("idle")
    with pytest.raises(
        Misuse,
        match=(
            r"a request while the connection is idle in match 'm-1'; the server may send: "
            r"start, fault, bye \(SPEC 5.1\). This is a bug in arena."
        ),
    ):
        pair.server.request("m-1", {}, ("a",), 1, 0)


def test_a_request_of_another_match_is_our_own_mistake() -> None:
    with pytest.raises(Misuse, match="a request while the connection is playing in match 'm-1'"):
        pair_in("playing").server.request("m-2", {}, ("a",), 1, 0)


def test_a_second_request_while_one_is_open_is_our_own_mistake() -> None:
    with pytest.raises(Misuse, match="a request while the connection is asked"):
        pair_in("asked").server.request("m-1", {}, ("a",), 1, 0)


def test_a_start_within_a_match_is_our_own_mistake() -> None:
    with pytest.raises(Misuse, match="a start while the connection is playing"):
        pair_in("playing").server.send(Start("m-2", "toy", {}, 2, (), 0, {}, ""))


def test_nothing_may_be_sent_after_bye() -> None:
    server = ServerEnd()
    server.send(Bye("stopping", ""))
    with pytest.raises(Misuse, match=r"a welcome while the connection is closed .*send: nothing"):
        server.send(Welcome(1, "fox", (), {}))


def test_a_request_that_is_too_long_leaves_the_end_as_it_was() -> None:
    pair = pair_in("playing")
    with pytest.raises(Misuse, match="This is a bug in arena"):
        pair.server.request("m-1", {"a": "x" * 20_000}, ("a",), 1, 0)
    assert (pair.server.state, pair.server.asked, pair.server.last_id) == (
        ConnectionState.PLAYING,
        0,
        3,
    )


def test_a_connection_that_ends_is_closed_and_nothing_is_open() -> None:
    pair = pair_in("asked")
    breach = pair.server.closed()
    assert breach.code == "closed"
    assert (pair.server.state, pair.server.asked) == (ConnectionState.CLOSED, 0)


def test_a_connection_that_ends_within_a_frame_says_so() -> None:
    pair = pair_in("asked")
    assert pair.to_server(packed({})[:3]) == []
    assert not pair.server.is_between_frames
    assert pair.server.closed().code == "frame-unfinished"


def test_an_end_while_asked_settles_the_request() -> None:
    pair = pair_in("asked")
    pair.to_bot(pair.server.send(End("m-1", (), (), "void", (), ())))
    assert pair.server.asked == 0
    assert pair.bot.asked is None


def test_answers_to_settled_requests_are_stale_until_they_outnumber_the_requests() -> None:
    pair = ConnectionPair()
    pair.greet()
    pair.start()
    for _ in range(3):
        pair.ask()
        pair.answer()
    again = packed({"type": "action", "match": "m-1", "id": 2, "action": "G2"})
    seen = pair.to_server(again * 4)
    assert [isinstance(what, Breach) for what in seen] == [False, False, False, True]
    assert pair.server.second_answers == 4


def stale(pair: ConnectionPair, id_: int) -> None:
    """An answer with the id of a request that is settled."""
    frame = packed({"type": "action", "match": "m-1", "id": id_, "action": "G2"})
    (what,) = pair.to_server(frame)
    assert isinstance(what, Stale)


def test_who_answered_another_request_again_is_told_so_when_time_is_up() -> None:
    pair = pair_in("asked")
    stale(pair, 1)
    assert pair.server.out_of_time(10_103_532, 10_100_000).text == (
        "late (out-of-time, SPEC 6.2): no answer to request 3 in 10.1 s; an answer with id 1 came,"
        " and request 1 is settled; expected one with id 3 within 10.1 s. Copy `id` from the"
        " request you answer."
    )


def test_who_answers_what_was_ruled_late_is_only_slow() -> None:
    pair = pair_in("asked")
    late = Fault("m-1", 3, "late", "out-of-time", "", "", "G9", 1, False, "")
    pair.to_bot(pair.server.send(late))
    pair.ask()
    stale(pair, 3)
    breach = pair.server.out_of_time(5_000, 4_000)
    assert breach.came.endswith("; an answer with id 3 came, and request 3 is settled")
    assert breach.advice.startswith("Look at `time_us` and answer sooner")
    stale(pair, 3)
    breach = pair.server.out_of_time(5_000, 4_000)
    assert breach.advice == "Copy `id` from the request you answer."


def test_who_answered_nothing_is_told_so_when_time_is_up() -> None:
    assert pair_in("asked").server.out_of_time(5_000, 4_000) == out_of_time(5_000, 4_000)


def test_what_came_to_an_earlier_request_is_not_told_of_a_later_one() -> None:
    pair = pair_in("asked")
    stale(pair, 1)
    pair.answer()
    pair.ask()
    assert pair.server.out_of_time(5_000, 4_000) == out_of_time(5_000, 4_000)


def test_the_repr_tells_the_state() -> None:
    assert repr(pair_in("asked").server) == "<ServerEnd asked #3, 3 requests made>"
    assert repr(pair_in("playing").server) == "<ServerEnd playing, 3 requests made>"


def test_a_fault_that_settles_nothing_leaves_the_request_open() -> None:
    pair = pair_in("asked")
    note = Fault("m-1", None, "out-of-turn", "second-hello", "", "", None, 1, False, "")
    pair.to_bot(pair.server.send(note))
    assert (pair.server.state, pair.server.asked) == (ConnectionState.ASKED, 3)
    pair.answer()


def test_a_ruling_settles_the_open_request_and_the_answer_is_stale() -> None:
    pair = pair_in("asked")
    pair.server.send(Fault("m-1", 3, "late", "out-of-time", "", "", "G9", 1, False, ""))
    assert (pair.server.state, pair.server.asked) == (ConnectionState.PLAYING, 0)
    (what,) = pair.to_server(pair.bot.action("G2"))
    assert isinstance(what, Stale)
    assert pair.server.second_answers == 0, "it is the first answer to that request"


def test_the_id_0_answers_nothing_although_no_request_is_open() -> None:
    pair = pair_in("asked")
    pair.server.send(Fault("m-1", 3, "late", "out-of-time", "", "", "G9", 1, False, ""))
    frame = packed({"type": "action", "match": "m-1", "id": 0, "action": "G2"})
    (got,) = pair.to_server(frame)
    assert isinstance(got, Breach)
    assert got.code == "nothing-asked"


def test_the_body_of_what_was_received_is_kept_as_evidence() -> None:
    pair = pair_in("asked")
    pair.to_server(framed(b"\xc1"))
    assert pair.server.body == b"\xc1"


def test_the_limits_fit_into_welcome() -> None:
    welcome = Welcome(1, "fox", (), LIMITS_BY_NAME)
    pair = ConnectionPair()
    pair.to_server(pair.bot.hello("token"))
    (message,) = pair.to_bot(pair.server.send(welcome))
    assert message["limits"] == {name: most for name, most, _ in LIMITS}


def test_an_end_that_is_handed_over_between_two_matches_goes_on_where_it_was() -> None:
    """Its ids go up, its stale answers are counted, and half a frame is not lost."""
    pair = pair_in("asked")
    pair.server.send(End("m-1", (1, 0), (1, 2), "played-out", (), ()))
    frame = packed({"type": "action", "match": "m-1", "id": pair.server.last_id, "action": "a"})
    assert pair.server.receive(frame[:5]) is None
    known = pair.server.between_matches()
    other = ServerEnd.going_on(known)
    assert other.between_matches() == known
    assert (other.state, other.asked, other.last_id) == (ConnectionState.IDLE, 0, known.last_id)
    assert isinstance(other.receive(frame[5:]), Stale)
    after = other.between_matches()
    assert (after.held, after.stale) == (b"", known.stale + 1)
    assert len(after.unanswered) == len(known.unanswered) - 1
    other.send(Start("m-2", "toy", {}, 2, (), 0, {}, ""))
    other.request("m-2", {}, ("a",), 1, 0)
    assert other.asked == known.last_id + 1


def test_an_end_in_a_match_is_not_handed_over() -> None:
    with pytest.raises(Misuse, match="a handing over while the connection is playing"):
        pair_in("playing").server.between_matches()
