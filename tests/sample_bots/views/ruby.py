"""The views as Ruby's structs: `ruby-random/views.rb`, as rubocop lays code out."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from tests.sample_bots.views.shapes import Member, Shape, Type, view_of_game, views

WIDTH = 100
TYPES = {"number": "Integer", "text": "String", "map": "Hash"}

HEAD = """\
# frozen_string_literal: true

# The views of all games, with a member for each field that SPEC.md lists (11.11, 12.11). Generated
# from the tables of the games by `python -m tests.sample_bots.views --write` in arena's repository.
# Each struct has its members as methods, fits into `case ... in`, and is frozen; fields of a later
# server are passed over.
module Views
"""


def text(shapes: Sequence[Shape]) -> str:
    parts = [*(_struct(shape) for shape in shapes), _games(shapes)]
    return HEAD + "\n".join("".join(map(_indented, part)) for part in parts) + "end\n"


def _indented(line: str) -> str:
    return f"  {line}\n" if line else "\n"


def _struct(shape: Shape) -> Iterator[str]:
    yield from _comment(shape.about, 2)
    yield f"{shape.name} = Struct.new("
    members = [*shape.members, *([shape.rest] if shape.rest else [])]
    for member in members:
        # Any number of texts after the others are one member, a list.
        of = Type(member.type.kind, 1) if member is shape.rest else member.type
        for line in _comment(f"{_type(of, member)}: {member.meaning}.", 4):
            yield f"  {line}"
        yield f"  :{member.name},"
    yield "  keyword_init: true"
    yield ") do"
    yield from (f"  {line}" for line in (_from_list(shape) if shape.rest else _from_map(shape)))
    yield "end"


def _comment(text: str, indent: int) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH - indent,
        initial_indent="# ",
        subsequent_indent="# ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _type(of: Type, member: Member) -> str:
    words = of.shape or TYPES[of.kind]
    for _ in range(of.lists):
        words = f"Array<{words}>"
    return f"{words} or nil" if member.may_be_nil else words


def _from_map(shape: Shape) -> Iterator[str]:
    made = [member for member in shape.members if member.type.kind == "shape"]
    yield "def self.from(map)"
    if made:
        yield "  view = new(**map.slice(*members))"
        for member in made:
            yield f"  view.{member.name} = {_made(member)}"
        yield "  view.freeze"
    else:
        yield "  new(**map.slice(*members)).freeze"
    yield "end"


def _made(member: Member) -> str:
    """Ruby for the member, with structs in the place of maps and lists."""
    value = f"view.{member.name}"
    dot = "&." if member.may_be_nil else "."
    if not member.type.lists:
        if member.may_be_nil:
            return f"{value} && {member.type.shape}.from({value})"
        return f"{member.type.shape}.from({value})"
    names = ["lists", "list", "entry"][-member.type.lists :]
    inner = f"{member.type.shape}.from(entry)"
    for over, name in reversed([*zip([value, *names], names, strict=False)]):
        inner = f"{over}{dot if over == value else '.'}map {{ |{name}| {inner} }}"
    return inner


def _from_list(shape: Shape) -> Iterator[str]:
    assert shape.rest is not None
    names = [member.name for member in shape.members]
    yield "def self.from(list)"
    yield f"  {', '.join(names)}, *{shape.rest.name} = list"
    fields = ", ".join(f"{name}: {name}" for name in (*names, shape.rest.name))
    yield f"  new({fields}).freeze"
    yield "end"


def _games(shapes: Sequence[Shape]) -> Iterator[str]:
    yield "# By the name of a game, what its view is."
    yield "OF_GAME = {"
    yield from (f'  "{game}" => {shape.name},' for game, shape in view_of_game(shapes).items())
    yield "}.freeze"
    yield ""
    names = ", ".join(shape.name for shape in views(shapes))
    yield f"# A view as one of {names}; nil where its game is none of these."
    yield "def self.of(map)"
    yield "  OF_GAME[map[:game]]&.from(map)"
    yield "end"


FILES = {"ruby-random/views.rb": text}
