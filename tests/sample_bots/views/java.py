"""The views as Java records within a sealed interface, as google-java-format writes them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from tests.sample_bots.views.shapes import Member, Shape, Type, views

WIDTH = 100

TYPES = {"number": "int", "text": "String", "map": "Map<String, Value>"}
BOXED = {"int": "Integer"}
"""What Java calls a number in a list, or one that may be null."""

READERS = {"number": "unpackInt", "text": "unpackString"}
"""By kind, the method of MessageUnpacker."""


def text(every: Sequence[Shape]) -> str:
    """Return the whole of View.java."""
    names = ", ".join(f"View.{shape.name}" for shape in views(every))
    lines = [
        "package bot;",
        "",
        "import java.io.IOException;",
        "import java.nio.ByteBuffer;",
        "import java.util.List;",
        "import java.util.Map;",
        "import org.msgpack.core.MessageUnpacker;",
        "import org.msgpack.value.Value;",
        "",
        "// Generated from the tables of fields in SPEC.md: do not edit.",
        "",
        "/** All that your seat may know (SPEC 10.3); each kind of game has its record. */",
        f"sealed interface View permits {names} {{",
        "",
        "  // Every view has these; its record says what they mean.",
        "",
        *(f"  {declared(member)}();\n" for member in common(every)),
        *reader_of_views(every),
        *(line for shape in every for line in record(shape)),
        "}",
    ]
    return "\n".join(lines) + "\n"


FILES = {"java-random/src/main/java/bot/View.java": text}

CODE = r"{@code \1}"


def reader_of_views(every: Sequence[Shape]) -> Iterator[str]:
    yield "  /** Null in a game that is not here. */"
    yield "  static View read(ByteBuffer packed) throws IOException {"
    yield '    return switch (Unpack.text(Unpack.from(packed), "game")) {'
    for shape in views(every):
        games = ", ".join(f'"{game}"' for game in shape.games)
        yield f"      case {games} -> {shape.name}.read(Unpack.from(packed));"
    yield "      default -> null;"
    yield "    };"
    yield "  }"


def record(shape: Shape) -> Iterator[str]:
    members = all_members(shape)
    yield ""
    described = [f"@param {camel(member.name)} {meaning(member, CODE)}" for member in members]
    yield from javadoc([shape.about, *described], "  ")
    yield from header(shape, [*map(declared, members)])
    yield ""
    yield f"    static {shape.name} read(MessageUnpacker in) throws IOException {{"
    yield from (list_reader if shape.is_list else map_reader)(shape)
    yield "    }"
    yield "  }"


def header(shape: Shape, parts: Sequence[str]) -> Iterator[str]:
    """The first line of a record, or a line for each of its parts."""
    implements = "implements View {" if shape.is_view else "{"
    whole = f"  record {shape.name}({', '.join(parts)}) {implements}"
    if len(whole) <= WIDTH:
        yield whole
        return
    yield f"  record {shape.name}("
    yield from (f"      {part}," for part in parts[:-1])
    if shape.is_view:
        yield f"      {parts[-1]})"
        yield f"      {implements}"
    else:
        yield f"      {parts[-1]}) {implements}"


def map_reader(shape: Shape) -> Iterator[str]:
    for member in shape.members:
        yield f"      {boxed(member.type)} {camel(member.name)} = null;"
    yield "      for (int left = in.unpackMapHeader(); left > 0; left--) {"
    yield "        switch (in.unpackString()) {"
    for member in shape.members:
        yield f'          case "{member.name}" -> {camel(member.name)} = {read(member)};'
    yield "          default -> in.skipValue();"
    yield "        }"
    yield "      }"
    values = [
        camel(member.name)
        if member.may_be_nil
        else f'Unpack.there({camel(member.name)}, "{member.name}")'
        for member in shape.members
    ]
    yield from listed(f"      return new {shape.name}(", values, ");")


def list_reader(shape: Shape) -> Iterator[str]:
    values = [read(member) for member in shape.members]
    yield f"      int rest = Unpack.rest(in, {len(values)});"
    # Java reads arguments from left to right, and so from the first place to the last.
    values.append("Unpack.texts(in, rest)")
    yield from listed(f"      return new {shape.name}(", values, ");")


def read(member: Member) -> str:
    """The expression that reads a member from `in`."""
    if not member.may_be_nil:
        return call(member.type, "in")
    return f"Unpack.orNull(in, {reader(member.type)})"


def call(of: Type, source: str) -> str:
    if of == Type("number", 1):
        return f"Unpack.numbers({source})"
    if of == Type("text", 1):
        return f"Unpack.texts({source})"
    if of.lists:
        return f"Unpack.list({source}, {reader(inner(of))})"
    if of.kind == "map":
        return f"Unpack.map({source})"
    if of.kind == "shape":
        return f"{of.shape}.read({source})"
    return f"{source}.{READERS[of.kind]}()"


def reader(of: Type) -> str:
    """The same as a function of the source."""
    if of == Type("number", 1):
        return "Unpack::numbers"
    if of == Type("text", 1):
        return "Unpack::texts"
    if of.lists:
        return f"each -> {call(of, 'each')}"
    if of.kind == "map":
        return "Unpack::map"
    if of.kind == "shape":
        return f"{of.shape}::read"
    return f"MessageUnpacker::{READERS[of.kind]}"


def all_members(shape: Shape) -> tuple[Member, ...]:
    """The members, with the rest of a list as a list of texts."""
    if shape.rest is None:
        return shape.members
    rest = shape.rest
    return (*shape.members, Member(rest.name, Type("text", 1), rest.meaning))


def declared(member: Member) -> str:
    name = boxed(member.type) if member.may_be_nil else type_of(member.type)
    return f"{name} {camel(member.name)}"


def type_of(of: Type) -> str:
    if of.lists:
        return f"List<{boxed(inner(of))}>"
    return of.shape or TYPES[of.kind]


def boxed(of: Type) -> str:
    name = type_of(of)
    return BOXED.get(name, name)


def inner(of: Type) -> Type:
    return Type(of.kind, of.lists - 1, of.shape)


def listed(begin: str, values: Sequence[str], end: str) -> Iterator[str]:
    """Arguments in the line of what they are for, else in the next, else each in a line."""
    whole = begin + ", ".join(values) + end
    if len(whole) <= WIDTH:
        yield whole
        return
    indent = " " * (len(begin) - len(begin.lstrip()) + 4)
    together = indent + ", ".join(values) + end
    yield begin
    if len(together) <= WIDTH:
        yield together
        return
    yield from (f"{indent}{value}," for value in values[:-1])
    yield f"{indent}{values[-1]}{end}"


def javadoc(paragraphs: Sequence[str], indent: str) -> list[str]:
    """A comment: one line if it fits, else the first paragraph, a blank line, and one for each
    tag."""
    one = f"{indent}/** {paragraphs[0]} */"
    if len(paragraphs) == 1 and len(one) <= WIDTH:
        return [one]
    first, *tags = paragraphs
    lines = [f"{indent}/**", *wrapped(first, f"{indent} * ", f"{indent} * ")]
    if tags:
        lines.append(f"{indent} *")
    for tag in tags:
        lines += wrapped(tag, f"{indent} * ", f"{indent} *     ")
    return [*lines, f"{indent} */"]


def camel(name: str) -> str:
    """`hand_sizes` as `handSizes`."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def meaning(member: Member, code: str) -> str:
    """The meaning of a field, with `null` for nil; `code` replaces what is marked as code, and is a
    template of `re`."""
    text = re.sub(r"\bnil\b", "null", member.meaning)
    return re.sub("`([^`]*)`", code, text)


def common(every: Sequence[Shape]) -> list[Member]:
    """The fields that every view has, with one type, in the order of the first view."""
    first, *others = views(every)
    return [
        member
        for member in first.members
        if all(
            any(declared(member) == declared(each) for each in other.members) for other in others
        )
    ]


def wrapped(text: str, begin: str, then: str) -> list[str]:
    """Return a text in lines of at most WIDTH characters."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=begin,
        subsequent_indent=then,
        break_long_words=False,
        break_on_hyphens=False,
    )
