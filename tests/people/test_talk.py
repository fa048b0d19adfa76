"""The messages of a page to its table."""

from __future__ import annotations

import pytest

from arena.people.options import LONGEST_NAME
from arena.people.talk import (
    Choose,
    LeaveTable,
    NotUnderstood,
    OpenTable,
    TakeSeat,
    read,
    shown_name,
)


def test_a_page_opens_a_table_takes_its_seat_again_chooses_and_leaves() -> None:
    assert read('{"type":"open","game":"nope","bots":["fox"],"name":"Ada"}') == OpenTable(
        "nope", ("fox",), "Ada"
    )
    assert read('{"type":"rejoin","seat":"s"}') == TakeSeat("s")
    assert read('{"type":"action","match":"m","id":3,"action":"draw"}') == Choose("m", 3, "draw")
    assert read('{"type":"leave"}') == LeaveTable()


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        '{"type":"fly"}',
        '{"type":"leave","now":true}',
        '{"type":"open","game":"nope","bots":[]}',
        '{"type":"open","game":"nope","bots":["a","a","a","a","a","a","a","a","a"]}',
        '{"type":"action","match":"m","id":"3","action":"draw"}',
        "[" * 3_000,
        '{"type":"rejoin","seat":"' + "s" * 101 + '"}',
    ],
)
def test_what_is_no_message_is_answered_in_words(line: str) -> None:
    with pytest.raises(NotUnderstood, match=r".+"):
        read(line)


def test_bytes_that_are_no_text_are_no_message() -> None:
    with pytest.raises(NotUnderstood):
        read(b'{"type":"leave\xff"}')


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada \n Lovelace ", "Ada Lovelace"),
        ("", "visitor"),
        ("\x1b[2J\u202e", "[2J"),
        ("x" * 100, "x" * LONGEST_NAME),
    ],
)
def test_a_name_is_filtered_as_texts_of_bots_are_and_cut(name: str, shown: str) -> None:
    assert shown_name(name) == shown
