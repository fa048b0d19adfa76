"""SPEC.md and the code say the same."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import msgpack
import pytest

from arena.record.timing import DEFAULTS
from protocol.codes import CODES, FAREWELLS, KINDS
from protocol.fields import fields_of
from protocol.limits import LIMITS_BY_NAME, MAX_BOT_BODY_BYTES, MAX_NUMBER, MAX_SERVER_BODY_BYTES
from protocol.messages import FROM_BOT, FROM_SERVER
from protocol.order import ConnectionState, Event
from tests import spec, spec_games, vectors
from tests.helpers import framed
from tests.vectors import Conversation, load

TEXT = spec.SPEC.read_text()
TESTS = Path(__file__).parent.parent


def test_what_is_generated_is_as_the_code_has_it() -> None:
    assert spec.written(TEXT) == TEXT, "run python -m tests.spec --write"


def test_every_table_has_its_place_in_the_spec_once() -> None:
    names = re.findall("<!-- generated: ([^ ]+) -->", TEXT)
    assert sorted(names) == sorted(spec.TABLES)


def test_every_must_has_an_id_of_its_section() -> None:
    section = ""
    ids = []
    for line in TEXT.splitlines():
        if heading := re.match(r"#+ (\d+(?:\.\d+)*) ", line):
            section = heading[1]
        if line.startswith("A sentence with MUST"):
            continue
        found = spec.MUST_ID.findall(line)
        assert len(found) == len(re.findall(r"\bMUST\b", line)), line
        assert all(each.rpartition("-")[0] == section for each in found), line
        ids += found
    assert len(ids) == len(set(ids))


def test_every_must_has_a_vector_or_a_test_that_names_it() -> None:
    proved = {
        id_
        for file in vectors.FOLDER.glob("*.json")
        for vector in json.loads(file.read_text()).get("vectors", ())
        for id_ in vector["spec"]
    }
    # A test names it as [2.3-1].
    for file in TESTS.rglob("test_*.py"):
        if file != Path(__file__):
            proved |= set(spec.MUST_ID.findall(file.read_text()))
    unproved = set(spec.MUST_ID.findall(TEXT)) - proved
    assert not unproved, f"name {unproved} in the docstring of a test, or in a vector's `spec`"


def test_every_section_that_code_and_vectors_cite_exists() -> None:
    known = {*spec.sections(TEXT), *spec.MUST_ID.findall(TEXT)}
    cited = {code.where for code in CODES.values()}
    for file in vectors.FOLDER.glob("*.json"):
        for vector in json.loads(file.read_text()).get("vectors", ()):
            cited |= set(vector["spec"])
    for file in vectors.FOLDER.parent.glob("*.py"):
        cited |= set(re.findall(r"SPEC (\d+(?:\.\d+)*)", file.read_text()))
    assert cited <= known


def test_chapters_follow_each_other() -> None:
    numbers = [tuple(map(int, number.split("."))) for number in spec.sections(TEXT)]
    assert numbers == sorted(set(numbers))
    last = max(spec_games.LAST_CHAPTER, *spec_games.CHAPTERS.values())
    assert [number[0] for number in numbers if len(number) == 1] == list(range(1, last + 1))
    for before, after in pairwise(numbers):
        deeper = (*before, 1)
        nexts = {(*before[:level], before[level] + 1) for level in range(len(before))}
        assert after in {deeper, *nexts}


def test_the_first_page_decodes_to_what_it_says_and_is_the_first_conversation() -> None:
    """The replay is in test_vectors; here, that the page prints those bytes."""
    block = spec.marked(TEXT)["session"]
    steps = load(Conversation)[0].steps
    printed = re.findall(r"^(bot|server): (.*)\n  (\{.*\})\n((?:  [0-9a-f ]+\n)+)", block, re.M)
    assert len(printed) == len(steps)
    for (sender, _, message, hexadecimal), step in zip(printed, steps, strict=True):
        data = bytes.fromhex(hexadecimal)
        assert sender == step.sender
        assert data.hex() == step.hex
        body = data[4:]
        assert framed(body) == data
        assert msgpack.unpackb(body) == json.loads(message)


@pytest.mark.parametrize("number", [MAX_BOT_BODY_BYTES, MAX_SERVER_BODY_BYTES, MAX_NUMBER])
def test_limits_named_in_the_prose_are_those_of_the_code(number: int) -> None:
    prose = re.sub(r"<!-- generated.*?<!-- end -->", "", TEXT, flags=re.DOTALL)
    assert str(number) in prose


def test_lines_of_json_in_the_examples_are_one_message_each() -> None:
    for message in re.findall(r"^  (\{.*\})$", TEXT, re.MULTILINE):
        assert "type" in json.loads(message)


# Words in code type that are no name of the protocol's.
OTHER_WORDS = {
    *("ARENA_CONNECT", "ARENA_TOKEN", "ARENA_RETRY_S", "HOME", "TMPDIR"),
    *("TCP_NODELAY", "MUST", "bot.toml", "code type"),
    *(
        "unix:PATH",
        "tcp:HOST:PORT",
        "tcp:[::1]:4000",
        "Hell",
        "bin",
        "true",
        "false",
        "nil",
        "null",
    ),
    *("protocol/vectors/", "protocol/vectors/chance.json", "arena commitment 1"),
    *("unix", "tcp", "tls", "tls:HOST:PORT", "wss", "wss://HOST/PATH", "wss://HOST:PORT/PATH"),
    *("wss://[::1]:8443/bots", "/", "GET", "101", "close_notify"),
    *("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"),
    *("/etc", "build/", "target/", "dist/", "node_modules/"),
    *("evidence:AT", "arena", "arena evidence FILE"),
    *("dealer", "deal", "reshuffle", "penalty", "void", "forfeit", "nope", "actions"),
}


def test_the_prose_of_the_wire_names_nothing_that_the_code_does_not_have() -> None:
    wire = spec.about_the_wire(TEXT)
    prose = re.sub(r"```.*?```|<!-- generated.*?<!-- end -->", "", wire, flags=re.DOTALL)
    known = {*CODES, *KINDS, *FAREWELLS, *LIMITS_BY_NAME, *FROM_BOT, *FROM_SERVER, "type"}
    known |= {name for name, _, _ in DEFAULTS} | {state.value for state in ConnectionState}
    known |= {event.value for event in Event}
    for message in (*FROM_BOT.values(), *FROM_SERVER.values()):
        known |= {field.name for field in fields_of(message)}
    words = set(re.findall(r"`([^`\n]+)`", prose))
    in_hex = {word for word in words if re.fullmatch("[0-9a-f]{2}( [0-9a-f]{2})*", word)}
    assert words - in_hex - known - OTHER_WORDS == set()
