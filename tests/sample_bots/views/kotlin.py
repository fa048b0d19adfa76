"""The views as Kotlin data classes of a sealed interface, as ktfmt writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.sample_bots.views.java import all_members, camel, common, inner, meaning, wrapped
from tests.sample_bots.views.shapes import Member, Shape, Type, views

TYPES = {"number": "Int", "text": "String", "map": "Map<String, Value>"}

READERS = {"number": "unpackInt", "text": "unpackString", "map": "map"}
"""By kind, the function of MessageUnpacker that reads it."""

CODE = r"`\1`"


def text(every: Sequence[Shape]) -> str:
    """Return the whole of View.kt."""
    lines = [
        "package bot",
        "",
        "import java.nio.ByteBuffer",
        "import org.msgpack.core.MessageUnpacker",
        "import org.msgpack.value.Value",
        "",
        "// Generated from the tables of fields in SPEC.md: do not edit.",
        "",
        "/** All that your seat may know (SPEC 10.3); each kind of game has its class. */",
        "sealed interface View {",
        "    // Every view has these; its class says what they mean.",
        *(f"    val {declared(member)}" for member in common(every)),
        "",
        "    companion object {",
        "        /** Null in a game that is not here. */",
        "        fun read(packed: ByteBuffer): View? =",
        '            when (unpacker(packed).textOf("game")) {',
    ]
    for shape in views(every):
        games = ", ".join(f'"{game}"' for game in shape.games)
        if len(shape.games) == 1:
            lines.append(f"                {games} -> {reader_of(shape.name)}(unpacker(packed))")
        else:
            lines += [f'                "{game}",' for game in shape.games[:-1]]
            last = shape.games[-1]
            lines.append(f'                "{last}" -> {reader_of(shape.name)}(unpacker(packed))')
    lines += ["                else -> null", "            }", "    }", "}"]
    shared = {member.name for member in common(every)}
    for shape in every:
        lines += ["", *data_class(shape, shared if shape.is_view else set())]
    for shape in every:
        lines += ["", *(list_reader if shape.is_list else map_reader)(shape)]
    return "\n".join(lines) + "\n"


FILES = {"kotlin-random/src/main/kotlin/bot/View.kt": text}


def data_class(shape: Shape, shared: set[str]) -> Iterator[str]:
    yield f"/** {shape.about} */"
    yield f"data class {shape.name}("
    for member in all_members(shape):
        yield from kdoc(meaning(member, CODE))
        overridden = "override " if member.name in shared else ""
        yield f"    {overridden}val {declared(member)},"
    yield ") : View" if shape.is_view else ")"


def map_reader(shape: Shape) -> Iterator[str]:
    yield f"private fun {reader_of(shape.name)}(view: MessageUnpacker): {shape.name} {{"
    for member in shape.members:
        yield f"    var {camel(member.name)}: {type_of(member.type)}? = null"
    yield "    repeat(view.unpackMapHeader()) {"
    yield "        when (view.unpackString()) {"
    for member in shape.members:
        value = call(member.type, "view.")
        if member.may_be_nil:
            value = f"view.orNull {{ {call(member.type, '')} }}"
        yield f'            "{member.name}" -> {camel(member.name)} = {value}'
    yield "            else -> view.skipValue()"
    yield "        }"
    yield "    }"
    yield f"    return {shape.name}("
    for member in shape.members:
        there = "" if member.may_be_nil else f' ?: missing("{member.name}")'
        yield f"        {camel(member.name)}{there},"
    yield "    )"
    yield "}"


def list_reader(shape: Shape) -> Iterator[str]:
    yield f"private fun {reader_of(shape.name)}(list: MessageUnpacker): {shape.name} {{"
    yield f"    val rest = list.rest({len(shape.members)})"
    yield f"    return {shape.name}("
    # Kotlin evaluates arguments from left to right, and so reads from the first place to the last.
    for member in shape.members:
        yield f"        {camel(member.name)} = {call(member.type, 'list.')},"
    rest = all_members(shape)[-1]
    yield f"        {camel(rest.name)} = list.list(rest) {{ unpackString() }},"
    yield "    )"
    yield "}"


def call(of: Type, source: str) -> str:
    """The expression that reads a value from `source`, `view.`, or from what `this` is if empty."""
    if of == Type("number", 1):
        return f"{source}numbers()"
    if of == Type("text", 1):
        return f"{source}texts()"
    if of.lists:
        return f"{source}list {{ {call(inner(of), '')} }}"
    if of.kind == "shape":
        return f"{reader_of(of.shape)}({source.removesuffix('.') or 'this'})"
    return f"{source}{READERS[of.kind]}()"


def reader_of(name: str) -> str:
    return f"read{name}"


def declared(member: Member) -> str:
    nullable = "?" if member.may_be_nil else ""
    return f"{camel(member.name)}: {type_of(member.type)}{nullable}"


def type_of(of: Type) -> str:
    if of.lists:
        return f"List<{type_of(inner(of))}>"
    return of.shape or TYPES[of.kind]


def kdoc(text: str) -> list[str]:
    one = f"    /** {text} */"
    if len(one) <= 100:
        return [one]
    return ["    /**", *wrapped(text, "     * ", "     * "), "     */"]
