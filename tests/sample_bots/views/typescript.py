"""The views as types of TypeScript: a union that `game` and `phase` take apart.

A view has an interface for each phase, in which what is never nil there is not null: once
`view.phase` is "play", `view.trump` is a string.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from tests.sample_bots.views.shapes import Member, Shape, Type, views

WIDTH = 100  # as package.json tells prettier

HEAD = """\
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
 * A view of a game that this file does not know. TypeScript cannot say "any other text", so a text
 * that no game is called stands for it. Read a field as `view["name"]`, and look what it is.
 */
export interface LaterView {
  readonly game: `a later game: ${string}`;
  readonly [field: string]: unknown;
}
"""

PLAIN = {"number": "number", "text": "string", "map": "Readonly<Record<string, unknown>>"}


def text(shapes: Sequence[Shape]) -> str:
    """Return the text of views.ts, as prettier would write it."""
    every = "/** Any view. `game` tells which it is. */\n" + union("View", names_of_views(shapes))
    declared = [declaration for shape in shapes for declaration in declarations(shape)]
    return "\n".join([HEAD, every, *declared, LATER])


FILES = {"typescript-random/src/views.ts": text}


def names_of_views(shapes: Sequence[Shape]) -> list[str]:
    return [*(shape.name for shape in views(shapes)), "LaterView"]


def declarations(shape: Shape) -> Iterator[str]:
    """Yield what is declared for one shape."""
    if shape.is_list:
        yield comment(about_of_list(shape)) + tuple_type(shape)
    elif not shape.phases:
        yield comment(shape.about) + interface(shape.name, shape.members, shape)
        if shape.is_view:
            yield guard(shape)
    else:
        phases = [name_in(shape, phase) for phase in shape.phases]
        yield comment(shape.about) + union(shape.name, phases)
        yield guard(shape)
        about = f"The fields of every {shape.name}."
        yield comment(about) + interface(fields_name(shape), shape.members, shape)
        for phase in shape.phases:
            yield interface_in(shape, phase)


def interface(name: str, members: Sequence[Member], shape: Shape) -> str:
    fields = (
        comment(member.meaning, "  ") + field(member.name, type_of(member, shape))
        for member in members
    )
    return f"export interface {name} {{\n{''.join(fields)}}}\n"


def interface_in(shape: Shape, phase: str) -> str:
    """Return the interface of a view in one phase: the fields that differ there."""
    fields = "".join(field(name, type_) for name, type_ in differences(shape, phase).items())
    name = name_in(shape, phase)
    return f"export interface {name} extends {fields_name(shape)} {{\n{fields}}}\n"


def field(name: str, type_: str) -> str:
    line = f"  readonly {name}: {type_};\n"
    if len(line) <= WIDTH + 1:
        return line
    return f"  readonly {name}:\n    | " + type_.replace(" | ", "\n    | ") + ";\n"


def differences(shape: Shape, phase: str) -> dict[str, str]:
    """Return, by field, the types that are narrower in this phase than in the others."""
    never_nil = (each for each in shape.members if each.nil_in and phase not in each.nil_in)
    return {"phase": quoted([phase]), **{each.name: some_type(each.type) for each in never_nil}}


def guard(shape: Shape) -> str:
    """Return the function that tells whether a view is of this shape."""
    head = f"export function {guard_name(shape)}(view: View): view is {shape.name}"
    return f"{head} {{\n{body_of_guard(shape)}}}\n"


def body_of_guard(shape: Shape) -> str:
    """Return the one statement of a guard, the same in JavaScript."""
    conditions = [f'view.game === "{game}"' for game in shape.games]
    line = f"  return {' || '.join(conditions)};\n"
    if len(line) <= WIDTH + 1:
        return line
    return "  return (\n    " + " ||\n    ".join(conditions) + "\n  );\n"


def tuple_type(shape: Shape) -> str:
    return statement(f"export type {shape.name} = readonly [", places(shape), "];")


def places(shape: Shape) -> list[str]:
    """Return the places of a list with a type for each; the last stands for any number."""
    assert shape.rest is not None
    named = [f"{each.name}: {type_of(each, shape)}" for each in shape.members]
    return [*named, f"...{shape.rest.name}: {some_type(Type(shape.rest.type.kind, 1), '')}"]


def about_of_list(shape: Shape) -> str:
    assert shape.rest is not None
    meanings = "; ".join(f"`{each.name}`: {each.meaning}" for each in (*shape.members, shape.rest))
    return f"{shape.about} {meanings}."


def type_of(member: Member, shape: Shape) -> str:
    """Return the type of a field in every phase."""
    if member.name == "game" and shape.games:
        return quoted(shape.games)
    if member.name == "phase" and shape.phases:
        return quoted(shape.phases)
    return some_type(member.type) + (" | null" if member.may_be_nil else "")


def some_type(type_: Type, readonly: str = "readonly ") -> str:
    """Return the type of a value that is not null."""
    found = PLAIN.get(type_.kind, type_.shape)
    for level in range(type_.lists):
        found = f"{readonly}{found}[]" if level == 0 else f"{readonly}({found})[]"
    return found


def quoted(texts: Sequence[str]) -> str:
    return " | ".join(f'"{each}"' for each in texts)


def name_in(shape: Shape, phase: str) -> str:
    """Return the name of a view in one phase: TrickPlay."""
    words = re.findall(r"\w+", phase)
    return stem(shape) + "".join(word.capitalize() for word in words)


def fields_name(shape: Shape) -> str:
    return f"{stem(shape)}Fields"


def guard_name(shape: Shape) -> str:
    return f"is{stem(shape)}"


def stem(shape: Shape) -> str:
    return shape.name.removesuffix("View")


def union(name: str, members: Sequence[str]) -> str:
    line = f"export type {name} = {' | '.join(members)};\n"
    if len(line) <= WIDTH + 1:
        return line
    return f"export type {name} =\n" + "\n".join(f"  | {each}" for each in members) + ";\n"


def statement(start: str, parts: Sequence[str], end: str) -> str:
    """Return a statement on one line if it fits, else with a line for each part."""
    line = f"{start}{', '.join(parts)}{end}\n"
    if len(line) <= WIDTH + 1:
        return line
    return f"{start}\n  " + ",\n  ".join(parts) + f",\n{end}\n"


def comment(about: str, indent: str = "") -> str:
    """Return a comment before a declaration."""
    line = f"{indent}/** {about} */\n"
    if len(line) <= WIDTH + 1:
        return line
    start = f"{indent} * "
    lines = textwrap.wrap(
        about, WIDTH, initial_indent=start, subsequent_indent=start, break_on_hyphens=False
    )
    return "\n".join([f"{indent}/**", *lines, f"{indent} */\n"])
