"""The fields of a message as data: to check messages from bots, and for the tables of SPEC."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import Struct, inspect

from protocol.breach import Breach
from protocol.strict import shown

# Control characters, line and paragraph separators, and the marks that turn the direction
# of writing. They could forge a line in a log or move the cursor of a terminal.
_BAD = frozenset(
    map(
        chr,
        [
            *range(0x20),
            *range(0x7F, 0xA0),
            0x061C,
            0x200E,
            0x200F,
            *range(0x2028, 0x202F),
            *range(0x2066, 0x206A),
        ],
    )
)

_UNCHANGED = "Send what ARENA_TOKEN held, unchanged (SPEC 2.3)."


class MessageField(Struct, frozen=True):
    """One field of a message."""

    name: str
    type: str  # in the words of SPEC, such as "list of texts"
    required: bool
    most: int | None  # characters of a text, entries of a list, the greatest number
    each: int | None  # characters of each entry of a list of texts
    meaning: str


@cache
def fields_of(message: type[Struct]) -> tuple[MessageField, ...]:
    """All fields of a message's class but `type`, in their order on the wire."""
    return tuple(_field(field) for field in inspect.type_info(message).fields)  # type: ignore[attr-defined]  # a Struct's type_info has them


def check(message: type[Struct], came: Mapping[str, object]) -> Breach | None:
    """Find the first thing wrong with a bot's message; None if it is correct.

    `message` is its class, `came` the whole map that came, its `type` included.
    """
    known = {field.name: field for field in fields_of(message)}
    name = f"`{came['type']}`"
    for key in came:
        if key not in known and key != "type":
            return Breach(
                "unknown-field",
                f"{name} with a field {shown(key)}",
                "no fields but " + ", ".join(known),
                _did_you_mean(key, known),
            )
    for field in known.values():
        if field.name not in came:
            if field.required:
                return Breach(
                    "missing-field", f"{name} without {field.name}", f"{field.name}: {field.type}"
                )
            continue
        breach = _check_value(field, f"{field.name} of {name}", came[field.name])
        if breach is not None:
            if field.name == "token":  # the usual advice, to shorten it say, would be wrong
                return Breach(breach.code, breach.came, breach.expected, _UNCHANGED)
            return breach
    return None


def _has_bad_text(text: str) -> bool:
    """Look for a character that is refused."""
    # `isprintable` refuses more than SPEC 4-4 does, but passes most texts quickly.
    return not text.isprintable() and not _BAD.isdisjoint(text)


def _check_value(field: MessageField, where: str, value: object) -> Breach | None:
    if field.type == "number":
        if not isinstance(value, int) or isinstance(value, bool):
            return _wrong_type(where, value, "a whole number")
        if not 0 <= value <= (field.most or 0):
            return Breach("out-of-range", f"{where} is {value}", f"0 to {field.most}")
        return None
    if field.type == "text":
        return _check_text(where, value, field.most or 0)
    if not isinstance(value, list):
        return _wrong_type(where, value, "a list of texts")
    if len(value) > (field.most or 0):
        return Breach("too-long", f"{where} has {len(value)} entries", f"at most {field.most}")
    for entry in value:
        breach = _check_text(f"an entry of {where}", entry, field.each or 0)
        if breach is not None:
            return breach
    return None


def _check_text(where: str, value: object, most: int) -> Breach | None:
    if not isinstance(value, str):
        return _wrong_type(where, value, "text")
    if len(value) > most:
        return Breach("too-long", f"{where} has {len(value)} characters", f"at most {most}")
    if _has_bad_text(value):
        return Breach("bad-text", f"{where} is {shown(value)}", "text without control characters")
    return None


def _wrong_type(where: str, value: object, expected: str) -> Breach:
    return Breach("wrong-type", f"{where} is {shown(value)}", expected)


def _did_you_mean(came: str, known: Mapping[str, MessageField]) -> str:
    from difflib import get_close_matches  # imported only where a field is misspelt

    near = get_close_matches(came[:40], known, n=1)
    return f"Did you mean {near[0]}?" if near else ""


def _field(field: inspect.Field) -> MessageField:
    node, meaning = field.type, ""
    most: int | None = None
    while isinstance(node, inspect.Metadata):
        schema = node.extra_json_schema or {}
        meaning = str(schema.get("description", meaning))
        node = node.type
    each = None
    if isinstance(node, inspect.IntType):
        most = node.le
    elif isinstance(node, inspect.StrType):
        most = node.max_length
    elif isinstance(node, inspect.VarTupleType):
        most = node.max_length
        entry = node.item_type
        each = entry.max_length if isinstance(entry, inspect.StrType) else None
    return MessageField(
        name=field.name,
        type=_in_words(node),
        required=field.required,
        most=most,
        each=each,
        meaning=meaning,
    )


def _in_words(node: inspect.Type) -> str:
    match node:
        case inspect.IntType():
            return "number"
        case inspect.StrType():
            return "text"
        case inspect.BoolType():
            return "true or false"
        case inspect.NoneType():
            return "nil"
        case inspect.UnionType(types=types):
            return " or ".join(_in_words(each) for each in types)
        case inspect.CollectionType(item_type=item) | inspect.VarTupleType(item_type=item):
            return f"list of {_in_words(item)}s"
        case inspect.DictType(value_type=value):
            return "map" if isinstance(value, inspect.AnyType) else f"map of {_in_words(value)}s"
        case _:
            raise TypeError(f"no words for {node!r}: a field of a message holds what SPEC 3.3 has")
