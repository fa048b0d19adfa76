"""`arena judge`."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from arena.cli.judging.judge import WorkTime
from arena.cli.judging.situation import situation
from arena.json_formats import JUDGE
from arena.record import to_json
from arena.record.decisions import decision
from tests.cli.test_main import run
from tests.play import random_record

RECORD = random_record("nyet", 4)
QUICK = ("--worlds", "32")
DOCUMENT = Path(__file__).parents[3] / "docs" / "judging.md"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "match.json"
    path.write_text(to_json(RECORD))
    return str(path)


def judged(file: str, *more: str) -> dict[str, Any]:
    code, output = run("judge", file, *QUICK, "--json", *more)
    assert code == 0, output
    document: dict[str, Any] = json.loads(output)
    return document


def test_it_says_what_it_is_and_how_far_to_trust_it(file: str) -> None:
    code, output = run("judge", file, "--seat", "1", *QUICK)
    assert code == 0
    assert "This is an estimate" in output
    assert "the value of an action: points of the round for the seat, less" in output
    assert "a difference inside its bar is no mistake" in output
    assert "How far to trust it: The rules that play on" in output
    assert "An undecided decision may be a mistake" in output
    assert f"arena replay {file} --seat 1 --from MOVE" in output


def test_mistakes_are_told_with_their_move_what_is_better_and_by_how_much(file: str) -> None:
    """In this match of random play some are found with a few worlds."""
    seat = 2
    code, output = run("judge", file, "--seat", str(seat), "--worlds", "128")
    assert code == 0
    told = re.findall(
        r"move (\d+): you played (\S+); (\S+) is worth ([\d.]+) ± ([\d.]+) points more\n    (.*)\n",
        output,
    )
    assert told
    for number, played, better, more, bar, line in told:
        asked = decision(RECORD, int(number))
        assert (asked.seat, asked.move.action) == (seat, played)
        assert better in asked.legal
        assert float(more) > float(bar) > 0
        assert line == situation(asked.view())
    sizes = [float(more) for _, _, _, more, _, _ in told]
    assert sizes == sorted(sizes, reverse=True)


def test_without_a_seat_each_mistake_names_its_bot(file: str) -> None:
    told = judged(file)
    code, output = run("judge", file, *QUICK)
    assert code == 0
    assert [each["seat"] for each in told["seats"]] == [0, 1, 2, 3]
    assert "you played" not in output
    assert re.findall(r"^(\d) (?:fox|owl|hen|cat) ", output, re.M) == ["0", "1", "2", "3"]


def test_the_document_has_its_format_and_every_key_of_it_is_in_the_document_for_people(
    file: str,
) -> None:
    told = judged(file, "--seat", "0")
    assert (told["format"], told["version"]) == (JUDGE.name, JUDGE.version)
    assert told["moves"] == len(RECORD.moves)
    words = DOCUMENT.read_text().partition("## --json and --save")[2]
    one = told["decisions"][0]
    for key in {**told, **told["seats"][0], **one, **one["actions"][0]}:
        assert f"`{key}`" in words, key


def test_it_is_kept_beside_the_record(file: str, tmp_path: Path) -> None:
    code, output = run("judge", file, "--seat", "0", *QUICK, "--save")
    assert code == 0
    kept = tmp_path / "match.judged.json"
    assert f"kept in {kept}" in output
    assert json.loads(kept.read_text()) == judged(file, "--seat", "0")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match.json", kept.name]


def test_a_folder_that_takes_no_file_is_told_after_the_judgement(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(to_json(RECORD))
    (tmp_path / "match.judged.json").mkdir()
    code, output = run("judge", str(path), "--seat", "0", *QUICK, "--save")
    assert code == 1
    assert "This is an estimate" in output
    assert "the judgement is not kept" in output


def test_a_short_time_leaves_decisions_that_were_not_reached(file: str) -> None:
    told = json.loads(run("judge", file, "--seconds", "1e-9", "--json")[1])
    assert told["decisions"] == []
    assert all(each["not_reached"] > 0 for each in told["seats"])
    code, output = run("judge", file, "--seconds", "1e-9")
    assert (code, "no mistake was found" in output, "not reached" in output) == (0, True, True)


def test_fewer_than_eight_worlds_are_no_estimate(file: str) -> None:
    code, output = run("judge", file, "--worlds", "7")
    assert (code, "7 is not in the range 8<=x<=4096" in output) == (2, True)


def test_a_seat_that_is_not_there_is_told_who_sat_where(file: str) -> None:
    code, output = run("judge", file, "--seat", "4")
    assert code == 2
    assert "this match had seats 0 ('fox'), 1 ('owl'), 2 ('hen'), 3 ('cat'); got 4" in output


def test_a_record_that_breaks_the_rules_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(to_json(RECORD).replace(f'"{RECORD.moves[5].action}"', '"R99"', 1))
    code, output = run("judge", str(path), *QUICK)
    assert (code, "does not fit the rules" in output) == (1, True)


def test_ctrl_c_ends_the_work_and_a_second_one_the_command() -> None:
    work_time = WorkTime(None)
    before = signal.getsignal(signal.SIGINT)
    with work_time.stopped_by_ctrl_c():
        assert not work_time.is_over()
        signal.raise_signal(signal.SIGINT)
        assert work_time.is_over()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_situation_has_the_hand_and_what_lies_on_the_table() -> None:
    view = {"hand": ["B1", "G6"], "tricks": [["R1"], ["B9", "Y2"]]}
    assert situation(view) == "hand: B1 G6; trick: B9 Y2"
    view = {"hand": ["J"], "demand": {"count": 2, "colours": "RG"}, "chosen": ["R2"]}
    assert situation(view) == "hand: J; demand: 2 RG; chosen: R2"
    assert situation({"hand": None, "tricks": []}) == ""


def test_a_situation_has_the_board_of_a_round_once_the_teams_are_chosen() -> None:
    settled = {"trump": "R", "supertrump": "-", "points": 4, "seats": 4}
    view = {"hand": ["B1"], **settled, "team": None}
    assert situation(view) == "hand: B1"
    assert situation({**view, "team": [0, 2]}) == (
        "hand: B1; board: trump R, supertrump -, points 4, teams 0+2 against 1+3"
    )
