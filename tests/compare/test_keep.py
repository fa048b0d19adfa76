"""The file of sets that a comparison goes on from."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.compare.keep import CannotKeep, KeptSets
from arena.compare.play import Comparison, SeatedResult
from arena.compare.sets import seatings, seed_of_set
from arena.referee.match import Plan, Result
from arena.referee.replies import Broken
from tests.play import random_record

RECORD = random_record("nope", 2)
PLAN = Plan(match="", game="nope", seats=2, seed=b"seed", names=("fox", "owl"))
COMPARED: dict[str, Any] = {
    "game": "nope",
    "options": {"max_turns": 3},
    "seed": b"seed".hex(),
    "bots": [("fox", "1234"), ("owl", None)],
    "stop": "0:10",
    "alpha": 0.05,
    "sets": None,
}


def empty() -> Comparison:
    return Comparison(PLAN, 9, [(0,), (1,)])


def comparison_with(sets: int, *, void: bool = False) -> Comparison:
    comparison = empty()
    for number in range(sets):
        comparison.played.append(
            [
                SeatedResult(
                    seating,
                    Result(
                        replace(
                            RECORD,
                            names=tuple(PLAN.names[bot] for bot in seating),
                            seed=seed_of_set(PLAN.seed, number).hex(),
                        ),
                        (),
                        Broken(ValueError("a bug")) if void else None,
                    ),
                )
                for seating in seatings(2)
            ]
        )
    return comparison


def written(path: Path, numbers: tuple[int, ...] = (0, 1)) -> Path:
    comparison = comparison_with(max(numbers) + 1)
    with KeptSets(path) as file:
        file.begin(COMPARED)
        for number in numbers:
            file.add(number, comparison)
    return path


def loaded(path: Path) -> Comparison:
    comparison = empty()
    with KeptSets(path) as file:
        file.begin(COMPARED)
        assert file.load(comparison) == len(path.read_text().splitlines()) - 1
    return comparison


def test_sets_are_there_again_with_their_records(tmp_path: Path) -> None:
    comparison = loaded(written(tmp_path / "kept"))
    assert comparison.played == comparison_with(2).played
    assert [*comparison.count()] == [0, 1]


def test_a_set_that_had_not_ended_is_a_gap(tmp_path: Path) -> None:
    comparison = loaded(written(tmp_path / "kept", (2, 0)))
    assert [len(matches) for matches in comparison.played] == [2, 0, 2]
    assert [*comparison.count()] == [0]


def test_a_set_that_was_void_stays_so_and_is_not_counted(tmp_path: Path) -> None:
    with KeptSets(tmp_path / "kept") as file:
        file.begin(COMPARED)
        file.add(0, comparison_with(1, void=True))
        file.add(1, comparison_with(2))
    comparison = loaded(tmp_path / "kept")
    assert comparison.voided == {0}
    assert [*comparison.count()] == [1]


def test_a_kill_in_the_middle_of_a_line_costs_that_line_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "kept")
    whole = path.read_bytes()
    ends = [at + 1 for at, byte in enumerate(whole) if byte == ord("\n")]
    for cut in (1, 9, ends[0] - 1, ends[0], ends[0] + 1, ends[1] - 1, ends[1], ends[2] - 1):
        path.write_bytes(whole[:cut])
        comparison = empty()
        with KeptSets(path) as file:
            file.begin(COMPARED)
            sets = file.load(comparison)
            assert sets == max(0, sum(end <= cut for end in ends) - 1)
            for number in range(sets, 2):
                file.add(number, comparison_with(2))
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"bots": [("fox", "5678"), ("owl", None)]}, "fox has changed since: it is another"),
        ({"bots": [("elk", "1"), ("owl", None)]}, "the bots were fox, owl; now they are elk, owl"),
        ({"options": {}}, 'the options of the game: before {"max_turns": 3}, now {}'),
        ({"stop": "0:20"}, "the bounds of the stop test: before 0:10, now 0:20"),
        ({"stop": None}, "the bounds of the stop test: before 0:10, now not set"),
        ({"alpha": 0.1}, "alpha: before 0.05, now 0.1"),
        ({"sets": 5}, "the number of sets: before not set, now 5"),
        ({"seed": "00"}, f"the seed: before {b'seed'.hex()}, now 00"),
    ],
)
def test_another_comparison_is_refused_in_words(
    change: dict[str, Any], words: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "kept")
    before = path.read_bytes()
    with (
        KeptSets(path) as file,
        pytest.raises(CannotKeep, match=re.escape(words)) as refused,
    ):
        file.begin({**COMPARED, **change})
    assert "begin a new comparison with another file" in str(refused.value)
    assert path.read_bytes() == before


def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text("my notes")
    with pytest.raises(CannotKeep, match="is no file of arena match --keep"):
        KeptSets(path)
    assert path.read_text() == "my notes"


def test_a_file_that_was_changed_is_refused_with_the_line(tmp_path: Path) -> None:
    path = written(tmp_path / "kept")
    head, first, second = path.read_text().splitlines()
    wrong_number = json.dumps({**json.loads(second), "set": 0})
    numbers = ('{"set":-1}', '{"set":-1,"void":true}', '{"set":99999999,"void":true}')
    for line in ("[]", "{", "{}", *numbers, wrong_number):
        path.write_text(f"{head}\n{first}\n{line}\n")
        with KeptSets(path) as file, pytest.raises(CannotKeep, match="line 3: this is no set"):
            file.load(empty())
    path.write_text(f"{head.replace(':1,', ':2,', 1)}\n")
    with pytest.raises(CannotKeep, match="is of version 2, and this program reads version 1"):
        KeptSets(path)


def test_two_comparisons_do_not_write_to_one_file(tmp_path: Path) -> None:
    path = written(tmp_path / "kept")
    with KeptSets(path), pytest.raises(CannotKeep, match="another arena match is writing to it"):
        KeptSets(path)


def test_a_file_that_nothing_was_written_to_is_not_left_behind(tmp_path: Path) -> None:
    with KeptSets(tmp_path / "kept"):
        pass
    assert not (tmp_path / "kept").exists()
    with pytest.raises(CannotKeep, match="cannot be written: No such file or directory"):
        KeptSets(tmp_path / "no" / "kept")


def test_what_is_no_regular_file_is_refused_unread(tmp_path: Path) -> None:
    """Such as a pipe, or a device that can be read for ever."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CannotKeep, match="is no regular file, and keeps no sets"):
        KeptSets(tmp_path / "pipe")
    assert (tmp_path / "pipe").is_fifo()
