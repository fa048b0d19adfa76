"""The views as PHP's readonly classes: `php-random/views.php`, as PSR-12 lays code out."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from tests.sample_bots.views.shapes import Member, Shape, Type, view_of_game, views

WIDTH = 100
# As PHP declares a type, and as its comments do.
TYPES = {
    "number": ("int", "int"),
    "text": ("string", "string"),
    "map": ("array", "array<mixed>"),
}

HEAD = """\
<?php

declare(strict_types=1);

// The views of all games, with a property for each field that SPEC.md lists (11.11, 12.11): a field
// `hand_sizes` is `$view->handSizes`. Generated from the tables of the games by
// `python -m tests.sample_bots.views --write` in arena's repository. Fields of a later server are
// passed over.

"""


def text(shapes: Sequence[Shape]) -> str:
    parts = [*(_class(shape) for shape in shapes), _games(shapes)]
    return HEAD + "\n".join("".join(f"{line}\n" if line else "\n" for line in p) for p in parts)


def _class(shape: Shape) -> Iterator[str]:
    yield f"/** {shape.about} */"
    yield f"final readonly class {shape.name}"
    yield "{"
    yield "    public function __construct("
    for member in _members(shape):
        yield from (f"        {line}" for line in _comment(member))
        declared = _declared(member.type)
        yield f"        public {'?' * member.may_be_nil}{declared} ${_camel(member.name)},"
    yield "    ) {"
    yield "    }"
    yield ""
    kind = "list" if shape.rest else "map"
    yield f"    /** @param array<mixed> ${kind} */"
    yield f"    public static function from(array ${kind}): self"
    yield "    {"
    yield "        return new self("
    for place, member in enumerate(_members(shape)):
        key = f"'{member.name}'" if kind == "map" else str(place)
        value = f"${kind}[{key}]"
        if shape.rest and member.name == shape.rest.name:
            value = f"array_slice($list, {place})"
        yield from (f"            {line}" for line in _made(member, value))
    yield "        );"
    yield "    }"
    yield "}"


def _members(shape: Shape) -> Iterator[Member]:
    yield from shape.members
    if shape.rest is not None:
        # Any number of texts after the others are one property, a list.
        of = Type(shape.rest.type.kind, 1)
        yield Member(shape.rest.name, of, shape.rest.meaning)


def _declared(of: Type) -> str:
    return "array" if of.lists else of.shape or TYPES[of.kind][0]


def _commented(of: Type) -> str:
    words = of.shape or TYPES[of.kind][1]
    for _ in range(of.lists):
        words = f"list<{words}>"
    return words


def _comment(member: Member) -> list[str]:
    meaning = re.sub(r"\bnil\b", "null", member.meaning)
    words = f"{meaning[0].upper()}{meaning[1:]}."
    if _declared(member.type) == "array":
        words = f"@var {'?' * member.may_be_nil}{_commented(member.type)} {words}"
    line = f"/** {words} */"
    if len(line) <= WIDTH - 8:
        return [line]
    lines = textwrap.wrap(words, WIDTH - 11, break_long_words=False, break_on_hyphens=False)
    return ["/**", *(f" * {each}" for each in lines), " */"]


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _made(member: Member, value: str) -> list[str]:
    """PHP for the value of a property, with objects in the place of maps and lists."""
    if member.type.kind != "shape":
        return [f"{value} ?? null," if member.may_be_nil else f"{value},"]
    make = f"{member.type.shape}::from(...)"
    for _ in range(member.type.lists - 1):
        make = f"fn (array $list): array => array_map({make}, $list)"
    if member.type.lists:
        assert not member.may_be_nil, "a list of objects that may be nil: none has come up yet"
        line = f"array_map({make}, {value}),"
        if len(line) <= WIDTH - 12:
            return [line]
        return ["array_map(", f"    {make},", f"    {value},", "),"]
    made = f"{member.type.shape}::from({value})"
    return [f"isset({value}) ? {made} : null," if member.may_be_nil else f"{made},"]


def _games(shapes: Sequence[Shape]) -> Iterator[str]:
    names = [shape.name for shape in views(shapes)]
    yield "final class Views"
    yield "{"
    yield "    /**"
    yield f"     * A view as one of {', '.join(names)}; null where its game is none of theirs."
    yield "     *"
    yield "     * @param array<mixed> $map"
    yield "     */"
    yield f"    public static function of(array $map): {'|'.join(names)}|null"
    yield "    {"
    yield "        return match ($map['game'] ?? null) {"
    by_shape: dict[str, list[str]] = {}
    for game, shape in view_of_game(shapes).items():
        by_shape.setdefault(shape.name, []).append(f"'{game}'")
    for name, games in by_shape.items():
        yield f"            {', '.join(games)} => {name}::from($map),"
    yield "            default => null,"
    yield "        };"
    yield "    }"
    yield "}"


FILES = {"php-random/views.php": text}
