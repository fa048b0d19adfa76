"""The views in C: structs of a fixed size, and the reader that fills them.

A list has room for as many entries as SPEC lets it have, so nothing is allocated, and a view may be
copied by assignment. BOUNDS names the limits of lists.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.games import GAMES
from arena.games.nyet.rulesets import RULE_SETS
from tests.sample_bots.views.shapes import Member, Shape, views

MOST_SEATS = max(max(game.seats) for game in GAMES.values())
MOST_CARDS_DEALT = max(max(rules.cards_each.values()) for rules in RULE_SETS)
MOST_BOXES = max(
    max(rules.seats) + len(rules.discards + rules.points) + len(rules.trumps + rules.supertrumps)
    for rules in RULE_SETS
)
MOST_CARDS = max(len(game.deck(seats)) for game in GAMES.values() for seats in game.seats)

LIMITS: Mapping[str, tuple[int, str]] = {
    "MAX_SEATS": (MOST_SEATS, "SPEC 10.1"),
    "MAX_HAND": (MOST_CARDS_DEALT, "SPEC 11.1: cards in a hand, and tricks in a round"),
    "MAX_BOXES": (MOST_BOXES, "SPEC 11.1: of all rows of the board together"),
    "MAX_DECK": (MOST_CARDS, "SPEC 12.1"),
    "MAX_TURNS": (4, "SPEC 12.11: of each seat in `recent`"),
    "MAX_LAID": (4, "SPEC 12.11: three cards, and the choice for a select"),
}


@dataclass(frozen=True)
class Bound:
    most: str
    """The limit of LIMITS for the list."""
    entry: str = ""
    """Of a list of lists, the name of the type of an entry."""
    entry_most: str = ""
    """And the limit for each entry."""


BY_SEAT = Bound("MAX_SEATS")
HAND = Bound("MAX_HAND")
PILE = Bound("MAX_DECK")

BOUNDS: Mapping[tuple[str, str], Bound] = {
    ("PreviousRound", "team"): BY_SEAT,
    ("PreviousRound", "tricks_won"): BY_SEAT,
    ("PreviousRound", "loot"): BY_SEAT,
    ("PreviousRound", "scored"): BY_SEAT,
    ("PreviousRound", "last_trick"): BY_SEAT,
    ("TrickView", "scores"): BY_SEAT,
    ("TrickView", "hand"): HAND,
    ("TrickView", "hand_sizes"): BY_SEAT,
    ("TrickView", "open"): Bound("MAX_BOXES"),
    ("TrickView", "tokens"): Bound("MAX_BOXES"),
    ("TrickView", "team"): BY_SEAT,
    ("TrickView", "given"): HAND,
    ("TrickView", "received"): HAND,
    ("TrickView", "tricks"): Bound("MAX_HAND", "Trick", "MAX_SEATS"),
    ("TrickView", "leaders"): HAND,
    ("TrickView", "tricks_won"): BY_SEAT,
    ("TrickView", "loot"): BY_SEAT,
    ("NopeTurn", "laid"): Bound("MAX_LAID"),
    ("NopeView", "hand"): PILE,
    ("NopeView", "chosen"): PILE,
    ("NopeView", "hand_sizes"): BY_SEAT,
    ("NopeView", "discard"): PILE,
    ("NopeView", "out"): BY_SEAT,
    ("NopeView", "recent"): Bound("MAX_SEATS", "Turns", "MAX_TURNS"),
    ("NopeView", "places"): BY_SEAT,
}

MADE = "Made from the field tables of the games by python -m tests.sample_bots.views --write."

HEADER = f"""\
/* Views with a type for every field: what your seat may know (SPEC 10.3, 11.11, 12.11).
 * {MADE}
 *
 *     TrickView view;
 *     if (trick_view(request, &view) && strcmp(view.phase, "play") == 0) {{
 *         puts(view.hand.at[0]);
 *     }}
 *
 * Nothing is allocated, so that a view may be kept and copied by `=`. Only an `options` points into
 * the message: copy what you want to keep of it.
 *
 * Nil is NIL for a number, "" for a text, a list without entries, and for a struct called NAME it
 * is has_NAME that is false. Fields that a later server adds are passed over. */

#ifndef VIEWS_H
#define VIEWS_H

#include "wire/fields.h"
#include "wire/messages.h"

"""

READER = f"""\
/* {MADE} */

#include "views.h"

