"""docs/json.md against what the commands really print: envelopes, keys and types."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.cli import COMMANDS, main
from arena.cli.doctor_json import document as doctor_document
from arena.json_formats import (
    CHECK,
    DOCTOR,
    DOCUMENT,
    EVENTS,
    FORMATS,
    MATCH,
    MATCHES,
    REPLAY,
    STANDINGS,
    JsonFormat,
    JsonKey,
)
from arena.record import Note, to_json
from tests.audit.honest import Honest, honest
from tests.cli.json_schemas import ELSEWHERE, FILE, SCHEMAS, misfits, misfits_of, written
from tests.cli.test_doctor import NONE, REPORT
from tests.cli.test_main import run
from tests.play import random_record

FAST = ("-o", "max_turns=3")


def printed(*arguments: str) -> Any:
    """The JSON document that a command prints, after any lines for people."""
    _, output = run(*arguments)
    return json.loads(output[output.index("{\n") :])


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Honest(sets=4, illegal=("hare",), absent=("mole",), unfinished=2)
    return honest(tmp_path_factory.mktemp("leagues"), made)


def test_the_document_has_every_key_of_every_format() -> None:
    assert FILE.read_text() == written(), "run: python -m tests.cli.json_schemas --write"
    assert {*SCHEMAS} | {*ELSEWHERE} == {*FORMATS}
    assert len({each.name for each in FORMATS}) == len(FORMATS)


def test_every_section_that_a_key_names_is_there_and_every_other_is_named() -> None:
    for each, sections in SCHEMAS.items():
        types = [key.type for keys in sections.values() for key in keys.values()]
        named = {re.sub(r"^(list of )+| or null$", "", type_) for type_ in types}
        plain = {"text", "number", "whole number", "true or false", "map"}
        assert named - plain == sections.keys() - {DOCUMENT}, each


def test_every_command_that_prints_json_has_a_format() -> None:
    printing = set()
    for name in COMMANDS:
        command = main.get_command(None, name)  # type: ignore[arg-type]  # it reads no context
        assert command is not None
        options = {option for each in command.params for option in each.opts}
        printing |= {f"arena {name} {each}" for each in ("--json", "--events") if each in options}
    assert printing == {each.printed_by for each in FORMATS}


ITEMS: list[dict[str, Any]] = [
    {"match": "1.1", "moves": [{"seat": 0}, []], "says": 'a "new\nline" \u2028 é', "none": {}},
    {"match": "1.2", "moves": []},
    {},
    {"match": None},
]


@pytest.mark.parametrize("items", range(len(ITEMS) + 1))
def test_pieces_of_a_document_are_its_text(items: int) -> None:
    before, after = {"league": "cup\n", "game": "nyet"}, {"next": None, "more": [{"a": 1}]}
    asked: list[int] = []

    def given() -> Iterator[dict[str, Any]]:
        for number, each in enumerate(ITEMS[:items]):
            asked.append(number)
            yield each

    pieces = MATCHES.pieces(before, "matches", given(), lambda: {**after, "asked": [*asked]})
    whole = {**before, "matches": ITEMS[:items], **after, "asked": [*range(items)]}
    assert "\n".join(pieces) == MATCHES.text(whole)


def test_a_document_of_pieces_is_not_begun_if_its_first_item_cannot_be_read() -> None:
    def fails() -> Iterator[dict[str, Any]]:
        raise ValueError("damaged")
        yield {}

    with pytest.raises(ValueError, match="damaged"):
        next(MATCHES.pieces({"league": "cup"}, "matches", fails(), dict))


def test_an_item_is_read_when_its_piece_is_asked_for() -> None:
    read: list[int] = []

    def given() -> Iterator[dict[str, Any]]:
        for number in range(1000):
            read.append(number)
            yield {"number": number}

    pieces = MATCHES.pieces({"league": "cup"}, "matches", given(), dict)
    for _ in range(5):
        next(pieces)
    assert len(read) == 5


@pytest.mark.parametrize("more", [(), ("--evidence",), ("--limit", "3")])
def test_matches_of_a_league(league: Path, more: tuple[str, ...]) -> None:
    found = printed("matches", str(league), "--json", *more)
    assert misfits(MATCHES, found) == []
    assert len(found["matches"]) >= 3
    assert all(("evidence" in each) == ("--evidence" in more) for each in found["matches"])


def test_decisions_of_a_match(league: Path, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    record = random_record("nope", 3)
    file.write_text(to_json(replace(record, notes=(Note(1, "hm"),))))
    matches = printed("matches", str(league), "--json", "--fault", "illegal")["matches"]
    for arguments in (
        (str(file),),
        (str(file), "--open"),
        (f"{league}:{matches[0]['match']}",),
    ):
        code, output = run("replay", *arguments, "--json")
        assert code == 0
        lines = [json.loads(line) for line in output.splitlines()]
        assert lines
        assert [misfits(REPLAY, line) for line in lines if misfits(REPLAY, line)] == []
        assert all(("hands" in line) == ("--open" in arguments) for line in lines)
    assert {line["played_by"] for line in lines} == {"bot", "referee"}
    assert any(line["faults"] for line in lines)


def test_matches_played_here(tmp_path: Path) -> None:
    two = ("nope", "python-random", "python-bare")
    assert misfits(MATCH, printed("match", *two, *FAST, "--json")) == []
    sets = printed("match", *two, *FAST, "--sets", "2", "--stop", "0:0.5", "--json")
    assert misfits(MATCH, sets) == []
    assert {*sets} >= {"results", "stop"}
    game, one, other = two
    words = (game, one, "--against", other, "--field", one, "--sets", "2")
    against = printed("match", *words, *FAST, "--json")
    assert misfits(MATCH, against) == []
    assert against["bots"] == [one, f"{one}-2", other]
    rows = {row["bot"]: row["ahead"] for row in against["results"]}
    assert against["against"]["ahead"] == pytest.approx(rows[one] - rows[other])
    folder = tmp_path / "silent"
    folder.mkdir()
    (folder / "bot.py").write_text("import sys; sys.exit('no')\n")
    (folder / "bot.toml").write_text(
        f'name = "silent"\ncommand = [{json.dumps(sys.executable)}, "bot.py"]\ngames = ["nope"]\n'
    )
    absent = printed("match", *two[:2], str(folder), "--json")
    assert misfits(MATCH, absent) == []
    (played,) = absent["matches"]
    assert (played["ending"], played["faults"][0]["bot"]) == ("not-begun", "silent")
    assert "no" in played["evidence"][0]["stderr"]


def test_a_check() -> None:
    arguments = ("--game", "nope", "--step", "6", "--json")
    assert misfits(CHECK, printed("check", "python-random", *arguments)) == []


def test_a_doctors_report() -> None:
    for report in (REPORT, NONE):
        assert misfits(DOCTOR, json.loads(doctor_document(report))) == []


def test_standings_and_events_have_their_envelopes(league: Path) -> None:
    standings = printed("table", str(league), "--json")
    assert [*standings.items()][:2] == [("format", STANDINGS.name), ("version", STANDINGS.version)]
    assert EVENTS.printed_by == "arena league --events"


SECTIONS = {
    DOCUMENT: {"name": JsonKey("text", ""), "seats": JsonKey("list of seat or null", "")},
    "seat": {
        "bot": JsonKey("text or null", ""),
        "place": JsonKey("whole number", "", is_optional=True),
    },
}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"name": "x", "seats": None}, []),
        ({"name": "x", "seats": [{"bot": None}, {"bot": "y", "place": 1}]}, []),
        ({"seats": []}, ["it.name is missing"]),
        ({"name": "x", "seats": [], "more": 1}, ["it.more is not documented"]),
        ({"name": None, "seats": []}, ["it.name is null"]),
        ({"name": "x", "seats": {}}, ["it.seats is no list"]),
        ({"name": "x", "seats": [3]}, ["it.seats[] is 3, not seat"]),
        ({"name": 7, "seats": []}, ["it.name is 7, not text"]),
        (
            {"name": "x", "seats": [{"bot": "y", "place": True}]},
            ["it.seats[].place is True, not whole number"],
        ),
    ],
)
def test_a_document_that_is_not_as_its_keys_say_is_found(value: Any, told: list[str]) -> None:
    assert [*misfits_of(SECTIONS, DOCUMENT, value, "it")] == told


def test_a_document_without_its_envelope_is_found() -> None:
    assert misfits(MATCH, {"game": "nope"}) == ["its envelope is {'format': None, 'version': None}"]
    other = JsonFormat("arena-match", 2, "").document({})
    assert misfits(MATCH, other) == ["its envelope is {'format': 'arena-match', 'version': 2}"]
