from __future__ import annotations

import random
import tracemalloc
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.breach import Breach
from protocol.decode import decode_from_bot, decode_strictly
from protocol.fields import fields_of
from protocol.frames import FrameReader
from protocol.limits import MAX_BOT_BODY_BYTES, MAX_NUMBER, MAX_OFFER_CHARS, MAX_OFFERS
from protocol.messages import FROM_BOT, Action, Hello
from tests import strategies
from tests.helpers import framed, pair_in
from tests.vectors import MessageVector, Violation, load

VALID = [bytes.fromhex(v.hex) for v in load(MessageVector) if v.sender == "bot"]


def message_or_breach(body: bytes) -> Hello | Action | Breach:
    """Both readers agree, and give a message or a breach."""
    quick, strict = decode_from_bot(body), decode_strictly(body)
    assert quick == strict
    assert type(quick) in (Hello, Action, Breach)
    if isinstance(quick, Breach):
        assert quick.text.isascii()
        assert len(quick.text) < 600
    return quick


@given(strategies.actions)
def test_every_good_action_is_read_as_it_is(action: dict[str, Any]) -> None:
    body = msgpack.packb(action)
    assert message_or_breach(body) == Action(
        action["match"], action["id"], action["action"], action.get("note", "")
    )


@given(st.binary(max_size=200))
def test_any_bytes_give_a_message_or_a_breach(body: bytes) -> None:
    message_or_breach(body)


@given(strategies.anything)
def test_anything_msgpack_can_say_gives_a_message_or_a_breach(value: object) -> None:
    message_or_breach(msgpack.packb(value))


@given(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["hello", "action"])},
        optional=dict.fromkeys(
            ("match", "id", "action", "note", "protocol", "token", "offers", "x"),
            strategies.anything,
        ),
    )
)
def test_any_fields_at_all_give_a_message_or_a_breach(message: dict[str, Any]) -> None:
    message_or_breach(msgpack.packb(message))


def test_a_hundred_thousand_mutated_frames_give_a_message_or_a_breach() -> None:
    rng = random.Random(20)
    seen: dict[str, int] = {}
    for turn in range(100_000):
        body: bytes | Breach | None
        if turn % 2:
            body = strategies.mutated(VALID[turn % len(VALID)], rng)
        else:
            frame = strategies.mutated(framed(VALID[turn % len(VALID)]), rng)
            body = FrameReader(MAX_BOT_BODY_BYTES).read(frame)
        got = decode_from_bot(body) if isinstance(body, bytes) else body
        assert got is None or type(got) in (Hello, Action, Breach)
        name = got.code if isinstance(got, Breach) else type(got).__name__
        seen[name] = seen.get(name, 0) + 1
    # The mutations reach far enough to be worth running.
    assert seen.keys() >= {"Action", "Hello", "malformed", "bad-utf8", "duplicate-key", "ext"}


@pytest.mark.parametrize("body", VALID)
def test_every_truncation_of_a_good_body_is_cut_short(body: bytes) -> None:
    for end in range(len(body)):
        got = message_or_breach(body[:end])
        assert isinstance(got, Breach)
        assert got.code == "cut-short"


@pytest.mark.parametrize("body", VALID)
def test_every_good_body_with_a_byte_more_has_trailing_bytes(body: bytes) -> None:
    got = message_or_breach(body + b"\x00")
    assert isinstance(got, Breach)
    assert got.code == "trailing-bytes"


def test_the_readers_agree_on_every_vector() -> None:
    for vector in load(Violation):
        message_or_breach(bytes.fromhex(vector.hex))


@pytest.mark.parametrize(
    "body",
    [
        b"\x81\xa1a\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\x81\xa1a\xdb\xff\xff\xff\xff",
        b"\x81\xa1a" + b"\x93" * (MAX_BOT_BODY_BYTES - 3),
        b"\x81\xa1a\xdc\x0f\xf9" + b"\x01" * (MAX_BOT_BODY_BYTES - 6),
        msgpack.packb({"type": "action", "x" * 4000: "y"}),
        msgpack.packb({"type": "action", "match": "m", "id": 1, "action": "\u202e" * 1300}),
    ],
)
def test_no_body_makes_us_allocate_more_than_a_few_times_the_limit(body: bytes) -> None:
    decode_from_bot(body)  # what is loaded once is no cost of the message
    tracemalloc.start()
    try:
        decode_from_bot(body)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # A character may take four bytes in memory; the words of the breach come on top.
    assert peak < 8 * MAX_BOT_BODY_BYTES


def test_a_hostile_text_is_quoted_in_ascii_and_cut() -> None:
    got = message_or_breach(msgpack.packb({"type": "\x1b[31m" + "é" * 100}))
    assert isinstance(got, Breach)
    assert got.came == 'type is "\\x1b[31m' + "\\xe9" * 55 + '" ... (105 characters)'


