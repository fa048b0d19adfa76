"""`arena replay`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.record import Audience, dump, to_json, transcript
from tests.cli.honest import Honest, honest
from tests.cli.test_main import run
from tests.play import random_record

RECORD = random_record("nyet", 4)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "match.json"
    path.write_text(to_json(RECORD))
    return str(path)


def packed(folder: Path) -> Path:
    path = folder / "match"
    path.write_bytes(dump(RECORD))
    return path


def test_a_record_is_told_as_a_spectator_saw_it(file: str) -> None:
    assert run("replay", file) == (0, "\n".join(transcript(RECORD)) + "\n")


def test_a_record_in_msgpack_is_told_too(tmp_path: Path) -> None:
    assert run("replay", str(packed(tmp_path))) == (0, "\n".join(transcript(RECORD)) + "\n")


@pytest.mark.parametrize(
    ("flags", "audience"),
    [(("--seat", "2"), Audience(2)), (("--open",), Audience(all_open=True))],
)
def test_a_record_is_told_to_a_seat_or_with_all_hands_open(
    file: str, flags: tuple[str, ...], audience: Audience
) -> None:
    code, output = run("replay", file, *flags)
    assert code == 0
    assert output == "\n".join(transcript(RECORD, audience)) + "\n"
    assert "hand of seat 2:" in output


def test_some_moves_of_it_are_told(file: str) -> None:
    code, output = run("replay", file, "--from", "2", "--to", "3")
    assert code == 0
    lines = [line for line in output.splitlines() if " covers " in line]
    assert [line.split()[-1] for line in lines] == [move.action for move in RECORD.moves[2:4]]
    assert "place 1:" in output


def test_json_lines_hold_the_view_of_the_audience(file: str) -> None:
    code, output = run("replay", file, "--json", "--seat", "1", "--to", "4")
    assert code == 0
    lines = [json.loads(line) for line in output.splitlines()]
    assert [line["move"] for line in lines] == [0, 1, 2, 3, 4]
    assert all(line["view"]["seat"] == 1 for line in lines)
    assert all("action" not in line and "hands" not in line for line in lines)
    code, output = run("replay", file, "--json", "--open", "--from", "1", "--to", "1")
    (line,) = [json.loads(line) for line in output.splitlines()]
    assert line["action"] == RECORD.moves[1].action
    assert {*line["hands"]} == {"0", "1", "2", "3"}


def test_a_record_that_does_not_fit_names_its_first_wrong_move(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    moves = (*RECORD.moves[:9], RECORD.moves[0], *RECORD.moves[10:])
    path.write_text(to_json(replace(RECORD, moves=moves)))
    for flags in ((), ("--json",)):
        code, output = run("replay", str(path), *flags)
        assert code == 1
        assert "Error: move 9 (seat " in output


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "this is no record: Input data was truncated."),
        (b"[1]", "this is no record: Expected `str`, got `int`"),
        (b"\x81", "this is no record: Expected `array`, got `object`."),
        (b"# A page\n", "this is no record: JSON is malformed"),
        (b'{"a":1}\n', "this is no record: Expected `array`, got `object`."),
        (b'{"n":1,"event":"league"}\n{"n":2}\n', "these are events of a league."),
    ],
)
def test_a_file_that_is_no_record_is_named(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "thing"
    path.write_bytes(content)
    code, output = run("replay", str(path))
    assert code == 1
    said = " ".join(output.split())
    assert f"Error: {path}: {words}" in said
    assert "A record is what `arena match --record FILE` writes; of a league's matches," in said


def test_seats_and_flags_that_make_no_sense_are_refused(file: str, tmp_path: Path) -> None:
    code, output = run("replay", file, "--seat", "4")
    assert code == 2
    assert "this match had seats 0 to 3; got 4" in output
    code, output = run("replay", file, "--seat", "1", "--open")
    assert code == 2
    assert "exclude each other" in output
    assert run("replay", str(tmp_path / "nowhere"))[0] == 2


def test_moves_that_are_not_there_are_refused(file: str) -> None:
    """Else nothing would be shown, and nothing said."""
    moves = len(RECORD.moves)
    code, output = run("replay", file, "--from", str(moves))
    assert (code, f"this match has moves 0 to {moves - 1}; got {moves}" in output) == (2, True)
    assert run("replay", file, "--from", str(moves - 1))[0] == 0
    code, output = run("replay", file, "--from", "10", "--to", "5")
    assert (code, "--to is the later one" in output) == (2, True)
    assert run("replay", file, "--from", "5", "--to", "5")[0] == 0


def test_one_match_cannot_be_chosen_from(file: str, tmp_path: Path) -> None:
    for one in (file, str(packed(tmp_path))):
        code, output = run("replay", one, "--match", "1")
        assert (code, "there is 1 in this file, from 0" in output) == (2, True)
        assert run("replay", one, "--match", "0")[0] == 0
    league = honest(tmp_path, Honest(sets=1))
    code, output = run("replay", f"{league}:1.2", "--match", "0")
    assert (code, "names its match already" in output) == (2, True)
