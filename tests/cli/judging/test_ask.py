"""`arena ask`, with real bots."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.json_formats import ASK
from arena.league.store.folder import COMPLETE_SETS, DATABASE
from arena.record import Record, from_json, to_json
from arena.record.decisions import decisions
from tests.audit.damage import Damaged
from tests.audit.honest import Honest, honest
from tests.cli.json_schemas import misfits
from tests.cli.test_main import run
from tests.play import random_record

RECORD = random_record("nope", 2, options={"max_turns": 10})
# Answers every request with its first legal action.
FIRST = """
from protocol import run

run(lambda request: request["legal"][0], version="1")
"""
# Says what is not legal at its second request.
WRONG = """
import itertools
from protocol import run

asked = itertools.count(1)
run(lambda request: "R1R1" if next(asked) == 2 else request["legal"][0], version="1")
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "match.json"
    path.write_text(to_json(RECORD))
    return str(path)


def bot(folder: Path, program: str, name: str = "asked") -> str:
    home = folder / name
    home.mkdir()
    (home / "bot.py").write_text(program)
    (home / "bot.toml").write_text(
        f'name = "{name}"\ncommand = ["{{python}}", "bot.py"]\ngames = "any"\n'
    )
    return str(home)


def asked(*arguments: str) -> dict[str, Any]:
    _, output = run("ask", *arguments, "--json")
    document: dict[str, Any] = json.loads(output[output.index("{\n") :])
    return document


def own(seat: int) -> list[Any]:
    return [
        each._replace(state=each.state.copy()) for each in decisions(RECORD) if each.seat == seat
    ]


def test_differences_are_shown_with_what_the_seat_saw_and_what_was_legal(
    file: str, tmp_path: Path
) -> None:
    code, output = run("ask", file, bot(tmp_path, FIRST), "--seat", "1")
    assert code == 0, output
    others = [each for each in own(1) if each.legal[0] != each.move.action]
    told = re.findall(r"^move (\d+): played (\S+); your bot answers (\S+)$", output, re.M)
    assert told == [(str(each.number), each.move.action, each.legal[0]) for each in others]
    for each in others:
        assert f"hand: {' '.join(each.view()['hand'])}" in output
        assert f"legal: {' '.join(each.legal)}" in output
    whole = len(own(1))
    assert output.splitlines()[-1] == (
        f"seat 1 (owl): {whole} answers, {whole - len(others)} as played, {len(others)}"
        " otherwise, 0 faults"
    )


def test_of_what_happened_before_only_that_since_the_seats_last_move_is_shown(
    file: str, tmp_path: Path
) -> None:
    later = [each.number for each in own(0)][1:]
    for before, number in zip([each.number for each in own(0)], later, strict=False):
        _, output = run("ask", file, bot(tmp_path, FIRST, f"at-{number}"), "--move", str(number))
        block = output.partition(f"move {number}: ")[2].partition("legal:")[0]
        told = [int(each) for each in re.findall(r"^ +(\d+)  seat ", block, re.M)]
        assert told, block
        assert all(before <= each < number for each in told), block


def test_one_move_is_shown_also_where_the_answer_is_the_same(file: str, tmp_path: Path) -> None:
    same = next(each for each in own(0) if each.legal[0] == each.move.action)
    code, output = run("ask", file, bot(tmp_path, FIRST), "--move", str(same.number))
    assert code == 0
    told = f"move {same.number}: played {same.move.action}; your bot answers the same"
    assert told in output
    assert output.count("move ") == 1


def test_a_bot_is_asked_for_the_seat_of_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(to_json(replace(RECORD, names=("owl", "asked"))))
    assert asked(str(path), bot(tmp_path, FIRST))["seat"] == 1


def test_without_seat_or_move_or_its_name_the_seats_are_told(file: str, tmp_path: Path) -> None:
    code, output = run("ask", file, bot(tmp_path, FIRST))
    assert code == 2
    assert "which seat? This match had seats 0 ('fox') and 1 ('owl')" in output


def test_a_move_of_another_seat_is_told_with_those_beside_it(file: str, tmp_path: Path) -> None:
    mine, theirs = [each.number for each in own(0)], own(1)[1].number
    code, output = run("ask", file, bot(tmp_path, FIRST), "--seat", "0", "--move", str(theirs))
    assert code == 2
    said = " ".join(output.split())
    assert f"move {theirs} is of seat 1 ('owl'), not of seat 0" in said
    before = max(number for number in mine if number < theirs)
    after = min(number for number in mine if number > theirs)
    assert f"Seat 0 has moves {before} and {after}" in said


