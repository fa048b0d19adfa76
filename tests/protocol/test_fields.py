from __future__ import annotations

import pytest
from msgspec import Struct

from protocol.fields import fields_of
from protocol.messages import FROM_BOT, FROM_SERVER, Action, End, Fault, Hello, Request, Welcome


def test_every_field_of_every_message_says_what_it_means() -> None:
    for message in (*FROM_BOT.values(), *FROM_SERVER.values()):
        assert message.__doc__
        for field in fields_of(message):
            assert field.meaning, (message, field)


def test_every_field_of_a_bots_message_is_bounded() -> None:
    for message in FROM_BOT.values():
        for field in fields_of(message):
            assert field.most is not None
            assert (field.each is not None) == (field.type == "list of texts")


@pytest.mark.parametrize(
    ("message", "name", "words"),
    [
        (Hello, "protocol", "number"),
        (Hello, "offers", "list of texts"),
        (Action, "note", "text"),
        (Welcome, "limits", "map of numbers"),
        (Request, "view", "map"),
        (End, "scores", "list of numbers"),
        (Fault, "id", "number or nil"),
        (Fault, "forfeit", "true or false"),
    ],
)
def test_types_are_given_in_words(message: type[Struct], name: str, words: str) -> None:
    (field,) = (field for field in fields_of(message) if field.name == name)
    assert field.type == words


def test_a_field_of_a_type_that_cannot_cross_the_wire_is_our_own_mistake() -> None:
    class Wrong(Struct):
        """A message with a float."""

        weight: float

    with pytest.raises(TypeError, match=r"a field of a message holds what SPEC 3.3 has"):
        fields_of(Wrong)
