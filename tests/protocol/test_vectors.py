"""Every vector, both ways, with msgspec and msgpack alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgpack
import msgspec
import pytest

from protocol.bot_end import BotEnd
from protocol.breach import Breach
from protocol.codes import CODES, FAREWELLS, KINDS
from protocol.commitment import commit, keeps
from protocol.decode import decode_from_bot, decode_strictly
from protocol.encode import encode
from protocol.farewells import refusal
from protocol.frames import FrameReader
from protocol.messages import FROM_BOT, FROM_SERVER, Action, Hello, Request
from protocol.server_end import ServerEnd, Stale
from tests import vectors
from tests.helpers import framed, pair_in
from tests.vectors import (
    CommitmentVector,
    Conversation,
    FrameVector,
    MessageVector,
    Step,
    Violation,
    load,
)

V = TypeVar("V", bound=msgspec.Struct)


def each(kind: type[V]) -> pytest.MarkDecorator:
    loaded = load(kind)
    return pytest.mark.parametrize("vector", loaded, ids=[getattr(v, "name") for v in loaded])  # noqa: B009


def test_the_schema_is_in_step_with_the_types_the_tests_load() -> None:
    written = (vectors.FOLDER / "schema.json").read_text()
    assert written == vectors.schema(), "run python -m tests.vectors --write"


def test_every_file_of_vectors_is_loaded() -> None:
    files = {Path(path).stem for path in vectors.FOLDER.glob("*.json")}
    assert files == {*vectors.KINDS, "schema"}


@pytest.mark.parametrize("kind", vectors.KINDS.values())
def test_vectors_of_a_kind_have_different_names(kind: type[msgspec.Struct]) -> None:
    names = [getattr(vector, "name") for vector in load(kind)]  # noqa: B009
    assert len(names) == len(set(names))


@each(FrameVector)
def test_frames_come_out_however_they_were_cut(vector: FrameVector) -> None:
    reader = FrameReader(vector.max_body_bytes)
    bodies, breach = [], None
    for chunk in vector.chunks:
        got = reader.read(bytes.fromhex(chunk))
        while isinstance(got, bytes):
            bodies.append(got.hex())
            got = reader.read()
        breach = got
    assert bodies == vector.bodies
    assert (breach.code if breach else None) == vector.breach
    if breach is None:
        unfinished = None if reader.is_between_frames else reader.unfinished().code
        assert unfinished == vector.at_end


def typed(message: dict[str, Any]) -> Any:
    """A message of either side as its class."""
    return msgspec.convert(message, {**FROM_BOT, **FROM_SERVER}[message["type"]])


@each(MessageVector)
def test_messages_are_read_as_what_they_say(vector: MessageVector) -> None:
    body = bytes.fromhex(vector.hex)
    with_defaults = msgspec.to_builtins(typed(vector.message))
    if vector.sender == "bot":
        assert decode_from_bot(body) == typed(vector.message)
        assert decode_strictly(body) == typed(vector.message)
    kind = type(typed(vector.message))
    assert msgspec.to_builtins(msgspec.msgpack.decode(body, type=kind)) == with_defaults
    unpacked = msgpack.unpackb(body)
    assert msgspec.to_builtins(typed(unpacked)) == with_defaults


@each(MessageVector)
def test_messages_are_written_as_these_bytes(vector: MessageVector) -> None:
    if not vector.canonical:
        return
    body = bytes.fromhex(vector.hex)
    assert msgpack.packb(vector.message) == body
    if vector.sender == "server":
        assert encode(typed(vector.message)) == framed(body)


@each(Conversation)
def test_conversations_go_as_written(vector: Conversation) -> None:
    server, bot = ServerEnd(), BotEnd()
    only_bot = False
    for step in vector.steps:
        only_bot = only_bot or step.only_bot
        if step.sender == "bot":
            bot_step(server, bot, step)
        else:
            server_step(server, bot, step, only_bot)
            assert bot.state.value == step.after
        if not only_bot:
            assert server.state.value == step.after


def bot_step(server: ServerEnd, bot: BotEnd, step: Step) -> None:
    data = bytes.fromhex(step.hex)
    got = server.receive(data)
    if not server.is_between_frames:
        got = server.unfinished()
    if step.breach is not None:
        assert isinstance(got, Breach)
        assert got.code == step.breach
        return
    if step.stale:
        assert isinstance(got, Stale)
        got = got.action
    assert step.message is not None
    assert got == typed(step.message)
    if isinstance(got, Hello):
        bot.hello("any")  # the least hello leaves out what the kit always sends
    elif isinstance(got, Action) and bot.asked is not None and bot.asked["id"] == got.id:
        assert bot.action(got.action, got.note) == data


def server_step(server: ServerEnd, bot: BotEnd, step: Step, only_bot: bool) -> None:
    data = bytes.fromhex(step.hex)
    if not only_bot:
        message = typed(step.message or {})
        if isinstance(message, Request):
            sent = server.request(
                message.match, message.view, message.legal, message.time_us, message.charged_us
            )
            assert server.asked == message.id
        else:
            sent = server.send(message)
        assert sent == data
    if bot.state.value != "opened" or (step.message or {})["type"] == "bye":
        assert bot.receive(data) == step.message


@each(Violation)
def test_violations_are_refused_with_their_code_and_sentence(vector: Violation) -> None:
    server = pair_in(vector.state).server
    got = server.receive(framed(bytes.fromhex(vector.hex)))
    assert isinstance(got, Breach)
    assert (got.code, got.kind, got.text) == (vector.code, vector.kind, vector.text)
    if vector.state == "opened":
        bye = refusal(got)
        assert (bye.reason if bye else None) == vector.reason
        assert server.state.value == "opened"
    elif vector.state == "asked":
        settles = got.kind in ("unreadable", "illegal")
        assert server.state.value == ("playing" if settles else "asked")
        assert server.asked == (0 if settles else 3)
    else:
        assert got.kind == "out-of-turn"
        assert server.state.value == vector.state


@each(CommitmentVector)
def test_commitments_are_as_the_vectors_say(vector: CommitmentVector) -> None:
    nonce, seed = bytes.fromhex(vector.nonce), bytes.fromhex(vector.seed)
    assert commit(vector.match, nonce, seed) == vector.commitment
    assert keeps(vector.commitment, vector.match, nonce, seed)
    assert not keeps(vector.commitment, vector.match + "x", nonce, seed)


# Nobody is connected to be told of these; the tests of `breaches` show their words.
NEVER_ON_THE_WIRE = {"no-connection", "exited", "no-hello", "hello-refused", "closed"}


def test_every_message_code_and_farewell_is_in_some_vector() -> None:
    steps = [step for each in load(Conversation) for step in each.steps]
    seen_types = {step.message["type"] for step in steps if step.message}
    assert seen_types >= {*FROM_BOT, *FROM_SERVER}
    faults = [m for step in steps if (m := step.message) and m["type"] == "fault"]
    codes = {step.breach for step in steps} | {message["code"] for message in faults}
    codes |= {vector.code for vector in load(Violation)}
    assert codes - {None} == set(CODES) - NEVER_ON_THE_WIRE
    assert {message["kind"] for message in faults} | {"never-started"} == set(KINDS)
    byes = {m["reason"] for step in steps if (m := step.message) and m["type"] == "bye"}
    assert byes == set(FAREWELLS)
