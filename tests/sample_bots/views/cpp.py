"""The views in C++: structs for the mapping macros of msgpack-cxx, and a variant of the views.

`views.cpp`, which reads them, is written by hand: it takes the views and their games from here.

A map becomes a struct with MSGPACK_DEFINE_MAP, which passes over the fields that it does not name.
No macro is for a list whose places have names and which goes on with texts: its functions are
written out.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from tests.sample_bots.views.shapes import Member, Shape, views

MADE = "Made from the field tables of the games by python -m tests.sample_bots.views --write."

HEADER = f"""\
// Views with a type for every field: what your seat may know (SPEC 10.3, 11.11, 12.11).
// {MADE}
//
//     const View view = read_view(request.view);
//     if (const auto* tricks = std::get_if<TrickView>(&view); tricks && tricks->trump == "R") {{
//         std::cerr << tricks->hand.size() << " cards, and red is trump" << std::endl;
//     }}
//
// Nil is std::nullopt. Fields that a later server adds are passed over. A view is a copy, which may
// be kept; only `options` points into the message, and is good until the next one comes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <msgpack.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
"""


def header(shapes: Sequence[Shape]) -> str:
    """views.hpp: the types."""
    parts = [HEADER, *map(_struct, shapes)]
    names = [shape.name for shape in views(shapes)]
    parts.append(
        _comment("A view, or neither: of a game that is not known here.", 0)
        + f"using View = std::variant<std::monostate, {', '.join(names)}>;\n"
    )
    parts.append(
        _comment(
            "Read the view of a request, by the name of its game. Throws std::runtime_error if it"
            " is not as SPEC says.",
            0,
        )
        + "View read_view(const msgpack::object& view);\n"
    )
    return "\n".join(parts)


FILES = {"cpp-random/views.hpp": header}


def _struct(shape: Shape) -> str:
    members = [*shape.members, *filter(None, [shape.rest])]
    lines = "".join(
        _comment(member.meaning, 4) + f"    {_declared(member, is_rest=member is shape.rest)};\n"
        for member in members
    )
    if shape.is_list:
        end = _list_functions(shape)
    else:
        start = "    MSGPACK_DEFINE_MAP("
        names = ", ".join(member.name for member in members) + ")"
        lines_of_names = textwrap.wrap(names, 100 - len(start))
        end = f"\n{start}" + f"\n{' ' * len(start)}".join(lines_of_names) + "\n"
    if shape.is_view:
        names = ", ".join(f'"{game}"' for game in shape.games)
        end = f"\n    static constexpr std::string_view games[] = {{{names}}};{end}"
    return f"{_comment(shape.about, 0)}struct {shape.name} {{\n{lines}{end}}};\n"


def _declared(member: Member, is_rest: bool) -> str:
    types = {"number": "int", "text": "std::string", "map": "msgpack::object"}
    type_ = types.get(member.type.kind, member.type.shape)
    lists = 1 if is_rest else member.type.lists
    for _ in range(lists):
        type_ = f"std::vector<{type_}>"
    if member.may_be_nil:
        return f"std::optional<{type_}> {member.name}"
    return f"int {member.name} = 0" if type_ == "int" else f"{type_} {member.name}"


def _comment(text: str, indent: int) -> str:
    start = " " * indent + "// "
    lines = textwrap.wrap(text, 100 - len(start), break_on_hyphens=False)
    return "".join(f"{start}{line}\n" for line in lines)


def _list_functions(shape: Shape) -> str:
    """What MSGPACK_DEFINE_MAP gives to a map, for a list whose places have names and any number of
    texts after them."""
    assert shape.rest is not None
    count, rest = len(shape.members), shape.rest.name
    return (
        "\n    void msgpack_unpack(const msgpack::object& list) {\n"
        f"        if (list.type != msgpack::type::ARRAY || list.via.array.size < {count}) {{\n"
        "            throw msgpack::type_error();\n"
        "        }\n"
        "        const msgpack::object* const at = list.via.array.ptr;\n"
        + "".join(
            f"        at[{place}].convert({member.name});\n"
            for place, member in enumerate(shape.members)
        )
        + f"        for (std::size_t i = {count}; i < list.via.array.size; i++) {{\n"
        f"            {rest}.push_back(at[i].as<std::string>());\n"
        "        }\n"
        "    }\n"
        "    template <typename Packer>\n"
        "    void msgpack_pack(Packer& out) const {\n"
        f"        out.pack_array(static_cast<std::uint32_t>({count} + {rest}.size()));\n"
        + "".join(f"        out.pack({member.name});\n" for member in shape.members)
        + f"        for (const auto& each : {rest}) out.pack(each);\n"
        "    }\n"
    )
