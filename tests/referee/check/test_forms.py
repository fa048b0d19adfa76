"""Other forms of a message are the same message, within the limits."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from arena.referee.check import forms
from arena.referee.check.decisions import Table, short
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