def test_a_move_that_is_not_there_is_told_how_many_there_are(file: str, tmp_path: Path) -> None:
    code, output = run("ask", file, bot(tmp_path, FIRST), "--move", "999")
    said = " ".join(output.split())
    assert (code, f"moves 0 to {len(RECORD.moves) - 1}; got 999" in said) == (2, True)


def test_an_illegal_answer_is_told_with_what_is_legal_and_the_bot_is_asked_on(
    file: str, tmp_path: Path
) -> None:
    code, output = run("ask", file, bot(tmp_path, WRONG), "--seat", "0")
    assert code == 3
    second = own(0)[1]
    assert (
        f"move {second.number}: played {second.move.action}; your bot answers with a fault"
        in output
    )
    assert '! illegal (not-legal, SPEC 4.5): you played "R1R1", but nope has no such' in output
    assert f"expected {', '.join(second.legal)}" in output
    assert f"{len(own(0))} answers" in output


def test_a_bot_that_does_not_start_is_told_with_what_it_printed(file: str, tmp_path: Path) -> None:
    program = "import sys\nsys.exit('no such module')\n"
    code, output = run("ask", file, bot(tmp_path, program), "--seat", "0")
    assert code == 4
    assert "the bot did not start: never-started (exited" in output
    assert "its process: exit code 1" in output
    assert "  | no such module" in output


def test_a_bot_that_ends_in_the_middle_is_told_with_what_it_printed(
    file: str, tmp_path: Path
) -> None:
    program = WRONG.replace('"R1R1"', 'exit("tired")')
    code, output = run("ask", file, bot(tmp_path, program), "--seat", "0")
    assert code == 3
    assert "  | tired" in output
    assert f"{len(own(0)) - 2} requests after that not answered" in output


def test_repeated_answers_are_counted_and_each_time_is_a_new_process(
    file: str, tmp_path: Path
) -> None:
    """The bot answers by the number of the request that it gets, so memory would show."""
    second = own(0)[1]
    told = asked(file, bot(tmp_path, FIRST), "--move", str(second.number), "--repeat", "3")
    assert [sum(each["counts"].values()) for each in told["decisions"]] == [3, 3]
    assert told["decisions"][1]["counts"] == {second.legal[0]: 3}
    code, output = run("ask", file, "python-random", "--move", str(second.number), "--repeat", "3")
    assert code == 0
    assert re.search(r"your bot answers (\S+ (once|2 times|3 times)(, )?)+$", output, re.M)
    assert "in 3 processes asked 2 requests each" in output


def test_the_document_is_what_docs_say(file: str, tmp_path: Path) -> None:
    told = asked(file, bot(tmp_path, WRONG), "--seat", "0")
    assert misfits(ASK, told) == []
    assert [each["move"] for each in told["decisions"]] == [each.number for each in own(0)]
    assert told["decisions"][0]["view"] == json.loads(json.dumps(own(0)[0].view()))
    assert told["decisions"][1]["counts"] == {"fault": 1}


def test_a_bot_that_does_not_play_the_game_is_refused(file: str) -> None:
    code, output = run("ask", file, "python-tricks", "--seat", "0")
    assert (code, "says it plays" in output) == (2, True)


def test_a_match_of_a_league_is_asked_about_with_its_own_clock(tmp_path: Path) -> None:
    league = honest(tmp_path, Honest(sets=1))
    record = of_league(league)
    told = asked(f"{league}:1.1", bot(tmp_path, FIRST), "--seat", "0", "--clock")
    assert len(told["decisions"]) == sum(move.seat == 0 for move in record.moves)


def test_a_bot_of_the_leagues_file_is_found_in_the_row_of_its_later_version(tmp_path: Path) -> None:
    home = honest(tmp_path, Honest(bots=("fox+2", "owl", "crow", "hare"), sets=1))
    for file in (DATABASE, COMPLETE_SETS):
        Damaged(home, file).event("entrant", {"version_of": "fox"}, name="fox+2")
    told = asked(f"{home}:1.1", bot(tmp_path, FIRST, "fox"))
    seat = of_league(home).names.index("fox+2")
    assert told["seat"] == seat


def of_league(league: Path) -> Record:
    _, output = run("replay", f"{league}:1.1", "--record", "-")
    return from_json(output)
