"""Each `bye` with its sentence (SPEC 4.8)."""

from __future__ import annotations

from protocol.breach import Breach
from protocol.codes import FAREWELLS
from protocol.messages import Bye, Hello
from protocol.version import SPOKEN


def farewell(reason: str, detail: str = "") -> Bye:
    """A goodbye; a detail, if there is one, follows the reason's own sentence."""
    meaning = FAREWELLS[reason]
    sentence = meaning[0].upper() + meaning[1:] + "."
    return Bye(reason, f"{sentence} {detail}".rstrip())


def refusal(first: Hello | Breach) -> Bye | None:
    """Why the first message of a connection cannot be accepted; None if it can.

    Whether the token is anybody's, and free, only the caller knows.
    """
    match first:
        case Breach(kind="gone"):
            return farewell(first.code, first.text)
        case Breach(code="nothing-asked"):
            return farewell("not-hello", "Say hello first (SPEC 4.1).")
        case Breach():
            return farewell("bad-hello", first.text)
        case Hello(protocol=protocol) if protocol not in SPOKEN:
            spoken = " or ".join(map(str, SPOKEN))
            return farewell(
                "bad-version", f"You said protocol {protocol}, it speaks {spoken} (SPEC 9)."
            )
        case _:
            return None
