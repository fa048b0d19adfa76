"""What all pages are made with."""

from __future__ import annotations

import re

import pytest

from arena.outputs.pages import render


def test_pages_are_of_another_edition_when_what_they_are_made_with_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    digest = render.edition.__wrapped__  # as in a process that begins
    first = digest()
    assert re.fullmatch("[0-9a-f]{12}", first)
    assert render.edition() == digest() == first
    monkeypatch.setattr("arena.__version__", "another")
    assert digest() != first
