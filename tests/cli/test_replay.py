"""`arena replay`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.games import GAMES
from arena.record import FaultEntry, Note, dump, to_json
from arena.record.replay import replay
from arena.record.transcript import Audience, transcript
from tests.audit.honest import Honest, honest
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
    assert "place 1:" not in output, "the match goes on after them"
    last = len(RECORD.moves) - 1
    _, output = run("replay", file, "--from", str(last - 1), "--to", str(last))
    assert "place 1:" in output


def test_moves_from_the_middle_begin_with_the_table_and_the_result_is_told_by_place(
    file: str,
) -> None:
    _, output = run("replay", file, "--from", str(len(RECORD.moves) - 1))
    lines = output.splitlines()
    before = next(line for line in lines if line.startswith("Before move "))
    for words in ("round: 1", "scores: 0 0 0 0", "trick: ", "board: trump ", "points "):
        assert words in before
    places = [line.split()[1] for line in lines if line.startswith("place ")]
    assert places == sorted(places)


def lines_of(*arguments: str) -> list[dict[str, Any]]:
    code, output = run("replay", *arguments, "--json")
    assert code == 0, output
    return [json.loads(line) for line in output.splitlines()]


def test_json_has_a_line_for_each_decision_as_its_seat_was_asked(file: str) -> None:
    game = GAMES[RECORD.game]
    state = game.deal(RECORD.seats, RECORD.seed_bytes, RECORD.options)
    for line, move in zip(lines_of(file), RECORD.moves, strict=True):
        assert (line["seat"], line["bot"]) == (move.seat, RECORD.names[move.seat])
        assert line["view"] == json.loads(json.dumps(state.view(move.seat)))
        assert line["legal"] == [game.actions.name(code) for code in state.legal(move.seat)]
        assert (line["action"], line["time_us"]) == (move.action, move.time_us)
        assert (line["played_by"], line["note"], line["faults"]) == ("bot", None, [])
        assert "hands" not in line
        state.apply(move.seat, game.actions.code(move.action))
    assert line["move"] == len(RECORD.moves) - 1


def test_json_of_some_moves_of_one_seat(file: str) -> None:
    own = [number for number, move in enumerate(RECORD.moves) if move.seat == 1]
    assert [line["move"] for line in lines_of(file, "--seat", "1")] == own
    some = lines_of(file, "--seat", "1", "--from", str(own[2]), "--to", str(own[5]))
    assert [line["move"] for line in some] == own[2:6]
    assert all(line["view"]["seat"] == 1 for line in some)
    assert lines_of(file, "--from", "3", "--to", "3")[0]["move"] == 3


def test_json_with_all_hands_open_has_the_hands_by_seat(file: str) -> None:
    (line,) = lines_of(file, "--open", "--from", "1", "--to", "1")
    state = [step.state.copy() for step in replay(RECORD)][1]
    assert line["hands"] == [state.view(seat)["hand"] for seat in range(4)]
    assert line["view"]["hand"] == line["hands"][RECORD.moves[1].seat]


def test_notes_faults_and_what_the_referee_played_are_in_json(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    seat = RECORD.moves[4].seat
    marked = replace(
        RECORD,
        notes=(Note(2, "\x1bhm"),),
        faults=(FaultEntry(seat, 4, "late", "out-of-time", "too late"),),
    )
    path.write_text(to_json(marked))
    _, output = run("replay", str(path), "--json")
    assert "\x1b" not in output
    lines = lines_of(str(path))
    assert [line["note"] for line in lines if line["note"]] == ["\x1bhm"]
    assert lines[2]["note"]
    assert [line["move"] for line in lines if line["played_by"] == "referee"] == [4]
    assert [line["move"] for line in lines if line["faults"]] == [4]
    assert lines[4]["faults"][0]["bot"] == RECORD.names[seat]


def test_a_record_is_written_as_it_is_and_replayed_again(file: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    assert run("replay", file, "--record", str(copy)) == (0, "")
    assert copy.read_text() == to_json(RECORD) + "\n"
    assert run("replay", str(packed(tmp_path)), "--record", "-") == (0, to_json(RECORD) + "\n")
    assert run("replay", str(copy))[0] == 0
    many = tmp_path / "many.json"
    many.write_text(to_json(replace(RECORD, match="one")) + "\n" + to_json(RECORD))
    assert run("replay", str(many), "--match", "1", "--record", "-")[1] == to_json(RECORD) + "\n"


@pytest.mark.parametrize("more", ["--seat 1", "--open", "--from 2", "--to 2", "--json"])
def test_a_record_is_written_whole_or_not_at_all(file: str, more: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    code, output = run("replay", file, "--record", str(copy), *more.split())
    assert (code, "--record writes the whole record" in output) == (2, True)
    assert not copy.exists()


def test_a_record_that_cannot_be_written_or_does_not_fit_is_an_error(
    file: str, tmp_path: Path
) -> None:
    code, output = run("replay", file, "--record", str(tmp_path / "nowhere" / "x"))
    assert (code, "cannot be written: No such file" in output) == (2, True)
    wrong, copy = tmp_path / "wrong.json", tmp_path / "copy.json"
    wrong.write_text(to_json(replace(RECORD, moves=RECORD.moves[:-1])))
    code, output = run("replay", str(wrong), "--record", str(copy))
    assert (code, "the match is not over" in output) == (1, True)
    assert not copy.exists()


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
    assert (code, "is after --to" in output) == (2, True)
    assert run("replay", file, "--from", "5", "--to", "5")[0] == 0


def test_one_match_cannot_be_chosen_from(file: str, tmp_path: Path) -> None:
    for one in (file, str(packed(tmp_path))):
        code, output = run("replay", one, "--match", "1")
        assert (code, "this file has 1 record, numbered from 0" in output) == (2, True)
        assert run("replay", one, "--match", "0")[0] == 0
    league = honest(tmp_path, Honest(sets=1))
    code, output = run("replay", f"{league}:1.2", "--match", "0")
    assert (code, "names one match already" in output) == (2, True)
