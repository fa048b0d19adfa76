"""Other forms of a message are the same message, within the limits."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from arena.check import forms
from arena.check.decisions import Table, short
from protocol import limits

REQUEST: dict[str, Any] = {
    "type": "request",
    "match": "m-1",
    "id": 300,
    "view": {"hand": ["R1"], "seat": 0, "places": None, "score": -7, "yes": True},
    "legal": ["R1"],
}


def test_long_forms_say_the_same_in_more_bytes() -> None:
    body = forms.in_long_forms(REQUEST)
    assert msgpack.unpackb(body) == REQUEST
    assert len(body) > 2 * len(forms.pack(REQUEST))


def test_the_longest_body_is_as_long_as_it_may_be() -> None:
    body = forms.pack(forms.as_long_as_allowed(REQUEST))
    assert len(body) == limits.MAX_SERVER_BODY_BYTES


def test_the_deepest_body_is_as_deep_as_it_may_be() -> None:
    def depth(value: object) -> int:
        match value:
            case dict():
                return 1 + max(map(depth, value.values()), default=0)
            case list():
                return 1 + max(map(depth, value), default=0)
            case _:
                return 0

    assert depth(forms.as_deep_as_allowed(REQUEST)) == limits.MAX_SERVER_DEPTH


@pytest.mark.parametrize(
    "form",
    [
        forms.with_unknown_fields,
        forms.with_unknown_view,
        forms.as_long_as_allowed,
        forms.as_deep_as_allowed,
    ],
)
def test_a_form_changes_nothing_that_is_known(form: forms.Form) -> None:
    other = form(REQUEST)
    assert {name: other[name] for name in REQUEST if name != "view"} == {
        name: REQUEST[name] for name in REQUEST if name != "view"
    }
    assert REQUEST["view"].items() <= other["view"].items()


def test_the_largest_requests_fit_also_in_long_forms() -> None:
    decision = Table(short("nope")).next()
    assert decision is not None
    request = REQUEST | {"view": decision.view, "legal": decision.legal}
    assert len(forms.in_long_forms(request)) < limits.MAX_SERVER_BODY_BYTES


EVERYTHING = {
    "text": "J\u00fcrgen \u2660 \U0001f0cf",
    "number": 2**53 - 1,
    "less": 1 - 2**53,
    "yes": True,
    "nothing": None,
    "list": [1, [2, {"three": 3}], []],
    "map": {},
}


def test_unknown_fields_come_before_between_and_after_the_known_ones() -> None:
    form = forms.with_unknown_fields({"type": "end", "match": "m", "seat": 1})
    assert [*form.items()] == [
        ("of_a_later_version", EVERYTHING),
        ("type", "end"),
        ("note", "hi"),
        ("match", "m"),
        ("seat", 1),
        ("zz", None),
    ]


def test_unknown_views_options_and_limits_lie_where_the_known_ones_do() -> None:
    assert forms.with_unknown_view(REQUEST) == forms.with_unknown_fields(
        REQUEST | {"view": forms.with_unknown_fields(REQUEST["view"])}
    )
    start = {"type": "start", "options": {"rounds": 1}, "clock": {"bank_ms": 5}}
    assert forms.with_unknown_options(start) == forms.with_unknown_fields(start) | {
        "options": {"rounds": 1, "of_a_later_version": EVERYTHING},
        "clock": {"bank_ms": 5, "weekly_ms": 7},
    }
    welcome = {"type": "welcome", "limits": {"max_frame": 3}}
    form = forms.with_unknown_limits(welcome)
    assert form == forms.with_unknown_fields(welcome) | {"limits": form["limits"]}
    assert [*form["limits"].items()] == [("max_of_all", 1), ("max_frame", 3)]


def test_the_deepest_field_is_made_of_lists_and_maps_in_turn() -> None:
    assert [*forms.as_deep_as_allowed({"type": "end"})] == ["deep", "type"]
    value: Any = forms.as_deep_as_allowed(REQUEST)["deep"]
    kinds = []
    while value != "here":
        kinds.append(type(value))
        (value,) = value.values() if isinstance(value, dict) else value
    assert kinds == [list, dict] * 7 + [list]


@pytest.mark.parametrize(
    ("value", "packed"),
    [
        (None, "c0"),
        (True, "c3"),
        (0, "cf 0000000000000000"),
        (1, "cf 0000000000000001"),
        (-1, "d3 ffffffffffffffff"),
        (2**63, "cf 8000000000000000"),
        ("\u00e9", "db 00000002 c3a9"),
        ([1], "dd 00000001 cf 0000000000000001"),
        ((), "dd 00000000"),
        ({"a": None}, "df 00000001 db 00000001 61 c0"),
    ],
)
def test_each_type_of_value_has_its_longest_form(value: object, packed: str) -> None:
    message = {"x": value}
    body = forms.in_long_forms(message)
    assert body == bytes.fromhex("df 00000001 db 00000001 78") + bytes.fromhex(packed)


def test_what_the_protocol_does_not_have_has_no_long_form() -> None:
    with pytest.raises(TypeError):
        forms.in_long_forms({"x": 1.5})


def test_a_frame_of_ours_is_taken_apart_again() -> None:
    data = forms.framed(REQUEST)
    assert data == len(data[4:]).to_bytes(4, "big") + forms.pack(REQUEST)
    assert forms.unframed(data) == REQUEST
    assert forms.framed(REQUEST, forms.in_long_forms)[4:] == forms.in_long_forms(REQUEST)
