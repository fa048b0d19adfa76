"""The vectors as types: what `protocol/vectors/schema.json` says, and how tests load them.

`python -m tests.vectors --write` writes the schema anew.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

FOLDER = Path(__file__).parent.parent / "protocol" / "vectors"

Hex = Annotated[str, Meta(pattern="^([0-9a-f]{2})*$", description="bytes, as hexadecimal")]
Sections = Annotated[list[str], Meta(description="sections of SPEC.md, and its MUSTs as 3.1-1")]


class _Strict(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class FrameVector(_Strict, frozen=True):
    name: str
    spec: Sections
    max_body_bytes: int
    chunks: Annotated[list[Hex], Meta(description="what each read brings")]
    bodies: Annotated[list[Hex], Meta(description="the bodies in them, in order")]
    breach: Annotated[str | None, Meta(description="the code that refuses what follows them")]
    at_end: Annotated[str | None, Meta(description="the code if the stream ends here")]


class MessageVector(_Strict, frozen=True, rename={"sender": "from"}):
    name: str
    spec: Sections
    sender: Literal["bot", "server"]
    message: dict[str, Any]
    hex: Hex
    canonical: Annotated[bool, Meta(description="packing the message makes these very bytes")]


class Step(_Strict, frozen=True, rename={"sender": "from"}):
    sender: Literal["bot", "server"]
    after: Annotated[str, Meta(description="the state of the connection afterwards, SPEC 5.1")]
    hex: Annotated[Hex, Meta(description="the whole frame, header and body")]
    message: dict[str, Any] | None = None
    means: str = ""
    breach: Annotated[str | None, Meta(description="the code the server finds")] = None
    stale: Annotated[bool, Meta(description="the server ignores it")] = False
    only_bot: Annotated[bool, Meta(description="from a server of a later day")] = False


class Conversation(_Strict, frozen=True):
    name: str
    spec: Sections
    steps: list[Step]


class Violation(_Strict, frozen=True):
    name: str
    spec: Sections
    state: Literal["opened", "idle", "playing", "asked"]
    hex: Hex
    kind: str
    code: str
    reason: Annotated[str | None, Meta(description="of the bye that answers it before welcome")]
    text: Annotated[str, Meta(description="our wording; need not be yours")]


class ChanceVector(_Strict, frozen=True):
    name: str
    spec: Sections
    seed: Hex
    label: str
    counter: int
    stream: Annotated[Hex, Meta(description="how the stream begins")]
    below: Annotated[list[int], Meta(description="bounds, one after the other on one stream")]
    numbers: Annotated[list[int], Meta(description="the number drawn below each")]
    shuffled: Annotated[list[int], Meta(description="0, 1, 2 ... shuffled")]


class CommitmentVector(_Strict, frozen=True):
    name: str
    spec: Sections
    match: str
    nonce: Hex
    seed: Hex
    commitment: Hex


class FollowingVector(_Strict, frozen=True):
    name: str
    spec: Sections
    view: Annotated[dict[str, Any], Meta(description="of the seat that is asked to play a card")]
    hex: Annotated[Hex, Meta(description="the view, packed")]
    may_play: Annotated[list[str], Meta(description="each card of the hand that may be played")]


class TrickVector(_Strict, frozen=True):
    name: str
    spec: Sections
    view: Annotated[dict[str, Any], Meta(description="with the last card of a trick just played")]
    hex: Annotated[Hex, Meta(description="the view, packed")]
    taken_by: Annotated[int, Meta(description="the seat that takes the trick")]
    teammates: Annotated[list[int], Meta(description="the others in the team of the view's seat")]


class ShowingVector(_Strict, frozen=True):
    name: str
    spec: Sections
    card: Annotated[str, Meta(description="a card of NOPE!")]
    colours: Annotated[str, Meta(description="those it shows, in the order RGBY")]
    number: Annotated[int | None, Meta(description="that it has as a card to be laid on")]


KINDS: dict[str, type[Struct]] = {
    "frames": FrameVector,
    "messages": MessageVector,
    "conversations": Conversation,
    "violations": Violation,
    "chance": ChanceVector,
    "commitment": CommitmentVector,
    "following": FollowingVector,
    "tricks": TrickVector,
    "showing": ShowingVector,
}

V = TypeVar("V", bound=Struct)


def load(kind: type[V]) -> list[V]:
    """All vectors of a kind; a file that does not fit the schema does not load."""
    (name,) = (name for name, each in KINDS.items() if each is kind)
    document = json.loads((FOLDER / f"{name}.json").read_text())
    assert set(document) == {"about", "vectors"}
    return msgspec.convert(document["vectors"], list[kind])  # type: ignore[valid-type]  # a value


def schema() -> str:
    """The JSON Schema of all files, one definition for each."""
    files = {
        name: {
            "type": "object",
            "properties": {
                "about": {"type": "string"},
                "vectors": {"type": "array", "items": {"$ref": f"#/$defs/{kind.__name__}"}},
            },
            "required": ["about", "vectors"],
            "additionalProperties": False,
        }
        for name, kind in KINDS.items()
    }
    _, definitions = msgspec.json.schema_components(KINDS.values(), ref_template="#/$defs/{name}")
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": "The file NAME.json fits #/$defs/NAME.",
        "$defs": {**files, **definitions},
    }
    return json.dumps(document, indent=1) + "\n"


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    (FOLDER / "schema.json").write_text(schema())