#include <stdio.h>
"""


def header(shapes: Sequence[Shape]) -> str:
    """views.h: the types, and the functions that read views."""
    parts = [HEADER + _limits()]
    for shape in shapes:
        for member in shape.members:
            if member.type.lists == 2:
                bound = BOUNDS[shape.name, member.name]
                entry = _plain(member)
                parts.append(f"typedef LIST_OF({entry}, {bound.entry_most}) {bound.entry};\n")
        parts.append(_struct(shape))
    for shape in views(shapes):
        name = snake(shape.name)
        parts.append(
            _comment(
                f"The view of a request. False: it is not of {' or '.join(shape.games)}; or it"
                " could not be read, and standard error says so.",
                0,
            )
            + f"bool {name}(const Request *request, {shape.name} *to);\n\n"
            + _comment("Read a packed view of these games. False: it could not be read.", 0)
            + f"bool read_{name}(Value view, {shape.name} *to);\n"
        )
    return "\n".join(parts) + "\n#endif\n"


def reader(shapes: Sequence[Shape]) -> str:
    """views.c: one function for each type."""
    parts = [READER]
    for shape in shapes:
        for member in shape.members:
            if member.type.lists == 2:
                parts.append(_entry_reader(BOUNDS[shape.name, member.name], member))
        parts.append(_list_reader(shape) if shape.is_list else _map_reader(shape))
        if shape.is_view:
            parts.append(_accessor(shape))
    return "\n".join(parts)


FILES = {"c-random/views.h": header, "c-random/views.c": reader}


def snake(name: str) -> str:
    """`TrickView` as `trick_view`."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).removeprefix("_")


def _limits() -> str:
    lines = []
    width = max(len(f"{name} = {most},") for name, (most, _) in LIMITS.items())
    for name, (most, why) in LIMITS.items():
        comma = "" if name == [*LIMITS][-1] else ","
        lines.append(f"    {f'{name} = {most}{comma}':<{width}} /* {why} */")
    return "enum {\n" + "\n".join(lines) + "\n};\n"


def _struct(shape: Shape) -> str:
    members = [*shape.members, *filter(None, [shape.rest])]
    lines = ["typedef struct {"]
    for member in members:
        lines.append(_comment(member.meaning, 4) + "".join(_declared(shape, member)).rstrip())
    return _comment(shape.about, 0) + "\n".join(lines) + f"\n}} {shape.name};\n"


def _declared(shape: Shape, member: Member) -> Iterator[str]:
    """The lines that declare a member."""
    if member.type.lists or member is shape.rest:
        bound = _bound(shape, member)
        yield f"    LIST_OF({bound.entry or _plain(member)}, {bound.most}) {member.name};\n"
        return
    if _has(member):
        yield f"    bool has_{member.name};\n"
    yield f"    {_plain(member)} {member.name};\n"


def _bound(shape: Shape, member: Member) -> Bound:
    """The limit of a list. One that BOUNDS does not name may be as long as the longest deck."""
    if (shape.name, member.name) not in BOUNDS and member.type.lists > 1:
        raise ValueError(
            f"{shape.name}.{member.name} is a list of lists: say in BOUNDS how long they may be"
        )
    return BOUNDS.get((shape.name, member.name), PILE)


def _plain(member: Member) -> str:
    types = {"number": "int", "text": "Text", "map": "Value"}
    return types.get(member.type.kind, member.type.shape)


def _has(member: Member) -> bool:
    return member.may_be_nil and member.type.kind in ("shape", "map") and not member.type.lists


def _comment(text: str, indent: int) -> str:
    lines = textwrap.wrap(text, 100 - indent - len("/*  */"), break_on_hyphens=False)
    space = " " * indent
    return f"{space}/* " + f"\n{space} * ".join(lines) + " */\n"


def _value(shape: Shape, member: Member) -> str:
    """The expression that reads the value of a member, nil aside."""
    to = f"to->{member.name}"
    if member.type.lists == 2:
        # The entries are read by a loop after it.
        return f"read_count(from, &{to}.count, {_bound(shape, member).most})"
    if member.type.lists == 1:
        if member.type.kind not in ("number", "text"):
            raise ValueError(f"{shape.name}.{member.name}: a list of {member.type.kind}s")
        bound = _bound(shape, member)
        return f"read_{member.type.kind}s(from, &{to}.count, {to}.at, {bound.most})"
    if member.type.kind == "shape":
        return f"read_{snake(member.type.shape)}(from, &{to})"
    if member.type.kind == "text":
        return f"read_text(from, {to})"
    return f"read_{member.type.kind}(from, &{to})"


def _assigned(shape: Shape, member: Member, indent: int) -> str:
    """The statements that read the value of a field."""
    space = " " * indent
    value = _value(shape, member)
    if _has(member):
        value = f"(to->has_{member.name} = {value})"
    if member.may_be_nil:
        value = f"take_nil(from) || {value}"
    lines = f"{space}fields.good = {value};\n"
    if len(lines) > 101:
        lines = f"{space}fields.good =\n{space}    {value};\n"
    if member.type.lists == 2:
        entry = snake(_bound(shape, member).entry)
        to = f"to->{member.name}"
        lines += (
            f"{space}for (int i = 0; fields.good && i < {to}.count; i++) {{\n"
            f"{space}    fields.good = read_{entry}(from, &{to}.at[i]);\n"
            f"{space}}}\n"
        )
    return lines


