"""What the page of a match says of tricks, rounds and names, in Node."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import pytest

pytestmark = pytest.mark.languages

STATIC = files("arena.outputs.pages") / "static"


def run(scripts: Sequence[str], expression: str) -> Any:
    """Return the value of an expression that uses these scripts."""
    source = "".join((STATIC / f"{name}.js").read_text() for name in scripts)
    whole = f"{source}\nconsole.log(JSON.stringify({expression}));"
    done = subprocess.run(["node", "-e", whole], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def reasons(asked: Sequence[tuple[str, str, str, str, str]]) -> list[str]:
    """Return the reason of each: the card, its trick, trump, supertrump, the low rank."""
    told: list[str] = run(
        ("tables", "cards", "tricks"),
        f"""{json.dumps(asked)}.map(([card, cards, trump, supertrump, low]) =>
            Tricks.why(card, cards.split(" "), {{ trump, supertrump }}, low))""",
    )
    return told


def test_the_reason_names_what_made_a_card_the_highest() -> None:
    table = {
        ("G12", "G9 G12 Y3 G4", "R", "-", "1"): "the highest green",
        ("G12", "G12 G12 Y3 G4", "R", "-", "1"): "the highest green, played last",
        ("Y7", "G9 G1 G4 Y1 Y7", "Y", "-", "1"): "the highest trump",
        ("Y2", "G9 G1 G4 Y2", "Y", "-", "1"): "the only trump",
        ("Y2", "Y2 G1 G4 B2", "Y", "-", "1"): "nobody else has played trump",
        ("B3", "B3 G1 G4 R2", "Y", "-", "1"): "nobody else has played blue",
        ("Y1", "G9 G1 G4 Y1 Y7", "Y", "Y", "1"): "the supertrump",
        ("G1", "G1 B13 G1 R2", "B", "G", "1"): "the supertrump played last",
        ("K7", "Y9 Y0 Y4 K0 K7", "K", "-", "0"): "the highest trump",
        ("R0", "B9 R0 B4 K7", "-", "R", "0"): "the supertrump",
        ("B9", "B9 R7 B4 K7", "-", "-", "0"): "the highest blue",
    }
    assert reasons(list(table)) == list(table.values())


def test_a_supertrump_that_lost_is_no_card_of_its_colour() -> None:
    """The low card of the trump colour is a supertrump only where its colour is row 4's."""
    asked = [("Y7", "Y7 Y1 Y2 G4", "Y", "G", "1"), ("G5", "G5 G4 R1 R3", "B", "Y", "1")]
    assert reasons(asked) == ["the highest trump", "the highest green"]


def reckoned(
    team: Sequence[int],
    tricks: Sequence[int],
    loot: Sequence[int],
    scored: Sequence[int],
    points: int,
    bonus: tuple[int | None, str] = (None, "take"),
) -> list[str]:
    """Return what is told of each team; `bonus`: the holder of its card, and what it doubles."""
    holder, doubled = bonus
    result = {"team": team, "tricks_won": tricks, "loot": loot, "scored": scored}
    told = run(
        ("tables", "tally"),
        f"Tally.teams({json.dumps({**result, 'points': points, 'bonus': holder})}, '{doubled}')",
    )
    assert [name for name, _ in told] == ["A", "B"]
    return [words for _, words in told]


def test_a_round_is_reckoned_by_team_with_its_sum_and_its_factor() -> None:
    assert reckoned([0, 2], [7, 3, 4, 1], [2, 0, 1, 1], [56, 20, 56, 20], 4) == [
        "7 + 4 + 3 loot = 14, times 4 = 56 each",
        "3 + 1 + 1 loot = 5, times 4 = 20 each",
    ]
    minus = "\N{MINUS SIGN}"
    assert reckoned([1], [6, 9], [1, 0], [-14, -18], -2) == [
        f"9 + 0 loot = 9, times {minus}2 = {minus}18",
        f"6 + 1 loot = 7, times {minus}2 = {minus}14",
    ]


def test_the_bonus_card_and_other_ways_to_score_are_told_in_the_reckoning() -> None:
    tricks, loot = [4, 2, 6], [1, 0, 2]
    assert reckoned([2], tricks, loot, [7, 7, 16], 1, (2, "take")) == [
        "6 + 2 loot + 8 by the bonus card = 16, times 1 = 16",
        "4 + 2 + 1 loot = 7, times 1 = 7 each",
    ]
    assert reckoned([0, 1], tricks, loot, [14, 7, 8], 1, (0, "score")) == [
        "4 + 2 + 1 loot = 7, times 1 = 7; scored +14, +7",
        "6 + 2 loot = 8, times 1 = 8",
    ]
    assert reckoned([0, 1], tricks, loot, [0, 0, 1], 1)[0].endswith("= 7; scored +0 each")


def test_boxes_of_row_two_are_told_in_one_way() -> None:
    boxes = ["0", "2", "1x", "left1", "right2"]
    told = run(
        ("tables", "telling"), f"{json.dumps(boxes)}.map(Telling.of(['fox', 'owl'], '1').exchange)"
    )
    assert told == ["none", "2", "1, no 1s", "1 to the left", "2 to the right"]


def test_names_are_cut_in_their_middles_and_none_looks_like_another() -> None:
    names = ["python-random", "python-high", "shadow", "bot-1-of-the-house", "bot-2-of-the-house"]
    for most in range(1, 20):
        short = run(("tables", "telling"), f"Telling.shortened({json.dumps(names)}, {most})")
        assert len(set(short)) == len(names)
        pairs = zip(names, short, strict=True)
        assert all(full[0] == cut[0] and full[-1] == cut[-1] for full, cut in pairs)
    assert run(("tables", "telling"), f"Telling.shortened({json.dumps(names[:3])}, 9)") == [
        "pyth…ndom",
        "pyth…high",
        "shadow",
    ]
