"""Views as structs of Go: what may be nil is a pointer, save for texts and lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from tests.sample_bots.views.shapes import Kind, Member, Shape, views

WIDTH = 98

HEAD = """\
// Code generated from the field tables of the games; DO NOT EDIT.

package main

import (
\t"fmt"

\t"github.com/vmihailenco/msgpack/v5"
)

// The views of 11.11 and 12.11. Where a comment says nil, a text is "" here, a list is nil, and
// a number or a struct is a nil pointer. Fields that are not named here are passed over, and a
// text may have values that are not invented yet (9).
"""

PLAIN: Mapping[Kind, str] = {"number": "int", "text": "string", "map": "map[string]any"}

LIST = """\

// DecodeMsgpack reads the list that a {name} is on the wire.
func ({short} *{name}) DecodeMsgpack(decoder *msgpack.Decoder) error {{
\tlength, err := decoder.DecodeArrayLen()
\tif err != nil {{
\t\treturn err
\t}}
\tif length < {count} {{
\t\treturn fmt.Errorf("a {name} of %d values; expected at least {count}", length)
\t}}
\tif err := decoder.DecodeMulti({targets}); err != nil {{
\t\treturn err
\t}}
\t{short}.{rest} = make([]string, length-{count})
\tfor i := range {short}.{rest} {{
\t\tif {short}.{rest}[i], err = decoder.DecodeString(); err != nil {{
\t\t\treturn err
\t\t}}
\t}}
\treturn nil
}}
"""


def text(shapes: Sequence[Shape]) -> str:
    return HEAD + "".join(part for part in (*map(struct, shapes), view(shapes)))


def struct(shape: Shape) -> str:
    lines = ["", *comment(f"{shape.name} is {lower(shape.about)}"), f"type {shape.name} struct {{"]
    for member in members(shape):
        tag = "" if shape.is_list else f' `msgpack:"{member.name}"`'
        lines += comment(sentence(member), "\t")
        lines.append(f"\t{camel(member.name)} {type_of(member, shape)}{tag}")
    lines += ["}", ""]
    return "\n".join(lines) + (reader(shape) if shape.is_list else "")


def members(shape: Shape) -> Iterator[Member]:
    yield from shape.members
    if shape.rest is not None:
        yield shape.rest


def type_of(member: Member, shape: Shape) -> str:
    lists = "[]" * (member.type.lists + (member is shape.rest))
    plain = member.type.shape or PLAIN[member.type.kind]
    pointer = member.may_be_nil and not lists and member.type.kind in ("number", "shape")
    return f"{lists}{'*' * pointer}{plain}"


def reader(shape: Shape) -> str:
    assert shape.rest is not None
    short = shape.name[0].lower()
    return LIST.format(
        name=shape.name,
        short=short,
        count=len(shape.members),
        targets=", ".join(f"&{short}.{camel(member.name)}" for member in shape.members),
        rest=camel(shape.rest.name),
    )


def view(shapes: Sequence[Shape]) -> str:
    """The interface of all views, and what makes the right one."""
    names = [shape.name for shape in views(shapes)]
    widest = max(map(len, names))
    return "\n".join(
        [
            "",
            f"// View is what your seat may know: {' or '.join(f'a *{name}' for name in names)}.",
            "type View interface {",
            "\tisView()",
            "}",
            "",
            # gofmt puts the bodies of neighbours in one column.
            *(f"func (*{name}) isView() {' ' * (widest - len(name))}{{}}" for name in names),
            "",
            "// newView makes the empty view of a game; nil for one that is not invented yet.",
            "func newView(game string) View {",
            "\tswitch game {",
            *(
                line
                for shape in views(shapes)
                for line in (
                    f"\tcase {', '.join(map(quoted, shape.games))}:",
                    f"\t\treturn new({shape.name})",
                )
            ),
            "\t}",
            "\treturn nil",
            "}",
            "",
        ]
    )


def comment(words: str, indent: str = "") -> list[str]:
    width = WIDTH - len("// ") - 4 * len(indent)
    return [f"{indent}// {line}" for line in wrap(words, width, break_long_words=False)]


def sentence(member: Member) -> str:
    """What a member means, as a sentence."""
    words = member.meaning.removesuffix(".")
    return f"{words[:1].upper()}{words[1:]}."


def quoted(game: str) -> str:
    return f'"{game}"'


def lower(about: str) -> str:
    return about[:1].lower() + about[1:]


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


FILES = {"go-random/views.go": text}
