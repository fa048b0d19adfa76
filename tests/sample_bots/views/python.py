"""The views in Python: a TypedDict for each phase, so that a checker knows which fields hold None.

A field that may be nil in some phases only cannot stand in the class that the phases share: a
TypedDict may not narrow a field of its base. So each phase has those fields with the type that they
have there.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from protocol.fields import fields_of
from protocol.messages import Request
from tests.sample_bots.views.shapes import Member, Shape, Type, views

WIDTH = 100

HEAD = '''\
"""A request and the views in it, as types (SPEC 4.4, 11.11, 12.11): for your editor and for mypy.

    if view["game"] == "nope":          # a NopeView, else a TrickView
    if view["phase"] == "play":         # a TrickPlayView, whose view["trump"] is never None

A view is a dict as it came, and nothing is checked when the bot runs: a later server may send more
fields, other texts and other games. Made from the tables of the games: do not change it by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypedDict
'''

PLAIN: Mapping[str, str] = {"number": "int", "text": "str", "map": "dict[str, Any]"}


def text(shapes: Sequence[Shape]) -> str:
    records = [shape for shape in shapes if not shape.is_view]
    as_lists = {shape.name for shape in records if shape.is_list}
    parts: list[Iterable[str]] = [HEAD.splitlines(), _request()]
    parts += [_as_list(record) if record.is_list else _as_map(record) for record in records]
    for shape in views(shapes):
        parts.append(_view(shape, as_lists))
    parts.append([_union("View", [shape.name for shape in views(shapes)])])
    return "\n\n\n".join("\n".join([*part]).rstrip() for part in parts) + "\n"


FILES = {"python-random/views.py": text}


def _request() -> Iterator[str]:
    types = {"number": "int", "text": "str", "map": "View", "list of texts": "list[str]"}
    yield "class Request(TypedDict):"
    yield '    """You owe a decision."""'
    yield ""
    yield '    type: Literal["request"]'
    for field in fields_of(Request):
        yield from _field(field.name, types[field.type], field.meaning)


def _as_map(record: Shape) -> Iterator[str]:
    yield f"class {record.name}(TypedDict):"
    yield f'    """{record.about}"""'
    yield ""
    for member in record.members:
        yield from _field(member.name, _type(member), member.meaning)


def _as_list(record: Shape) -> Iterator[str]:
    """On the wire it is a list, so a view has it as one; `read` gives its places names."""
    assert record.rest is not None
    yield "@dataclass(frozen=True)"
    yield f"class {record.name}:"
    yield f'    """{record.about}'
    yield ""
    yield f"    A view has it as a list, and `{record.name}.read(it)` gives its places these names."
    yield '    """'
    yield ""
    for member in record.members:
        yield from _field(member.name, _type(member), member.meaning)
    rest = record.rest
    yield from _field(rest.name, f"list[{_type(rest)}]", rest.meaning)
    yield ""
    yield "    @classmethod"
    yield f"    def read(cls, places: list[Any]) -> {record.name}:"
    names = ", ".join(member.name for member in record.members)
    yield f"        {names}, *{rest.name} = places"
    yield f"        return cls({names}, {rest.name})"


def _view(shape: Shape, as_lists: Collection[str]) -> Iterator[str]:
    """The members that are the same in all phases; then a class for each phase with the others."""
    phases = shape.phases
    varying = [each for each in shape.members if phases and _varies(each, phases)]
    yield f"class {f'_{shape.name}' if phases else shape.name}(TypedDict):"
    yield f'    """{shape.about}"""'
    yield ""
    for member in shape.members:
        if member.name == "game":
            yield from _field(member.name, _literal(shape.games), member.meaning)
        elif member not in varying:
            yield from _field(member.name, _type(member, phases, as_lists), member.meaning)
    if not phases:
        return
    yield ""
    yield "    # The class of each phase adds these:"
    for member in varying:
        words = f"{member.name}: {member.meaning}"
        yield from _comment(words, "    #   ", "    #     ")
    names = []
    for phase in phases:
        names.append(f"{shape.name.removesuffix('View')}{phase.title()}View")
        yield from ("", "", f"class {names[-1]}(_{shape.name}):")
        for member in varying:
            is_phase = member.name == "phase"
            kind = _literal([phase]) if is_phase else _type(member, [phase], as_lists)
            yield f"    {member.name}: {kind}"
    yield from ("", "", _union(shape.name, names))


def _varies(member: Member, phases: Collection[str]) -> bool:
    return member.name == "phase" or 0 < len(member.nil_in) < len(phases)


def _type(
    member: Member, phases: Collection[str] | None = None, as_lists: Collection[str] = ()
) -> str:
    """The type of a member: of a record, or of a view in these phases.

    `as_lists`: the records that are lists, whose places have types of their own.
    """
    may_be_nil = bool(member.nil_in.intersection(phases) if phases else member.nil_in)
    return _name(member.type, as_lists) + " | None" * may_be_nil


def _name(kind: Type, as_lists: Collection[str]) -> str:
    name = "list[Any]" if kind.shape in as_lists else PLAIN.get(kind.kind, kind.shape)
    for _ in range(kind.lists):
        name = f"list[{name}]"
    return name


def _literal(values: Iterable[str]) -> str:
    quoted = ", ".join(f'"{value}"' for value in values)
    return f"Literal[{quoted}]"


def _union(name: str, parts: Sequence[str]) -> str:
    line = f"{name}: TypeAlias = {' | '.join(parts)}"
    return line if len(line) <= WIDTH else f"{name}: TypeAlias = (\n    {' | '.join(parts)}\n)"


def _field(name: str, kind: str, meaning: str) -> Iterator[str]:
    yield from _comment(meaning, "    # ", "    # ")
    yield f"    {name}: {kind}"


def _comment(words: str, first: str, other: str) -> list[str]:
    """A meaning in lines."""
    words = re.sub(r"\bnil\b", "None", words)
    return textwrap.wrap(words, WIDTH, initial_indent=first, subsequent_indent=other)
