"""The typed views of the sample bots say what the field tables of the games say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.games import GAMES, Game, ViewField
from tests.games.example import EXAMPLE
from tests.sample_bots.views.languages import Target, targets
from tests.sample_bots.views.shapes import Type, shapes, view_of_game, views

every_target = pytest.mark.parametrize("target", [*targets()], ids=lambda target: target.path)


@every_target
def test_the_types_are_those_of_the_field_tables(target: Target) -> None:
    written = target.file.read_text()
    assert written == target.text(shapes()), "run python -m tests.sample_bots.views --write"


@every_target
def test_a_field_added_in_any_view_or_record_changes_the_types_of_every_language(
    target: Target,
) -> None:
    for shape in shapes():
        added = replace(shape.members[0], name="added_later")
        grown = [
            replace(each, members=(*each.members, added)) if each == shape else each
            for each in shapes()
        ]
        assert target.text(grown) != target.text(shapes()), shape.name


@every_target
def test_a_later_game_needs_nothing_but_the_command(target: Target) -> None:
    games: list[Game] = [*GAMES.values(), EXAMPLE]
    (added,) = [shape for shape in shapes(games) if EXAMPLE.name in shape.games]
    text = target.text(shapes(games))
    assert added.name in text or EXAMPLE.name in text
    assert text != target.text(shapes())


def test_every_view_and_record_is_a_shape() -> None:
    names = [shape.name for shape in shapes()]
    assert names == ["PreviousRound", "TrickView", "Demand", "Choice", "NopeTurn", "NopeView"]
    assert {*view_of_game(shapes())} == {*GAMES}


def test_a_shape_has_the_fields_of_its_table_in_order() -> None:
    for shape in views(shapes()):
        for name in shape.games:
            fields = [field.name for field in GAMES[name].fields]
            assert [member.name for member in shape.members] == fields


def test_types_are_read_from_the_words_of_the_tables() -> None:
    members = {
        member.name: member
        for shape in shapes()
        for member in shape.members
        if shape.name in ("TrickView", "NopeView")
    }
    assert members["turns"].type == Type("number")
    assert members["options"].type == Type("map")
    assert members["hand"].type == Type("text", 1)
    assert members["tricks"].type == Type("text", 2)
    assert members["demand"].type == Type("shape", 0, "Demand")
    assert members["recent"].type == Type("shape", 2, "NopeTurn")


def test_a_bot_has_a_seat_so_what_only_spectators_miss_is_never_nil() -> None:
    trick = view_of_game(shapes())["nyet"]
    nil_in = {member.name: member.nil_in for member in trick.members}
    assert not nil_in["seat"] | nil_in["hand"] | nil_in["received"]
    assert nil_in["trump"] == {"tokens"}
    assert nil_in["bonus"] == {*trick.phases}


def test_a_later_game_gets_a_shape_of_its_own() -> None:
    games: list[Game] = [*GAMES.values(), EXAMPLE]
    assert [*shapes()] == [*shapes(games)][: len(shapes())]
    (added,) = [*shapes(games)][len(shapes()) :]
    assert added.games == (EXAMPLE.name,)


def test_a_type_that_no_language_can_say_is_refused() -> None:
    class Odd:
        name = "odd"
        fields = (ViewField("sorts", "set of texts", "the sorts"),)

    with pytest.raises(ValueError, match="sorts: no type of other languages is known"):
        shapes([Odd()])  # type: ignore[list-item]  # all that is read of a game
