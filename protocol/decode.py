"""Decodes a body from a bot into a typed message or a breach, never an exception (SPEC 4).

A correct action takes the quick path, msgspec. Every body that msgspec refuses, and the few
correct forms that it cannot vouch for, take the strict path, which finds the words.
"""

from __future__ import annotations

import msgspec
from msgspec import MsgspecError
from msgspec.msgpack import Decoder

from protocol.breach import Breach
from protocol.fields import check
from protocol.messages import FROM_BOT, FROM_SERVER, Action, FromBot
from protocol.strict import read_map, shown

_decode = Decoder(Action).decode

_FOUR_FIELDS = 0x84
_FIVE_FIELDS = 0x85


def decode_from_bot(body: bytes) -> FromBot | Breach:
    """Decode one body, held to SPEC 3.3 for its bytes and to SPEC 4 for its fields."""
    try:
        action = _decode(body)
    except (MsgspecError, UnicodeDecodeError, RecursionError):
        return decode_strictly(body)
    # msgspec accepts a key that comes twice. All fields are flat, so if the map's header counts
    # as many as were read, none came twice. The strict path decides about the two cases left:
    # an empty note, which is read as none, and a text that `isprintable` refuses, as SPEC 4-4
    # allows some of those.
    if (
        body[0] == (_FIVE_FIELDS if action.note else _FOUR_FIELDS)
        and action.match.isprintable()
        and action.action.isprintable()
        and action.note.isprintable()
    ):
        return action
    return decode_strictly(body)


def decode_strictly(body: bytes) -> FromBot | Breach:
    """Decode one body by the strict reader alone, which is slower and finds the exact breach."""
    came = read_map(body)
    if isinstance(came, Breach):
        return came
    name = came.get("type")
    message = FROM_BOT.get(name) if isinstance(name, str) else None
    if message is None:
        return _wrong_type(came)
    breach = check(message, came)
    if breach is not None:
        return breach
    return msgspec.convert(came, message)


def _wrong_type(came: dict[str, object]) -> Breach:
    expected = "type: " + " or ".join(FROM_BOT)
    if "type" not in came:
        return Breach("unknown-type", "a map without type", expected)
    # Imported here: a referee whose bots send no wrong type does not need it.
    from difflib import get_close_matches

    name = came["type"]
    code = "server-type" if isinstance(name, str) and name in FROM_SERVER else "unknown-type"
    near = get_close_matches(name[:20], FROM_BOT, n=1) if isinstance(name, str) else []
    advice = f"Did you mean {near[0]}?" if near and code == "unknown-type" else ""
    return Breach(code, f"type is {shown(name)}", expected, advice)
