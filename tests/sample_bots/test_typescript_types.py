"""The types of typescript-random name every field that SPEC lists, and no other."""

from __future__ import annotations

import re

import pytest

from arena import data
from arena.games import GAMES
from arena.games.nyet.views import PREVIOUS_FIELDS
from protocol.fields import fields_of
from protocol.messages import FROM_BOT, FROM_SERVER

SOURCES = data.sample_bots() / "typescript-random" / "src"

# A bot that plays is never told any: a hello with the offer `evidence` takes no seat (SPEC 2.7).
NOT_IN_A_MATCH = "evidence"
MESSAGES = {
    name.capitalize(): ["type", *(field.name for field in fields_of(message))]
    for name, message in {**FROM_BOT, **FROM_SERVER}.items()
    if name != NOT_IN_A_MATCH
}
VIEWS = {
    "TrickView": [field.name for field in GAMES["nyet"].fields],
    "PreviousRound": [field.name for field in PREVIOUS_FIELDS],
    "NopeView": [field.name for field in GAMES["nope"].fields],
}


def interfaces(file: str) -> dict[str, list[str]]:
    """By name, the fields of every interface in a file, in order."""
    text = (SOURCES / file).read_text()
    found = re.findall(r"^export interface (\w+) \{$(.*?)^\}$", text, re.DOTALL | re.MULTILINE)
    return {name: re.findall(r"^  readonly (\w+)\??:", body, re.MULTILINE) for name, body in found}


@pytest.mark.parametrize(("file", "expected"), [("messages.ts", MESSAGES), ("views.ts", VIEWS)])
def test_the_types_have_the_fields_of_spec_in_its_order(
    file: str, expected: dict[str, list[str]]
) -> None:
    assert interfaces(file) == expected
