from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.breach import Breach
from protocol.errors import Misuse
from protocol.frames import FrameReader, frame
from protocol.limits import MAX_BOT_BODY_BYTES
from tests import strategies
from tests.helpers import framed


def bodies_in(pieces: list[bytes]) -> list[bytes]:
    reader = FrameReader(MAX_BOT_BODY_BYTES)
    bodies = []
    for piece in pieces:
        got = reader.read(piece)
        while got is not None:
            assert isinstance(got, bytes)
            bodies.append(got)
            got = reader.read()
    assert reader.is_between_frames
    return bodies


@given(st.data(), st.lists(st.binary(max_size=30), max_size=5))
def test_any_split_of_the_bytes_gives_the_same_bodies(
    data: st.DataObject, bodies: list[bytes]
) -> None:
    stream = b"".join(framed(body) for body in bodies)
    assert bodies_in(data.draw(strategies.cuts(stream))) == bodies


def test_a_body_over_the_limit_is_our_own_mistake_when_we_send_it() -> None:
    assert frame(b"abc", 3) == b"\0\0\0\3abc"
    with pytest.raises(Misuse, match=r"a body of 4 bytes; at most 3 may be sent \(SPEC 8\)"):
        frame(b"abcd", 3)


def test_a_length_over_the_limit_is_final_and_nothing_is_kept() -> None:
    reader = FrameReader(8)
    breach = reader.read(b"\0\0\0\x09" + b"x" * 100)
    assert isinstance(breach, Breach)
    assert breach.code == "frame-too-long"
    assert reader.read(framed(b"good")) is breach
    assert reader.read() is breach
    assert reader.is_between_frames


def in_pieces(data: bytes) -> bytes | Breach | None:
    """What a reader with a limit of 8 has to say first, given one byte at a time."""
    reader = FrameReader(8)
    read = (reader.read(bytes([byte])) for byte in data)
    return next((each for each in read if each is not None), None)


def test_a_frame_at_the_limit_is_read_and_one_over_it_is_not() -> None:
    """Whether it comes whole or in pieces."""
    for body in (b"", b"x" * 8):
        assert FrameReader(8).read(framed(body)) == in_pieces(framed(body)) == body
    over = framed(b"x" * 9)
    breach = FrameReader(8).read(over)
    assert isinstance(breach, Breach)
    assert breach.code == "frame-too-long"
    assert in_pieces(over) == breach


def test_nothing_is_said_of_a_header_before_all_of_it_is_there() -> None:
    breach = FrameReader(8).read(b"\xff" * 4)
    assert isinstance(breach, Breach)
    assert (in_pieces(b"\xff" * 3), in_pieces(b"\xff" * 4)) == (None, breach)


@pytest.mark.parametrize(
    ("header", "is_text"),
    [(b"GET ", True), (b"a~~c", True), (b"ab\x7fc", False), (b"a\x1fbc", False)],
)
def test_a_header_is_shown_as_text_where_it_is_printable(header: bytes, is_text: bool) -> None:
    breach = FrameReader(8).read(header)
    assert isinstance(breach, Breach)
    assert ("as text" in breach.came) == is_text


def test_the_breach_of_a_stray_print_shows_the_text() -> None:
    breach = FrameReader(8).read(b"Traceback")
    assert isinstance(breach, Breach)
    assert breach.came == (
        "a header of 54 72 61 63, a length of 1416782179 "
        '(as text: "Trac"; did something print to the socket?)'
    )


def test_a_body_that_is_a_little_too_long_is_to_be_shortened() -> None:
    breach = FrameReader(4096).read((5_071).to_bytes(4, "big"))
    assert isinstance(breach, Breach)
    assert breach.advice == (
        "If that is its length, the message is 975 bytes too long: shorten it."
    )


@pytest.mark.parametrize(("length", "may_be_meant"), [(1_048_576, True), (1_048_577, False)])
def test_what_is_longer_than_a_mebibyte_is_no_message_to_be_shortened(
    length: int, may_be_meant: bool
) -> None:
    breach = FrameReader(4096).read(length.to_bytes(4, "big"))
    assert isinstance(breach, Breach)
    assert ("shorten it" in breach.advice) == may_be_meant


def test_an_unfinished_frame_says_how_far_it_came() -> None:
    reader = FrameReader(8)
    assert reader.read(b"\0\0") is None
    assert reader.unfinished().came == "2 of a header's 4 bytes, and no more"
    assert reader.read(b"\0\5") is None
    assert reader.unfinished().came == "0 of the 5 bytes your header announces, and no more"
    assert reader.read(b"ab") is None
    breach = reader.unfinished()
    assert breach.came == "2 of the 5 bytes your header announces, and no more"
    assert breach.advice == "Send header and body in one call, and all of it."


def test_a_header_that_counts_itself_is_recognised() -> None:
    reader = FrameReader(8)
    assert reader.read(b"\0\0\0\7abc") is None
    assert reader.unfinished().advice == (
        "Let the header count the body only, without its own four bytes."
    )