def test_unprintable_text_that_is_no_danger_is_taken() -> None:
    """A no-break space, a soft hyphen and an unassigned character are only unusual."""
    note = "a\u00a0b\u00ad\U0003fffd"
    got = message_or_breach(
        msgpack.packb({"type": "action", "match": "m", "id": 1, "action": "x", "note": note})
    )
    assert got == Action("m", 1, "x", note)


@pytest.mark.parametrize("name", ["match", "action", "note"])
def test_text_that_could_pass_for_another_is_refused_in_any_field(name: str) -> None:
    good = {"type": "action", "match": "m", "id": 1, "action": "x", "note": "n"}
    for text in ("a\u202eb", "a\x1bb", "a\nb"):
        got = message_or_breach(msgpack.packb(good | {name: text}))
        assert isinstance(got, Breach)
        assert got.code == "bad-text"
        assert got.came.startswith(f"{name} of `action` is ")


GOOD = {
    "hello": {"type": "hello", "protocol": 1, "token": "t"},
    "action": {"type": "action", "match": "m", "id": 1, "action": "x"},
}
TEXTS = [
    (name, field.name, field.most)
    for name, message in FROM_BOT.items()
    for field in fields_of(message)
    if field.type == "text"
]


@pytest.mark.parametrize(("name", "field", "most"), TEXTS)
def test_a_text_of_exactly_the_limit_is_read_and_one_character_more_is_too_long(
    name: str, field: str, most: int
) -> None:
    """Characters are counted, not bytes (SPEC 4)."""
    for text in ("x" * most, "\u00fc" * most):
        got = message_or_breach(msgpack.packb(GOOD[name] | {field: text}))
        assert not isinstance(got, Breach)
        assert getattr(got, field) == text
        got = message_or_breach(msgpack.packb(GOOD[name] | {field: text + text[0]}))
        assert isinstance(got, Breach)
        assert (got.code, got.expected) == ("too-long", f"at most {most}")
        assert got.came == f"{field} of `{name}` has {most + 1} characters"


def test_a_list_of_exactly_the_limit_is_read_and_one_entry_more_is_too_long() -> None:
    offers = ["x" * MAX_OFFER_CHARS] * MAX_OFFERS
    assert isinstance(message_or_breach(msgpack.packb(GOOD["hello"] | {"offers": offers})), Hello)
    got = message_or_breach(msgpack.packb(GOOD["hello"] | {"offers": [*offers, "x"]}))
    assert isinstance(got, Breach)
    assert got.code == "too-long"
    assert f"{MAX_OFFERS + 1} entries" in got.came
    got = message_or_breach(msgpack.packb(GOOD["hello"] | {"offers": [offers[0] + "x"]}))
    assert isinstance(got, Breach)
    assert f"{MAX_OFFER_CHARS + 1} characters" in got.came


def test_a_number_of_exactly_the_limit_is_read_and_one_more_is_out_of_range() -> None:
    for number in (0, MAX_NUMBER):
        got = message_or_breach(msgpack.packb(GOOD["action"] | {"id": number}))
        assert got == Action("m", number, "x", "")
    for number in (-1, MAX_NUMBER + 1):
        got = message_or_breach(msgpack.packb(GOOD["action"] | {"id": number}))
        assert isinstance(got, Breach)
        assert (got.code, got.came) == ("out-of-range", f"id of `action` is {number}")


@pytest.mark.parametrize("state", ["opened", "idle", "playing", "asked"])
def test_mutated_frames_never_break_the_servers_end(state: str) -> None:
    rng = random.Random(state)
    frames = [framed(body) for body in VALID]
    seen = 0
    for _ in range(300):
        pair = pair_in(state)
        stream = b"".join(strategies.mutated(rng.choice(frames), rng) for _ in range(8))
        pair.piece = rng.randrange(1, 60)
        for start in range(0, len(stream), pair.piece):
            what = pair.server.receive(stream[start : start + pair.piece])
            while what is not None:
                seen += 1
                if isinstance(what, Breach) and what.kind == "gone":
                    break
                what = pair.server.receive()
        assert pair.server.closed().kind == "gone"
    # Not all of it was swallowed by headers that announce too much.
    assert seen > 300


def test_a_type_that_is_nearly_right_is_told_which_may_be_meant() -> None:
    def advice(name: str) -> str:
        breach = message_or_breach(msgpack.packb({"type": name}))
        assert isinstance(breach, Breach)
        assert breach.code == "unknown-type"
        return breach.advice

    assert advice("actoin") == "Did you mean action?"
    assert advice("helo") == "Did you mean hello?"
    assert advice("x") == advice("") == advice("action" * 600) == "Set `type` to hello or action."
