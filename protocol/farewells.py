"""Makes each `bye` with its sentence (SPEC 4.8)."""

from __future__ import annotations

from protocol.breach import Breach
from protocol.codes import FAREWELLS
from protocol.messages import Bye, Hello
from protocol.version import SPOKEN


def farewell(reason: str, detail: str = "") -> Bye:
    """Make a `bye`; `detail` is a sentence to follow the reason's own, "" for none."""
    meaning = FAREWELLS[reason]
    sentence = meaning[0].upper() + meaning[1:] + "."
    return Bye(reason, f"{sentence} {detail}".rstrip())


def refusal(first: Hello | Breach) -> Bye | None:
    """Make the `bye` for a first message that cannot be accepted; None if it can be.

    The token is not looked at: only the caller knows the entrants and their connections.
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
