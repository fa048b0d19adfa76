"""Views as structs of Rust that borrow their texts from the frame they came in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from tests.sample_bots.views.shapes import Kind, Member, Shape, views

WIDTH = 99

# Counts and seats are what indices are. These numbers may be below zero.
SIGNED = {"points", "scores", "scored"}

HEAD = """\
//! Made from the field tables of the games: the views of 11.11 and 12.11. Where a comment says
//! nil, there is an `Option`. Fields that are not named here are passed over, and a text may have
//! values that are not invented yet (9).

use std::collections::BTreeMap;
use std::fmt::{Formatter, Result as Written};

use rmp_serde::decode::Error;
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::messages::{Setting, view_in};
"""

PLAIN: Mapping[Kind, str] = {
    "number": "usize",
    "text": "&'a str",
    "map": "BTreeMap<&'a str, Setting<'a>>",
}

LIST = """\

impl<'de: 'a, 'a> Deserialize<'de> for {name}<'a> {{
    /// Reads the list that it is on the wire.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {{
        struct Places;

        impl<'de> Visitor<'de> for Places {{
            type Value = {name}<'de>;

            fn expecting(&self, f: &mut Formatter) -> Written {{
                f.write_str("a list of at least {count} values")
            }}

            fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Self::Value, S::Error> {{
                let short = |places| S::Error::invalid_length(places, &Places);
                Ok({name} {{
{places}
                    {rest}: {{
                        let mut texts = Vec::new();
                        while let Some(text) = list.next_element()? {{
                            texts.push(text);
                        }}
                        texts
                    }},
                }})
            }}
        }}

        deserializer.deserialize_seq(Places)
    }}
}}
"""


def text(shapes: Sequence[Shape]) -> str:
    return HEAD + "".join([*(struct(shape, shapes) for shape in shapes), view(shapes)])


def struct(shape: Shape, shapes: Sequence[Shape]) -> str:
    derived = "" if shape.is_list else ", Deserialize"
    lines = [
        "",
        *comment(shape.about),
        f"#[derive(Debug, Clone, PartialEq{derived})]",
        "#[cfg_attr(test, derive(serde::Serialize))]",
        f"pub struct {generic(shape, shapes)} {{",
    ]
    for member in members(shape):
        lines += comment(sentence(member), "    ")
        if needs_borrow(member, shapes) and not shape.is_list:
            lines.append("    #[serde(borrow)]")
        lines.append(f"    pub {member.name}: {type_of(member, shape, shapes)},")
    return "\n".join([*lines, "}", ""]) + (reader(shape) if shape.is_list else "")


def members(shape: Shape) -> Iterator[Member]:
    yield from shape.members
    if shape.rest is not None:
        yield shape.rest


def borrows(shape: Shape, shapes: Sequence[Shape]) -> bool:
    """Whether texts are in it, so that it borrows from the frame."""
    return any(
        member.type.kind in ("text", "map") or inner_borrows(member, shapes)
        for member in members(shape)
    )


def inner_borrows(member: Member, shapes: Sequence[Shape]) -> bool:
    return any(borrows(shape, shapes) for shape in shapes if shape.name == member.type.shape)


def needs_borrow(member: Member, shapes: Sequence[Shape]) -> bool:
    """Whether serde must be told to borrow; of a mere `&str` it knows."""
    if member.type.kind == "text":
        return member.type.lists > 0 or member.may_be_nil
    return member.type.kind == "map" or inner_borrows(member, shapes)


def generic(shape: Shape, shapes: Sequence[Shape]) -> str:
    return shape.name + "<'a>" * borrows(shape, shapes)


def type_of(member: Member, shape: Shape, shapes: Sequence[Shape]) -> str:
    plain = PLAIN.get(member.type.kind)
    if plain is None:
        (inner,) = (each for each in shapes if each.name == member.type.shape)
        plain = generic(inner, shapes)
    elif member.name in SIGNED:
        plain = "i64"
    lists = member.type.lists + (member is shape.rest)
    whole = "Vec<" * lists + plain + ">" * lists
    return f"Option<{whole}>" if member.may_be_nil else whole


def reader(shape: Shape) -> str:
    assert shape.rest is not None
    places = "\n".join(
        f"{' ' * 20}{member.name}: list.next_element()?.ok_or_else(|| short({place}))?,"
        for place, member in enumerate(shape.members)
    )
    return LIST.format(
        name=shape.name, count=len(shape.members), places=places, rest=shape.rest.name
    )


def view(shapes: Sequence[Shape]) -> str:
    """The enum of all views, and what reads the right one."""
    arms = []
    variants = []
    for shape in views(shapes):
        name = shape.name.removesuffix("View")
        about = f"Of {shape.about.removeprefix('A view of ')}"
        variants += [*comment(about, "    "), f"    {name}(Box<{generic(shape, shapes)}>),"]
        games = " | ".join(f'"{game}"' for game in shape.games)
        arms.append(f"            {games} => View::{name}(view_in(message)?),")
    return "\n".join(
        [
            "",
            "/// What your seat may know.",
            "#[derive(Debug, Clone, PartialEq)]",
            "pub enum View<'a> {",
            *variants,
            "    /// Of a game that is not invented yet.",
            "    Unknown,",
            "}",
            "",
            "impl<'a> View<'a> {",
            "    /// Reads the view of a game out of the body of a message.",
            "    pub fn read(game: &str, message: &'a [u8]) -> Result<Self, Error> {",
            "        Ok(match game {",
            *arms,
            "            _ => View::Unknown,",
            "        })",
            "    }",
            "}",
            "",
        ]
    )


def comment(words: str, indent: str = "") -> list[str]:
    width = WIDTH - len(f"{indent}/// ")
    return [f"{indent}/// {line}" for line in wrap(words, width, break_long_words=False)]


def sentence(member: Member) -> str:
    """What a member means, as a sentence."""
    words = member.meaning.removesuffix(".")
    return f"{words[:1].upper()}{words[1:]}."


FILES = {"rust-random/src/views.rs": text}
