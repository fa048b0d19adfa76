"""The views as types for JavaScript, in comments: the editor reads them, and `npm run check`.

They are those of TypeScript, said in JSDoc.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from tests.sample_bots.views.shapes import Member, Shape
from tests.sample_bots.views.typescript import (
    WIDTH,
    about_of_list,
    body_of_guard,
    differences,
    fields_name,
    guard_name,
    name_in,
    names_of_views,
    places,
    type_of,
)

HEAD = """\
// @ts-check
// What a seat may know, as types. Made from the tables of SPEC 11.11 and 12.11 in the repository
// of arena: `python -m tests.sample_bots.views --write`. The nil of SPEC is null here.
//
//   if (isTrick(view) && view.phase === "play") ... view.trump is a string here, and not null
//   if (isNope(view) && view.phase === "lay") ... view.demand.count
//
// A later server may send more fields than these.
"""

LATER = """\
/**
 * A view of a game that this file does not know. JSDoc cannot say "any other text", so a text that
 * no game is called stands for it. Read a field as `view["name"]`, and look what it is.
 *
 * @typedef {{
 *   readonly game: `a later game: ${string}`,
 *   readonly [field: string]: unknown,
 * }} LaterView
 */
"""


def text(shapes: Sequence[Shape]) -> str:
    """Return the text of views.js, as prettier would write it."""
    every = typedef("Any view. `game` tells which it is.", "View", names_of_views(shapes))
    declared = [declaration for shape in shapes for declaration in declarations(shape)]
    return "\n".join([HEAD, every, *declared, LATER])


FILES = {"javascript-random/views.js": text}


def declarations(shape: Shape) -> Iterator[str]:
    """Yield what is declared for one shape."""
    if shape.is_list:
        yield comment(
            about_of_list(shape),
            "",
            "@typedef {readonly [",
            *(f"  {place}," for place in places(shape)),
            f"]}} {shape.name}",
        )
    elif not shape.phases:
        yield record(shape.about, shape.name, shape.members, shape)
    else:
        phases = [name_in(shape, phase) for phase in shape.phases]
        yield typedef(shape.about, shape.name, phases)
        about = f"The fields of every {shape.name}."
        yield record(about, fields_name(shape), shape.members, shape)
        for phase in shape.phases:
            yield narrowed(shape, phase)
    if shape.is_view:
        yield guard(shape)


def record(about: str, name: str, members: Sequence[Member], shape: Shape) -> str:
    properties = (
        line
        for member in members
        for line in textwrap.wrap(
            f"@property {{{type_of(member, shape)}}} {member.name} {member.meaning}",
            WIDTH - len(" *   "),
            subsequent_indent="  ",
            break_on_hyphens=False,
        )
    )
    return comment(about, "", f"@typedef {{object}} {name}", *properties)


def narrowed(shape: Shape, phase: str) -> str:
    """Return the type of a view in one phase: with the fields that differ there."""
    fields = (f"  {name}: {type_}," for name, type_ in differences(shape, phase).items())
    head = f"@typedef {{{fields_name(shape)} & {{"
    return comment("", head, *fields, f"}}}} {name_in(shape, phase)}")


def guard(shape: Shape) -> str:
    """Return the function that tells whether a view is of this shape."""
    head = comment("", "@param {View} view", f"@returns {{view is {shape.name}}}")
    return f"{head}export function {guard_name(shape)}(view) {{\n{body_of_guard(shape)}}}\n"


def typedef(about: str, name: str, members: Sequence[str]) -> str:
    return comment(about, "", f"@typedef {{{' | '.join(members)}}} {name}")


def comment(about: str, *lines: str) -> str:
    """Return a comment: a sentence, if there is one, and lines that stand as they are."""
    wrapped = textwrap.wrap(about, WIDTH - len(" * "), break_on_hyphens=False)
    return "\n".join(["/**", *(f" * {line}".rstrip() for line in (*wrapped, *lines)), " */\n"])
