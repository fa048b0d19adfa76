"""What a bot sent, from a body: a typed message or a breach, never an exception (SPEC 4).

An action that is as it should be takes the quick path. Whatever msgspec refuses, and the
few good forms it cannot vouch for, take the strict one, which finds the words.
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
    """The message in a body, strictly: SPEC 3.3 for the bytes, SPEC 4 for the fields."""
    try:
        action = _decode(body)
    except (MsgspecError, UnicodeDecodeError, RecursionError):
        return decode_strictly(body)
    # msgspec lets a key pass twice. All fields are flat, so if the header counts as many as
    # were read, none came twice. An empty note counts as none, and not all that is unprintable
    # is refused: the strict path tells.
    if (
        body[0] == (_FIVE_FIELDS if action.note else _FOUR_FIELDS)
        and action.match.isprintable()
        and action.action.isprintable()
        and action.note.isprintable()
    ):
        return action
    return decode_strictly(body)


def decode_strictly(body: bytes) -> FromBot | Breach:
    """The same by the strict reader alone: slower, and it knows what is wrong."""
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
    name = came["type"]
    code = "server-type" if isinstance(name, str) and name in FROM_SERVER else "unknown-type"
    return Breach(code, f"type is {shown(name)}", expected)