def _entry_reader(bound: Bound, member: Member) -> str:
    """The reader of an entry of a list of lists."""
    head = f"static bool read_{snake(bound.entry)}(Reader *from, {bound.entry} *to)\n{{\n"
    if member.type.kind != "shape":
        read = f"read_{member.type.kind}s(from, &to->count, to->at, {bound.entry_most})"
        return f"{head}    return {read};\n}}\n"
    return (
        f"{head}    bool good = read_count(from, &to->count, {bound.entry_most});\n"
        "    for (int i = 0; good && i < to->count; i++) {\n"
        f"        good = read_{snake(member.type.shape)}(from, &to->at[i]);\n"
        "    }\n"
        "    return good;\n}\n"
    )


def _list_reader(shape: Shape) -> str:
    """The reader of a list whose places have names, and any number of texts after them."""
    assert shape.rest is not None
    count, most = len(shape.members), _bound(shape, shape.rest).most
    to = f"to->{shape.rest.name}"
    lines = [
        f"static bool read_{snake(shape.name)}(Reader *from, {shape.name} *to)\n{{\n",
        f"    *to = ({shape.name}){{0}};\n",
        "    int count;\n",
        f"    bool good = read_count(from, &count, {count} + {most}) && count >= {count};\n",
        *(f"    good = good && {_value(shape, member)};\n" for member in shape.members),
        f"    for (int i = {count}; good && i < count; i++) {{\n",
        f"        good = read_text(from, {to}.at[{to}.count++]);\n",
        "    }\n    return good;\n}\n",
    ]
    return "".join(lines)


def _map_reader(shape: Shape) -> str:
    """The reader of a map: of a record from where a Reader stands, of a view from its Value."""
    assert len(shape.members) < 64, "fields are counted in 64 bits"
    name = snake(shape.name)
    nils = [
        member.name
        for member in shape.members
        if member.may_be_nil and member.type.kind == "number" and not member.type.lists
    ]
    first = ", ".join(f".{each} = NIL" for each in nils) or "0"
    if shape.is_view:
        lines = [
            f"bool read_{name}(Value view, {shape.name} *to)\n{{\n",
            f"    *to = ({shape.name}){{{first}}};\n",
            "    Reader inside = mp_inside(view), *from = &inside;\n",
            "    Fields fields = fields_of(view, from);\n",
        ]
    else:
        lines = [
            f"static bool read_{name}(Reader *from, {shape.name} *to)\n{{\n",
            f"    *to = ({shape.name}){{{first}}};\n",
            "    Fields fields = fields_of(mp_head(from), from);\n",
        ]
    lines.append("    while (next_field(&fields)) {\n")
    for number, member in enumerate(shape.members):
        otherwise = "        if" if number == 0 else " else if"
        lines.append(f'{otherwise} (field_is(&fields, {number}, "{member.name}")) {{\n')
        lines.append(_assigned(shape, member, 12))
        lines.append("        }")
    lines.append(" else {\n            fields.good = pass_over(from);\n        }\n    }\n")
    lines.append(f"    return all_fields_came(&fields, {len(shape.members)})")
    if shape.is_view:
        # The helpers of cards.c count on both.
        lines.append(
            " && to->seats > 0 && to->seats <= MAX_SEATS &&\n"
            "           to->seat >= 0 && to->seat < to->seats"
        )
    lines.append(";\n}\n")
    return "".join(lines)


def _accessor(shape: Shape) -> str:
    """The function that reads the view of a request, if it is of one of the shape's games."""
    name = snake(shape.name)
    games = [f'mp_is(game, "{game}")' for game in shape.games]
    chapter = "11.11" if shape.name == "TrickView" else "12.11"
    return (
        f"bool {name}(const Request *request, {shape.name} *to)\n{{\n"
        '    Value game = mp_field(request->view, "game");\n'
        f"    if ({_negated(games)}) {{\n"
        "        return false;\n    }\n"
        f"    if (!read_{name}(request->view, to)) {{\n"
        f'        fprintf(stderr, "a view of %.*s that is not as in SPEC {chapter}\\n", '
        "(int)game.size, game.text);\n"
        "        return false;\n    }\n"
        "    return true;\n}\n"
    )


def _negated(conditions: Sequence[str]) -> str:
    return " && ".join(f"!{each}" for each in conditions)
